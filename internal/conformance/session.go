package conformance

import (
	"context"
	"encoding/json"
	"fmt"

	"toolcrib/internal/wire"
)

// maxRounds bounds how often a server may ask for more input for one request.
const maxRounds = 10

// maxPages bounds a list.
const maxPages = 100

func (s *session) close() { s.link.Close() }

// request sends one request, and answers what the server asks for on the way.
func (s *session) request(ctx context.Context, method string, params []byte, headers [][2]string) ([]byte, error) {
	if s.hello.Era != wire.Modern {
		return s.link.Call(ctx, &wire.Outgoing{Method: method, Params: params})
	}
	params, err := s.withMeta(params)
	if err != nil {
		return nil, err
	}
	asked := params
	for range maxRounds {
		result, err := s.link.Call(ctx, &wire.Outgoing{Method: method, Params: asked, Headers: headers})
		if err != nil {
			return nil, err
		}
		o, err := wire.ParseObject(result)
		if err != nil || o.Text("resultType") != "input_required" {
			return result, err
		}
		if asked, err = s.again(params, o); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s: the server asked for input %d times", method, maxRounds)
}

func (s *session) withMeta(params []byte) ([]byte, error) {
	capabilities := s.id.Capabilities
	if capabilities == nil {
		capabilities = []byte("{}")
	}
	return wire.ChangeMeta(params,
		wire.Change{Name: wire.MetaVersion, Value: wire.Quote(s.hello.Version)},
		wire.Change{Name: wire.MetaClientInfo, Value: s.id.ClientInfo},
		wire.Change{Name: wire.MetaClientCapabilities, Value: capabilities})
}

// again is the request once more, with the input that the server wants and the
// state that it wants back, if it gave any.
func (s *session) again(params []byte, wanted *wire.Object) ([]byte, error) {
	changes := []wire.Change{{Name: "requestState", Value: wanted.Get("requestState")}}
	if raw := wanted.Get("inputRequests"); raw != nil {
		asks, err := wire.ParseObject(raw)
		if err != nil {
			return nil, err
		}
		answers := map[string]json.RawMessage{}
		for _, m := range asks.Members() {
			ask, err := wire.ParseObject(m.Value)
			if err != nil {
				return nil, err
			}
			if answers[m.Name], err = s.answer(ask.Text("method"), ask.Get("params")); err != nil {
				return nil, err
			}
		}
		b, err := json.Marshal(answers)
		if err != nil {
			return nil, err
		}
		changes = append(changes, wire.Change{Name: "inputResponses", Value: b})
	}
	o, err := wire.ParseObject(params)
	if err != nil {
		return nil, err
	}
	return o.With(changes...), nil
}

// list returns the items of all pages of a list.
func (s *session) list(ctx context.Context, method, member string) ([][]byte, error) {
	var items [][]byte
	var params []byte
	for range maxPages {
		raw, err := s.request(ctx, method, params, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		o, err := wire.ParseObject(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		page, err := wire.Elements(o.Get(member))
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", method, member, err)
		}
		items = append(items, page...)
		cursor := o.Get("nextCursor")
		if cursor == nil || string(cursor) == "null" {
			return items, nil
		}
		params = fmt.Appendf(nil, `{"cursor":%s}`, cursor)
	}
	return nil, fmt.Errorf("%s: more than %d pages", method, maxPages)
}

// listTools learns the tools. Over modern HTTP one whose headers are wrongly
// annotated is left out: it cannot be called rightly.
func (s *session) listTools(ctx context.Context) error {
	items, err := s.list(ctx, wire.MethodToolsList, "tools")
	if err != nil {
		return err
	}
	for _, raw := range items {
		tool, err := wire.ParseObject(raw)
		if err != nil {
			return err
		}
		name := tool.Text("name")
		if _, err := wire.ParamHeaders(tool.Get("inputSchema")); err != nil && s.hello.Era == wire.Modern {
			s.log.Warn("tool left out", "tool", name, "error", err)
			continue
		}
		s.tools[name] = raw
		s.names = append(s.names, name)
	}
	return nil
}

// call calls a tool.
func (s *session) call(ctx context.Context, name string, arguments []byte) ([]byte, error) {
	if arguments == nil {
		arguments = []byte("{}")
	}
	params := fmt.Appendf(nil, `{"name":%s,"arguments":%s}`, wire.Quote(name), arguments)
	var headers [][2]string
	if raw := s.tools[name]; raw != nil && s.hello.Era == wire.Modern {
		tool, err := wire.ParseObject(raw)
		if err != nil {
			return nil, err
		}
		bindings, err := wire.ParamHeaders(tool.Get("inputSchema"))
		if err != nil {
			return nil, err
		}
		headers = wire.AppendParamHeaders(nil, bindings, params)
	}
	result, err := s.request(ctx, wire.MethodToolsCall, params, headers)
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", name, err)
	}
	s.log.Info("called", "tool", name, "result", string(result))
	return result, nil
}
