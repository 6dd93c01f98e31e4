package mcptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Versions that the servers speak, newest first. The first is the modern era.
const modernVersion = "2026-07-28"

var legacyVersions = [...]string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

func allVersions() []string { return append([]string{modernVersion}, legacyVersions[:]...) }

// Members of a modern request's _meta.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// message is a JSON-RPC message taken apart.
type message struct {
	id     json.RawMessage // nil in a notification
	method string          // "" in a response
	params json.RawMessage
	result json.RawMessage
	err    json.RawMessage
}

func (m message) isRequest() bool      { return m.method != "" && m.id != nil }
func (m message) isNotification() bool { return m.method != "" && m.id == nil }

// parseMessage is strict about member names: encoding/json alone would take
// "METHOD" for "method".
func parseMessage(line []byte) (message, error) {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(line, &o); err != nil {
		return message{}, err
	}
	if string(o["jsonrpc"]) != `"2.0"` {
		return message{}, errors.New(`jsonrpc is not "2.0"`)
	}
	m := message{id: o["id"], params: o["params"], result: o["result"], err: o["error"]}
	if bytes.Equal(m.id, []byte("null")) {
		return message{}, errors.New("id is null")
	}
	if raw, ok := o["method"]; ok {
		if err := json.Unmarshal(raw, &m.method); err != nil {
			return message{}, fmt.Errorf("method: %w", err)
		}
		if m.params != nil && m.params[0] != '{' {
			return message{}, errors.New("params is not an object")
		}
		return m, nil
	}
	if m.id == nil {
		return message{}, errors.New("neither id nor method")
	}
	if (m.result == nil) == (m.err == nil) {
		return message{}, errors.New("a response needs a result or an error")
	}
	return m, nil
}

// rpcError is a JSON-RPC error.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func rpcErrorf(code int, format string, a ...any) *rpcError {
	return &rpcError{Code: code, Message: fmt.Sprintf(format, a...)}
}

// object is a JSON object on its way out.
type object = map[string]any

// encode never fails on what the servers put in: maps, slices, strings, numbers
// and RawMessages that were checked.
func encode(v any) json.RawMessage {
	if raw, ok := v.(json.RawMessage); ok {
		return raw // json.Marshal would compact it, and some servers care for their spaces
	}
	b, err := json.Marshal(v)
	if err != nil {
		return encode(fmt.Sprintf("cannot encode %T: %v", v, err))
	}
	return b
}

// responseLine answers id; a raw result goes out as it is.
func responseLine(id json.RawMessage, result any, fault *rpcError) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if fault == nil {
		b = append(append(b, `,"result":`...), encode(result)...)
	} else {
		data, raw := fault.Data.(rawError)
		if !raw {
			data = rawError(encode(fault))
		}
		b = append(append(b, `,"error":`...), data...)
	}
	return append(b, '}')
}

// rawError as an error's data makes these bytes the whole error.
type rawError []byte

func notificationLine(method string, params any) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","method":`), encode(method)...)
	if params != nil {
		b = append(append(b, `,"params":`...), encode(params)...)
	}
	return append(b, '}')
}

func requestLine(id, method string, params any) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), encode(id)...)
	b = append(append(b, `,"method":`...), encode(method)...)
	if params != nil {
		b = append(append(b, `,"params":`...), encode(params)...)
	}
	return append(b, '}')
}

// lineWriter writes whole lines, whoever writes at the same time.
type lineWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lineWriter) line(b []byte) error { return l.raw(append(b, '\n')) }

func (l *lineWriter) raw(b []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.w.Write(b)
	return err
}

// detach makes the writer write nowhere from now on.
func (l *lineWriter) detach() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.w = io.Discard
}

// hold keeps everybody else from writing while f does.
func (l *lineWriter) hold(f func(w io.Writer)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(l.w)
}
