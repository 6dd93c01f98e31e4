package wire

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Kind is what a message is.
type Kind uint8

const (
	Request Kind = iota + 1
	Notification
	Response
)

// An ID is a request's id as it was written, quotes included: two spellings
// of a number are two ids to us, as they are to whoever wrote them.
type ID string

// A Message is one JSON-RPC message with everything but the envelope left as
// bytes. Params, Result and Fault point into the text it was parsed from.
type Message struct {
	Kind   Kind
	ID     ID
	Method string
	Params []byte
	Result []byte
	Fault  *Error
}

// A MalformedError is a message that breaks the rules. ID is set when it could
// still be read, so that the request can be answered, or the call it answers ended.
type MalformedError struct {
	ID     ID
	Answer bool // it looks like a response
	// Unawaited says that nobody waits for an answer to it: it is a notification
	// or a response in all but its fault.
	Unawaited bool
	Fault     *Error
}

func (e *MalformedError) Error() string { return e.Fault.Message }
func (e *MalformedError) Unwrap() error { return e.Fault }

var envelopeNames = []string{"jsonrpc", "id", "method", "params", "result", "error"}

// Parse reads one message and checks all of it: syntax, UTF-8, depth, the
// rules of JSON-RPC. Nothing it accepts can mean two things to two readers of
// the envelope.
func Parse(b []byte) (Message, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	var o Object
	if err := o.parse(b); err != nil {
		code := CodeParse
		if CheckJSON(b) == nil {
			code = CodeInvalidRequest // JSON, but no object or an ambiguous one
		}
		return Message{}, malformed(b, code, "not a JSON-RPC message: %v", err)
	}
	if !utf8.Valid(b) {
		return Message{}, malformed(b, CodeParse, "not a JSON-RPC message: not UTF-8")
	}
	if err := o.refuseWrongCase(envelopeNames...); err != nil {
		return Message{}, malformed(b, CodeInvalidRequest, "not a JSON-RPC message: %v", err)
	}
	return o.message()
}

func (o *Object) message() (Message, error) {
	var m Message
	if v := o.Get("jsonrpc"); string(v) != `"2.0"` {
		return m, malformed(o.src, CodeInvalidRequest, `"jsonrpc" must be "2.0"`)
	}
	id := o.Get("id")
	method, result, fault := o.Get("method"), o.Get("result"), o.Get("error")
	if id != nil && !validID(id) && !(string(id) == "null" && fault != nil) {
		return m, malformed(o.src, CodeInvalidRequest, "an id must be a string or an integer, not %s", clip(string(id)))
	}
	m.ID = ID(id)
	switch {
	case method != nil:
		if result != nil || fault != nil {
			return m, malformed(o.src, CodeInvalidRequest, "a message is a request or a response, not both")
		}
		name, ok := Text(method)
		if !ok || name == "" {
			return m, malformed(o.src, CodeInvalidRequest, "a method must be a non-empty string")
		}
		m.Method, m.Params = name, o.Get("params")
		if m.Params != nil && m.Params[0] != '{' {
			if string(m.Params) != "null" {
				return m, malformed(o.src, CodeInvalidRequest, "params must be an object")
			}
			m.Params = nil
		}
		m.Kind = Notification
		if id != nil {
			m.Kind = Request
		}
	case result != nil && fault != nil:
		return m, malformed(o.src, CodeInvalidRequest, "a response has a result or an error, not both")
	case result != nil || fault != nil:
		if id == nil {
			return m, malformed(o.src, CodeInvalidRequest, "a response needs the id it answers")
		}
		m.Kind, m.Result = Response, result
		if fault != nil {
			m.Fault = parseError(fault)
		}
	default:
		return m, malformed(o.src, CodeInvalidRequest, "neither a method nor a result nor an error")
	}
	return m, nil
}

// malformed says what is wrong with b, and what b would have been.
func malformed(b []byte, code int, format string, args ...any) *MalformedError {
	e := &MalformedError{Fault: Errorf(code, format, args...)}
	if id := Find(b, "id"); id != nil && validID(id) && utf8.Valid(id) {
		e.ID = ID(id)
	}
	method := Find(b, "method")
	answers := method == nil && (Find(b, "result") != nil || Find(b, "error") != nil)
	e.Answer = answers || (method == nil && e.ID != "")
	// Of what is no JSON nobody can say what it was; JSON-RPC wants it answered.
	e.Unawaited = code != CodeParse && (answers || isNotice(b, method))
	return e
}

// isNotice tells whether b, up to a fault, is a notification. One that has its
// id in another case is a request.
func isNotice(b, method []byte) bool {
	for _, id := range [...]string{"id", "Id", "iD", "ID"} {
		if Find(b, id) != nil {
			return false
		}
	}
	return method != nil && method[0] == '"'
}

// validID accepts strings and integers. MCP forbids null, and a fraction
// cannot be compared safely.
func validID(id []byte) bool {
	switch {
	case len(id) > 1024:
		return false
	case id[0] == '"':
		return true
	case id[0] == '-' || (id[0] >= '0' && id[0] <= '9'):
		return !bytes.ContainsAny(id, ".eE")
	}
	return false
}

// AppendRequest writes a request (or, with an empty id, a notification).
func AppendRequest(b []byte, id ID, method string, params []byte) []byte {
	b = append(b, `{"jsonrpc":"2.0",`...)
	if id != "" {
		b = append(b, `"id":`...)
		b = append(b, id...)
		b = append(b, ',')
	}
	b = append(b, `"method":`...)
	b = appendName(b, method)
	if params != nil {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return append(b, '}')
}

func appendName(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x80 {
			return append(b, Quote(s)...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// AppendResult writes a response.
func AppendResult(b []byte, id ID, result []byte) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"result":`...)
	b = append(b, result...)
	return append(b, '}')
}

// AppendFault writes an error response. An unknown id is null.
func AppendFault(b []byte, id ID, e *Error) []byte {
	if id == "" {
		id = "null"
	}
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"error":`...)
	b = append(b, e.JSON()...)
	return append(b, '}')
}

// numberID is the id of a request of our own.
func numberID(n uint64) ID { return ID(strconv.FormatUint(n, 10)) }

func (id ID) number() (uint64, error) {
	n, err := strconv.ParseUint(string(id), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("id %s is none of ours", clip(string(id)))
	}
	return n, nil
}
