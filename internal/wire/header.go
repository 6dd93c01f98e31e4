package wire

import (
	"encoding/base64"
	"math"
	"net/http"
	"strconv"
	"strings"
)

// Headers of the HTTP transports.
const (
	headerVersion   = "Mcp-Protocol-Version"
	headerSession   = "Mcp-Session-Id"
	headerLastEvent = "Last-Event-Id"
	headerMethod    = "Mcp-Method"
	headerName      = "Mcp-Name"
	headerParam     = "Mcp-Param-"
)

const (
	sentinelStart = "=?base64?"
	sentinelEnd   = "?="
)

// encodeHeader writes s so that it survives as an HTTP header value. What would
// not (other bytes than visible ASCII, space at an end), or what would be taken
// for an encoded value, is written as =?base64?...?=.
func encodeHeader(s string) string {
	if headerSafe(s) {
		return s
	}
	return sentinelStart + base64.StdEncoding.EncodeToString([]byte(s)) + sentinelEnd
}

func headerSafe(s string) bool {
	if s == "" {
		return true
	}
	if s[0] == ' ' || s[len(s)-1] == ' ' || isSentinel(s) {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// isSentinel tells whether s says that it is encoded. The markers are case
// sensitive, and half of them is a literal value.
func isSentinel(s string) bool {
	return len(s) >= len(sentinelStart)+len(sentinelEnd) &&
		strings.HasPrefix(s, sentinelStart) && strings.HasSuffix(s, sentinelEnd)
}

// decodeHeader reads what encodeHeader wrote. A value that says that it is
// encoded and is no base64 is refused.
func decodeHeader(s string) (string, bool) {
	if !isSentinel(s) {
		return s, true
	}
	b, err := base64.StdEncoding.DecodeString(s[len(sentinelStart) : len(s)-len(sentinelEnd)])
	return string(b), err == nil
}

// AppendParamHeaders adds the Mcp-Param-* headers of a tools/call to dst, as
// name, value pairs. A parameter that is absent or null has no header; nor has
// one whose value its annotation does not allow, for the server to refuse.
func AppendParamHeaders(dst [][2]string, bindings []ParamHeader, params []byte) [][2]string {
	if len(bindings) == 0 {
		return dst
	}
	arguments, err := lookup(params, "arguments")
	if err != nil {
		return dst
	}
	for _, b := range bindings {
		raw, err := lookup(arguments, b.Path...)
		if err != nil || raw == nil {
			continue
		}
		if s, ok := headerText(raw); ok {
			dst = append(dst, [2]string{headerParam + b.Header, encodeHeader(s)})
		}
	}
	return dst
}

// CheckParamHeaders compares the Mcp-Param-* headers of a tools/call with its
// params: whoever stands between may have decided by the headers. The error
// says which one differs.
func CheckParamHeaders(h http.Header, bindings []ParamHeader, params []byte) error {
	if len(bindings) == 0 {
		return nil
	}
	arguments, err := lookup(params, "arguments")
	if err != nil {
		return Errorf(CodeHeaderMismatch, "the arguments cannot be compared with the headers: %v", err)
	}
	for _, b := range bindings {
		if err := b.check(h, arguments); err != nil {
			return err
		}
	}
	return nil
}

func (b *ParamHeader) check(h http.Header, arguments []byte) error {
	header := headerParam + b.Header
	sent := h.Values(header)
	raw, err := lookup(arguments, b.Path...)
	switch path := strings.Join(b.Path, "."); {
	case err != nil:
		return Errorf(CodeHeaderMismatch, "the argument %q cannot be compared with its header: %v", clip(path), err)
	case raw == nil && len(sent) > 0:
		return Errorf(CodeHeaderMismatch, "the header %s is there and the argument %q is not: send both or none", header, clip(path))
	case raw == nil:
		return nil
	case len(sent) == 0:
		return Errorf(CodeHeaderMismatch, "the header %s is missing: it must repeat the argument %q", header, clip(path))
	case len(sent) > 1:
		return Errorf(CodeHeaderMismatch, "the header %s occurs more than once", header)
	}
	want, ok := headerText(raw)
	if !ok {
		return Errorf(CodeHeaderMismatch, "the header %s repeats an argument that is no string, boolean or safe integer", header)
	}
	got, ok := decodeHeader(sent[0])
	if !ok {
		return Errorf(CodeHeaderMismatch, "the header %s is not valid base64", header)
	}
	if got != want && !(raw[0] != '"' && sameInteger(got, want)) {
		return Errorf(CodeHeaderMismatch, "the header %s differs from the argument in the body", header)
	}
	return nil
}

// lookup walks from object to object. A missing or null value is nil.
func lookup(raw []byte, path ...string) ([]byte, error) {
	for _, name := range path {
		if raw == nil || raw[0] != '{' {
			return nil, nil
		}
		var o Object
		if err := o.parse(raw); err != nil {
			return nil, err
		}
		raw = o.Get(name)
	}
	if string(raw) == "null" {
		return nil, nil
	}
	return raw, nil
}

// headerText is a primitive value as a header says it.
func headerText(raw []byte) (string, bool) {
	switch raw[0] {
	case '"':
		return Text(raw)
	case 't', 'f':
		return string(raw), true
	case '{', '[', 'n':
		return "", false
	}
	n, ok := safeInteger(string(raw))
	return strconv.FormatInt(n, 10), ok
}

// maxSafe is the largest integer that every JSON reader keeps exact.
const maxSafe = 1<<53 - 1

// safeInteger reads a number that is an integer within the safe range, however
// it is spelled (42, 42.0, 4.2e1).
func safeInteger(s string) (int64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, n >= -maxSafe && n <= maxSafe
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > maxSafe {
		return 0, false
	}
	return int64(f), true
}

func sameInteger(header, body string) bool {
	h, ok := safeInteger(header)
	return ok && strconv.FormatInt(h, 10) == body
}
