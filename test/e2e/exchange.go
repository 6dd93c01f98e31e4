package main

import (
	"encoding/json"
	"errors"
	"fmt"
)

// An exchange is a request that an agent made of the gateway, and the answer.
type exchange struct {
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
	version string          // of the protocol, as the header has it; "" over stdio
}

// exchanges are what an agent asked, in order.
type exchanges []exchange

func (all exchanges) of(method string) exchanges {
	var some exchanges
	for _, e := range all {
		if e.Method == method {
			some = append(some, e)
		}
	}
	return some
}

// tool is the name of the tool that a tools/call asks for.
func (e exchange) tool() string {
	var p struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(e.Params, &p) // no name is no tool's name
	return p.Name
}

// A toolResult is what a tools/call was answered.
type toolResult struct {
	Content    []struct{ Text string }
	Structured json.RawMessage `json:"structuredContent"`
}

func (e exchange) toolResult() (r toolResult, err error) {
	if err := json.Unmarshal(e.Result, &r); err != nil {
		return r, fmt.Errorf("%s %s was answered %.200s %.200s: %w", e.Method, e.tool(), e.Result, e.Error, err)
	}
	return r, nil
}

// speaks checks the era that the agent and the gateway agreed on: of the modern
// one every request has the version, of the older ones the greeting.
func (all exchanges) speaks(version string) error {
	hellos, discovers := all.of("initialize"), all.of("server/discover")
	if version != modernVersion {
		return errors.Join(times("initialize", len(hellos), 1), times("server/discover", len(discovers), 0), all.greeted(hellos, version))
	}
	errs := []error{times("initialize", len(hellos), 0)}
	if len(discovers) == 0 || len(discovers[0].Result) == 0 {
		errs = append(errs, errors.New("the agent did not discover the gateway"))
	}
	for _, e := range all {
		var p struct {
			Meta struct {
				Version string `json:"io.modelcontextprotocol/protocolVersion"`
			} `json:"_meta"`
		}
		if err := json.Unmarshal(e.Params, &p); err != nil || p.Meta.Version != version {
			errs = append(errs, fmt.Errorf("%s is of version %q, not %s", e.Method, p.Meta.Version, version))
		}
	}
	return errors.Join(errs...)
}

// greeted checks the version that was asked for, given, and held to.
func (all exchanges) greeted(hellos exchanges, version string) error {
	for _, h := range hellos {
		var asked, given struct {
			Version string `json:"protocolVersion"`
		}
		err := errors.Join(json.Unmarshal(h.Params, &asked), json.Unmarshal(h.Result, &given))
		if err != nil || asked.Version != version || given.Version != version {
			return errors.Join(fmt.Errorf("version %q was asked for and %q given, not %s", asked.Version, given.Version, version), err)
		}
	}
	for _, e := range all {
		if e.Method != "initialize" && e.version != "" && e.version != version {
			return fmt.Errorf("%s is of version %s, not %s", e.Method, e.version, version)
		}
	}
	return nil
}

func times(what string, found, want int) error {
	if found != want {
		return fmt.Errorf("%d times %s, not %d", found, what, want)
	}
	return nil
}
