package wire

import (
	"errors"
	"fmt"
	"strconv"
)

// JSON-RPC and MCP error codes.
const (
	CodeParse              = -32700
	CodeInvalidRequest     = -32600
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602
	CodeInternal           = -32603
	CodeResourceNotFound   = -32002 // legacy; modern says CodeInvalidParams
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
	CodeURLElicitation     = -32042 // 2025-11-25: visit these URLs first

	// Ours, outside the range that JSON-RPC reserves.
	CodeUpstreamFailed = 1001 // a server could not be reached, or died
	CodeUpstreamBusy   = 1002 // a server's queue is full; nothing was sent
	CodeTimeout        = 1003 // no answer in time
	CodeAgentRefused   = 1004 // the agent cannot do what the server asked for
	CodeRefused        = 1005 // the policy does not allow it
	CodeLimited        = 1006 // the policy allows it less often; data says when to try again
)

// An Error is a JSON-RPC error. One that came from a server keeps its bytes:
// what it says in data, and in members that we do not know, passes through.
type Error struct {
	Code    int
	Message string
	Data    []byte // raw JSON, may be nil
	raw     []byte // the whole object as it was received, may be nil
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// Errorf makes an error of our own.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithData adds raw JSON data.
func (e *Error) WithData(data []byte) *Error {
	e.Data, e.raw = data, nil
	return e
}

// RetryAfter is in how many seconds to try again, as CodeLimited says it; 0 if nothing
// is said of that.
func (e *Error) RetryAfter() int {
	seconds, err := strconv.Atoi(string(Find(e.Data, "retry_after_seconds")))
	if err != nil || e.Code != CodeLimited {
		return 0
	}
	return seconds
}

// JSON is the error object, byte for byte as received if it was received.
func (e *Error) JSON() []byte {
	if e.raw != nil {
		return e.raw
	}
	b := append([]byte(`{"code":`), strconv.Itoa(e.Code)...)
	b = append(b, `,"message":`...)
	b = append(b, Quote(e.Message)...)
	if e.Data != nil {
		b = append(b, `,"data":`...)
		b = append(b, e.Data...)
	}
	return append(b, '}')
}

// WithCode is the same error under another code, its other bytes kept.
func (e *Error) WithCode(code int) *Error {
	c := &Error{Code: code, Message: e.Message, Data: e.Data}
	if e.raw != nil {
		var o Object
		if o.parse(e.raw) == nil {
			c.raw = o.With(Change{"code", []byte(strconv.Itoa(code))})
		}
	}
	return c
}

// parseError reads an error object. A malformed one still makes an error.
func parseError(raw []byte) *Error {
	var o Object
	e := &Error{Code: CodeInternal, raw: raw}
	if err := o.parse(raw); err != nil {
		e.Message, e.raw = "the error itself was malformed: "+err.Error(), nil
		return e
	}
	e.Data = o.Get("data")
	if code, err := strconv.Atoi(string(o.Get("code"))); err == nil {
		e.Code = code
	} else {
		e.raw = nil // written anew, with a code that is one
	}
	if message, ok := Text(o.Get("message")); ok {
		e.Message = message
	} else {
		e.Message, e.raw = "failed without saying why", nil
	}
	return e
}

// AsError is err as a JSON-RPC error: itself if it is one, else an internal
// error with its text.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: CodeInternal, Message: err.Error()}
}

// A TransportError says that a message could not be delivered or its answer
// could not be had. Sent tells whether the other side may have seen it: a call
// that may have been seen must not be repeated.
type TransportError struct {
	Sent bool
	Err  error
}

func (e *TransportError) Error() string { return e.Err.Error() }
func (e *TransportError) Unwrap() error { return e.Err }
