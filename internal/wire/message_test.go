package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"toolcrib/internal/mcptest"
)

const (
	smallResponse = `{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":"hello"}]}}`
	smallCall     = `{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"},"_meta":{"progressToken":7}}}`
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Message{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                        {Kind: Request, ID: "1", Method: "ping"},
		`{"jsonrpc":"2.0","id":"a","method":"x","params":{ "b":1 }}`:      {Kind: Request, ID: `"a"`, Method: "x", Params: []byte(`{ "b":1 }`)},
		`{"jsonrpc":"2.0","id":-7,"method":"x","params":null}`:            {Kind: Request, ID: "-7", Method: "x"},
		`{"params":{},"method":"x\u0020y","id":"\u0061","jsonrpc":"2.0"}`: {Kind: Request, ID: `"\u0061"`, Method: "x y", Params: []byte(`{}`)},
		`{"jsonrpc":"2.0","method":"n","x":{"id":1}}`:                     {Kind: Notification, Method: "n"},
		` { "jsonrpc" : "2.0" , "id" : 0 , "result" : [1.0] } `:           {Kind: Response, ID: "0", Result: []byte(`[1.0]`)},
		"\ufeff" + `{"jsonrpc":"2.0","id":1,"result":null}`:               {Kind: Response, ID: "1", Result: []byte(`null`)},
		`{"jsonrpc":"2.0","id":99999999999999999999,"result":{}}`:         {Kind: Response, ID: "99999999999999999999", Result: []byte(`{}`)},
		`{"jsonrpc":"2.0","\u0069d":1,"result":{}}`:                       {Kind: Response, ID: "1", Result: []byte(`{}`)},
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`:    {Kind: Response, ID: "null", Fault: &Error{Code: 1, Message: "m"}},
	} {
		m, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if m.Kind != want.Kind || m.ID != want.ID || m.Method != want.Method || !bytes.Equal(m.Params, want.Params) || !bytes.Equal(m.Result, want.Result) {
			t.Errorf("%s: got %+v, want %+v", text, m, want)
		}
		if (m.Params == nil) != (want.Params == nil) || (m.Fault == nil) != (want.Fault == nil) {
			t.Errorf("%s: got %+v, want %+v", text, m, want)
		}
	}
}

func TestMalformedMessagesSayWhatTheyWere(t *testing.T) {
	const none = ID("")
	for _, c := range []struct {
		text              string
		code              int
		id                ID
		answer, unawaited bool
	}{
		{`x`, CodeParse, none, false, false},
		{`{"jsonrpc":"2.0","id":7,"method":"x","params":{`, CodeParse, "7", false, false},
		{`{"jsonrpc":"2.0","id":7,"result":{`, CodeParse, "7", true, false},
		{`{"jsonrpc":"2.0","method":"n","params":{`, CodeParse, none, false, false},
		{"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}", CodeParse, "7", false, false},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"x\"}", CodeParse, none, false, false},
		{`[]`, CodeInvalidRequest, none, false, false},
		{`null`, CodeInvalidRequest, none, false, false},
		{`{}`, CodeInvalidRequest, none, false, false},
		{`{"jsonrpc":"2.0","id":7}`, CodeInvalidRequest, "7", true, false},
		{`{"jsonrpc":"1.0","id":7,"method":"x"}`, CodeInvalidRequest, "7", false, false},
		{`{"id":7,"method":"x"}`, CodeInvalidRequest, "7", false, false},
		{`{"method":"x"}`, CodeInvalidRequest, none, false, true},
		{`{"jsonrpc":"2.0","id":null,"method":"x"}`, CodeInvalidRequest, none, false, false},
		{`{"jsonrpc":"2.0","id":1.5,"method":"x"}`, CodeInvalidRequest, none, false, false},
		{`{"jsonrpc":"2.0","id":1e3,"method":"x"}`, CodeInvalidRequest, none, false, false},
		{`{"jsonrpc":"2.0","id":{},"result":{}}`, CodeInvalidRequest, none, true, true},
		{`{"jsonrpc":"2.0","id":null,"result":{}}`, CodeInvalidRequest, none, true, true},
		{`{"jsonrpc":"2.0","id":7,"method":"x","params":[]}`, CodeInvalidRequest, "7", false, false},
		{`{"jsonrpc":"2.0","method":"x","params":[]}`, CodeInvalidRequest, none, false, true},
		{`{"jsonrpc":"2.0","method":7,"params":{}}`, CodeInvalidRequest, none, false, false},
		{`{"jsonrpc":"2.0","ID":7,"method":"x"}`, CodeInvalidRequest, none, false, false},
		{`{"jsonrpc":"2.0","Method":"x"}`, CodeInvalidRequest, none, false, false},
		{`{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"m"}}`, CodeInvalidRequest, "7", true, true},
		{`{"jsonrpc":"2.0","id":7,"Result":{}}`, CodeInvalidRequest, "7", true, false},
		{`{"jsonrpc":"2.0","id":7,"result":{},"method":"x"}`, CodeInvalidRequest, "7", false, false},
		{`{"jsonrpc":"2.0","result":{}}`, CodeInvalidRequest, none, true, true},
		// The id is read although it stands behind what makes the message ambiguous.
		{`{"method":"a","method":"b","jsonrpc":"2.0","id":7}`, CodeInvalidRequest, "7", false, false},
		{`{"jsonrpc":"2.0","jsonrpc":"2.0","id":7,"result":{}}`, CodeInvalidRequest, "7", true, true},
		{`{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 2000) + `","method":"x"}`, CodeInvalidRequest, none, false, false},
		{manyMembers(maxMembers + 1), CodeInvalidRequest, none, false, false},
	} {
		_, err := Parse([]byte(c.text))
		var bad *MalformedError
		if !errors.As(err, &bad) {
			t.Errorf("%.100s: accepted", c.text)
			continue
		}
		got := []any{bad.Fault.Code, bad.ID, bad.Answer, bad.Unawaited}
		if want := []any{c.code, c.id, c.answer, c.unawaited}; got[0] != want[0] || got[1] != want[1] || got[2] != want[2] || got[3] != want[3] {
			t.Errorf("%.100s: got code, id, answer, unawaited %v, want %v", c.text, got, want)
		}
		if bad.Error() == "" || AsError(err) != bad.Fault {
			t.Errorf("%.100s: error %q", c.text, bad.Error())
		}
	}
}

// accepted are the cases of the corpus that are JSON-RPC messages after all:
// what is wrong with them is inside of what we do not look at, or we are more
// patient than the case assumes.
func accepted(c mcptest.Case) bool {
	switch name := c.Name; {
	case name == "syntax/byte order mark before", name == "syntax/spread over lines", name == "hostile/escaped id alone":
		return true
	case strings.HasPrefix(name, "envelope/error is "), name == "hostile/Code", name == "hostile/Message", name == "hostile/doubled code":
		return true // an error all the same
	case strings.HasPrefix(name, "hostile/doubled "):
		return !strings.Contains(name, "jsonrpc") && !strings.Contains(name, " id,") && !strings.HasSuffix(name, "doubled result") &&
			!strings.HasSuffix(name, "one escaped") && !strings.HasSuffix(name, " error") && !strings.HasSuffix(name, " method") && !strings.HasSuffix(name, " params")
	case c.Kind == mcptest.Stray:
		return !strings.HasSuffix(name, "empty method") && name != "stray/error without id" && !bytes.Contains(c.Raw(nil), []byte("\n"))
	case c.Kind == mcptest.Hostile:
		for _, inner := range []string{"members", "digits", "beyond a double", "method of 1 MB", "name of 1 MB", "escapes", "spaces", "surrogate", "null character", "prototype"} {
			if strings.Contains(name, inner) {
				return true
			}
		}
	}
	return false
}

func TestCorpusHasItsCodes(t *testing.T) {
	cases := mcptest.Malformed()
	if len(cases) < 200 {
		t.Fatalf("the corpus has shrunk to %d cases", len(cases))
	}
	for _, c := range cases {
		text := c.Raw([]byte("7"))
		_, err := Parse(text)
		if err == nil {
			if !accepted(c) {
				t.Errorf("%s: accepted", c.Name)
			}
			continue
		}
		if accepted(c) {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		// The codes by JSON-RPC: is it JSON, in UTF-8, and not too deep?
		want := CodeParse
		if json.Valid(text) && utf8.Valid(text) && !strings.Contains(c.Name, "nested") {
			want = CodeInvalidRequest
		}
		if code := AsError(err).Code; code != want {
			t.Errorf("%s: code %d, want %d (%v)", c.Name, code, want, err)
		}
	}
}

func TestErrorsOfServersKeepTheirBytes(t *testing.T) {
	for raw, want := range map[string]string{
		`{"code":-32000,"message":"m"}`: "",
		`{ "message" : "m\u00e9" , "data" : {"n":9223372036854775807}, "x":1,"code":5}`: "",
		`{"code":-32000,"message":"m","data":null}`:                                     "",
		`null`:                                   `{"code":-32603,"message":"the error itself was malformed: expected an object"}`,
		`"text"`:                                 `{"code":-32603,"message":"the error itself was malformed: expected an object"}`,
		`{"code":1,"code":2,"message":"m"}`:      `{"code":-32603,"message":"the error itself was malformed: member \"code\" occurs twice"}`,
		`{}`:                                     `{"code":-32603,"message":"failed without saying why"}`,
		`{"message":"m","data":[1]}`:             `{"code":-32603,"message":"m","data":[1]}`,
		`{"code":null,"message":"m"}`:            `{"code":-32603,"message":"m"}`,
		`{"code":"5","message":"m"}`:             `{"code":-32603,"message":"m"}`,
		`{"code":1.5,"message":"m"}`:             `{"code":-32603,"message":"m"}`,
		`{"code":1e100,"message":"m"}`:           `{"code":-32603,"message":"m"}`,
		`{"code":5,"message":null}`:              `{"code":5,"message":"failed without saying why"}`,
		`{"code":5,"message":{}}`:                `{"code":5,"message":"failed without saying why"}`,
		`{"Code":5,"message":"m"}`:               `{"code":-32603,"message":"m"}`,
		`{"code":5,"message":"m","data":{"a":1}`: "refused",
	} {
		m, err := Parse([]byte(`{"jsonrpc":"2.0","id":1,"error":` + raw + `}`))
		if want == "refused" {
			if err == nil {
				t.Errorf("%s: accepted", raw)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if want == "" {
			want = raw
		}
		if got := string(m.Fault.JSON()); got != want {
			t.Errorf("%s went on as %s, want %s", raw, got, want)
		}
	}
}

func TestErrorUnderAnotherCode(t *testing.T) {
	m, err := Parse([]byte(`{"jsonrpc":"2.0","id":1,"error":{"x":1, "code" : -32002,"message":"m","data":{"uri":"u"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	other := m.Fault.WithCode(CodeInvalidParams)
	if got := string(other.JSON()); got != `{"x":1, "code" : -32602,"message":"m","data":{"uri":"u"}}` {
		t.Errorf("got %s", got)
	}
	if m.Fault.Code != CodeResourceNotFound || other.Code != CodeInvalidParams {
		t.Errorf("codes %d and %d", m.Fault.Code, other.Code)
	}
	if got := string(Errorf(1, "a %s", `"q"`).WithData([]byte("[1]")).WithCode(2).JSON()); got != `{"code":2,"message":"a \"q\"","data":[1]}` {
		t.Errorf("got %s", got)
	}
	if got := string(m.Fault.WithData([]byte("7")).JSON()); got != `{"code":-32002,"message":"m","data":7}` {
		t.Errorf("got %s", got)
	}
}

func TestAsError(t *testing.T) {
	fault := Errorf(5, "five")
	if AsError(&TransportError{Err: fault}) != fault {
		t.Error("a wrapped error is not found")
	}
	if e := AsError(errors.New("plain")); e.Code != CodeInternal || e.Message != "plain" {
		t.Errorf("got %v", e)
	}
}

func TestWrittenMessagesCanBeRead(t *testing.T) {
	for _, method := range []string{"ping", "tools/call", "odd \"method\"\n\u00e9"} {
		for _, params := range []string{"", `{"a":1}`} {
			var raw []byte
			if params != "" {
				raw = []byte(params)
			}
			m, err := Parse(AppendRequest(nil, `"i"`, method, raw))
			if err != nil || m.Kind != Request || m.ID != `"i"` || m.Method != method || string(m.Params) != params {
				t.Errorf("%q: %+v, %v", method, m, err)
			}
			if m, err = Parse(AppendRequest(nil, "", method, raw)); err != nil || m.Kind != Notification {
				t.Errorf("%q: %+v, %v", method, m, err)
			}
		}
	}
	if m, err := Parse(AppendResult([]byte{}, "7", []byte(`{"a":1}`))); err != nil || m.ID != "7" || string(m.Result) != `{"a":1}` {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := Parse(AppendFault(nil, "", Errorf(5, "five"))); err != nil || m.ID != "null" || m.Fault.Code != 5 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestParseAllocations(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		most float64
	}{
		"response": {smallResponse, 2},
		"call":     {smallCall, 2},
		"progress": {`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}`, 1},
	} {
		line := []byte(c.text)
		if n := testing.AllocsPerRun(200, func() {
			if _, err := Parse(line); err != nil {
				t.Fatal(err)
			}
		}); n > c.most {
			t.Errorf("%s: %v allocations, at most %v", name, n, c.most)
		}
	}
}

// bytesAllocated is how much memory f takes in all, freed or not.
func bytesAllocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{"response": smallResponse, "call": smallCall} {
		b.Run(name, func(b *testing.B) {
			line := []byte(text)
			b.ReportAllocs()
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				if _, err := Parse(line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
