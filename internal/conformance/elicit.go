package conformance

import (
	"context"
	"fmt"

	"toolcrib/internal/wire"
)

// elicit is what a person would answer to a server's question, given the raw
// schema of the answer.
type elicit func(schema []byte) ([]byte, error)

// answer answers a request for input of either era.
func (s *session) answer(method string, params []byte) ([]byte, error) {
	if method != wire.MethodElicit || s.elicit == nil {
		return nil, wire.Errorf(wire.CodeMethodNotFound, "this client does not answer %s", method)
	}
	o, err := wire.ParseObject(params)
	if err != nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "%v", err)
	}
	content, err := s.elicit(o.Get("requestedSchema"))
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"action":"accept","content":%s}`, content), nil
}

// Request answers a legacy server.
func (s *session) Request(_ context.Context, _ any, method string, params []byte) ([]byte, error) {
	return s.answer(method, params)
}

// Notification logs what the server says.
func (s *session) Notification(_ any, method string, params []byte) {
	s.log.Info("notified", "method", method, "params", string(params))
}

// Noise cannot come over HTTP.
func (s *session) Noise([]byte) {}

// confirm says yes.
func confirm([]byte) ([]byte, error) { return []byte(`{"confirmed":true}`), nil }

// acceptDefaults answers with the default of every property that has one, byte
// for byte as the schema says it.
func acceptDefaults(schema []byte) ([]byte, error) {
	content, err := wire.ParseObject([]byte("{}"))
	if err != nil {
		return nil, err
	}
	var changes []wire.Change
	if schema != nil {
		o, err := wire.ParseObject(schema)
		if err != nil {
			return nil, err
		}
		if raw := o.Get("properties"); raw != nil {
			properties, err := wire.ParseObject(raw)
			if err != nil {
				return nil, err
			}
			for _, m := range properties.Members() {
				p, err := wire.ParseObject(m.Value)
				if err != nil {
					return nil, err
				}
				changes = append(changes, wire.Change{Name: m.Name, Value: p.Get("default")})
			}
		}
	}
	return content.With(changes...), nil
}
