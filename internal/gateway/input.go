package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// A server that needs something of the agent in the course of a call says so
// in one of two ways: a legacy one sends a request and goes on waiting, a modern
// one ends the call with a result of the type input_required and wants to be
// called again with the answers. The agent likewise. That makes four cells:
//
//	agent    server
//	modern   modern   the result passes; its requestState is sealed (here)
//	legacy   modern   we ask the agent and call again (here)
//	modern   legacy   the call is parked and its request becomes a result (park.go)
//	legacy   legacy   the request passes (wire.Back)

// maxRounds bounds how often one call may ask.
const maxRounds = 10

// stateLife is how long an agent may take to come back with its answers.
const stateLife = time.Hour

// inputRequired parses a result if it asks for input.
func inputRequired(result []byte) (*wire.Object, bool) {
	if !bytes.Contains(result, []byte("input_required")) {
		return nil, false // spares the parsing of nearly all results
	}
	o, err := wire.ParseObject(result)
	if err != nil || o.Text("resultType") != "input_required" {
		return nil, false
	}
	return o, true
}

// relayLegacy answers for a legacy agent what a modern server asks.
func (g *Gateway) relayLegacy(ctx context.Context, r *call.Request) ([]byte, error) {
	for round := 1; ; round++ {
		result, err := g.o.Call(ctx, r)
		if err != nil {
			return nil, err
		}
		asked, ok := inputRequired(result)
		if !ok {
			return result, nil
		}
		if round == maxRounds {
			return nil, wire.Errorf(wire.CodeUpstreamFailed, "server %s asked for input %d times without coming to an end", r.Server, maxRounds)
		}
		answers, err := g.askAgent(ctx, r, asked.Get("inputRequests"))
		if err != nil {
			return nil, err
		}
		p, err := wire.ParseObject(or(r.Params, []byte("{}")))
		if err != nil {
			return nil, wire.Errorf(wire.CodeInvalidParams, "params: %v", err)
		}
		next := *r
		next.Params = p.With(
			wire.Change{Name: "inputResponses", Value: answers},
			wire.Change{Name: "requestState", Value: asked.Get("requestState")},
		)
		r = &next
	}
}

func or(b, fallback []byte) []byte {
	if b == nil {
		return fallback
	}
	return b
}

// askAgent sends a legacy agent all requests at once and gathers its answers.
func (g *Gateway) askAgent(ctx context.Context, r *call.Request, requests []byte) ([]byte, error) {
	if requests == nil {
		return []byte("{}"), nil // only the state has to come back
	}
	o, err := wire.ParseObject(requests)
	if err != nil {
		return nil, wire.Errorf(wire.CodeUpstreamFailed, "server %s asked for input in a form that cannot be read: %v", r.Server, err)
	}
	answers := make([][]byte, len(o.Members()))
	errs := make([]error, len(answers))
	var all sync.WaitGroup
	for i, m := range o.Members() {
		all.Go(func() {
			q, err := wire.ParseObject(m.Value)
			if err != nil {
				errs[i] = wire.Errorf(wire.CodeUpstreamFailed, "server %s asked for input in a form that cannot be read: %v", r.Server, err)
				return
			}
			method := q.Text("method")
			if !wire.Askable(method, r.Caller.Capabilities) {
				errs[i] = wire.Errorf(wire.CodeAgentRefused, "server %s asks for %s, which this agent did not declare", r.Server, method)
				return
			}
			answers[i], errs[i] = r.Back.Request(ctx, method, q.Get("params"))
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for i, m := range o.Members() {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, wire.Quote(m.Name)...), ':'), answers[i]...)
	}
	return append(out, '}'), nil
}

// seal wraps a server's requestState: the agent can hand it back only for the
// same thing, at the same server, as itself.
func (g *Gateway) seal(r *call.Request, result []byte) []byte {
	o, ok := inputRequired(result)
	if !ok {
		return result
	}
	state := o.Get("requestState")
	if state == nil {
		return result // the name of the tool is all that is needed to find the server again
	}
	sealed := g.o.Sealer.Seal(sealed(r, state), purpose(r), time.Now().Add(stateLife))
	return o.With(wire.Change{Name: "requestState", Value: wire.Quote(sealed)})
}

// sealed is what a seal holds of a call: its state and, if its user allowed it, what
// they allowed.
func sealed(r *call.Request, state []byte) []byte {
	if !r.Approved {
		return append([]byte{'='}, state...)
	}
	sum := argumentsSum(r)
	return slices.Concat([]byte{'!'}, sum[:], state)
}

// argumentsSum tells arguments from others.
func argumentsSum(r *call.Request) [sha256.Size]byte {
	return sha256.Sum256(wire.Find(r.Params, "arguments"))
}

// purpose binds a seal to what it was made for.
func purpose(r *call.Request) string {
	return r.Server + "\x00" + r.Method + "\x00" + r.Name + "\x00" + r.Caller.Subject
}

// unseal gives the server its own state back. For a call that is parked here
// instead, it returns the handle of that. What a user allowed stays allowed if the
// arguments are still those.
func (g *Gateway) unseal(r *call.Request) (handle string, err error) {
	if wire.Find(r.Params, "requestState") == nil {
		return "", nil
	}
	o, err := wire.ParseObject(r.Params)
	if err != nil {
		return "", wire.Errorf(wire.CodeInvalidParams, "params: %v", err)
	}
	text := o.Text("requestState")
	plain, err := g.o.Sealer.Open(text, purpose(r), time.Now())
	if err != nil {
		return "", wire.Errorf(wire.CodeInvalidParams, "requestState: %v; make the call again without it", err)
	}
	switch plain[0] {
	case '#':
		return string(plain[1:]), nil
	case '!':
		sum := argumentsSum(r)
		r.Approved = bytes.Equal(sum[:], plain[1:1+sha256.Size])
		plain = plain[sha256.Size:]
	}
	r.Params = o.With(wire.Change{Name: "requestState", Value: plain[1:]})
	return "", nil
}
