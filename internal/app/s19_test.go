package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"toolcrib/internal/config"
)

// recorded is a server in front of another that keeps what is called there, as bytes.
type recorded struct {
	mu    sync.Mutex
	calls [][]byte
}

func (r *recorded) before(t *testing.T, entry config.Server) config.Server {
	to, err := url.Parse(entry.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, in *http.Request) {
		b, err := io.ReadAll(in.Body)
		if err != nil {
			return
		}
		if bytes.Contains(b, []byte("tools/call")) {
			r.mu.Lock()
			r.calls = append(r.calls, b)
			r.mu.Unlock()
		}
		in.Body, in.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
		proxy.ServeHTTP(w, in)
	}))
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	entry.URL = h.URL
	return entry
}

func (r *recorded) take() [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := r.calls
	r.calls = nil
	return calls
}

// readings are what several readers of JSON make of a call: one that takes the last of
// doubled names, one that takes the first, and one to which capitals do not matter.
func readings(t *testing.T, body []byte) []string {
	t.Helper()
	show := func(method, name, arguments json.RawMessage) string {
		var text [2]string
		var b bytes.Buffer
		if err := errors.Join(json.Unmarshal(method, &text[0]), json.Unmarshal(name, &text[1]), json.Compact(&b, arguments)); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		return text[0] + " " + text[1] + " " + b.String()
	}
	var last map[string]json.RawMessage
	var params map[string]json.RawMessage
	if err := json.Unmarshal(body, &last); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	if err := json.Unmarshal(last["params"], &params); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	var loose struct {
		Method json.RawMessage
		Params struct{ Name, Arguments json.RawMessage }
	}
	if err := json.Unmarshal(body, &loose); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	outer := first(t, body)
	inner := first(t, outer["params"])
	return []string{
		show(last["method"], params["name"], params["arguments"]), show(loose.Method, loose.Params.Name, loose.Params.Arguments),
		show(outer["method"], inner["name"], inner["arguments"]),
	}
}

// first reads an object by the first of doubled names.
func first(t *testing.T, body []byte) map[string]json.RawMessage {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(body))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	out := map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		if _, has := out[name.(string)]; !has {
			out[name.(string)] = value
		}
	}
	return out
}

// S19: what can be read in two ways, or says in its headers what its body does not, is
// refused before anything is forwarded; what is forwarded says one thing to every reader,
// and that is what the policy decided about.
func TestS19SmugglingCorpus(t *testing.T) {
	t.Parallel()
	turn := newTurncoat(t, "turn")
	turn.offers("list_issues", "List", readOnlyHint)
	turn.offers("wipe", "Delete everything", nil)
	var wire recorded
	c := config.Config{HTTP: openHTTP, Disclosure: asIs, Servers: []config.Server{wire.before(t, turn.entry)}, Policy: config.Policy{Rules: []config.PolicyRule{
		{Terms: config.Terms{Tools: []string{"wipe"}}, Verdict: "deny"},
	}}}
	s := serveHTTP(t, c, Options{})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	_, _, header := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	session := header.Get("Mcp-Session-Id")
	type request struct {
		body   string
		header []string // besides those of an honest request
	}
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{` + params + `}}`
	}
	bad := map[string]request{}
	for name, params := range map[string]string{
		"doubled name": `"name":"list_issues","name":"wipe"`, "doubled name the other way": `"name":"wipe","name":"list_issues"`,
		"doubled by an escape": `"name":"list_issues","n\u0061me":"wipe"`, "doubled arguments": `"name":"list_issues","arguments":{},"arguments":{"x":1}`,
		"another case": `"Name":"list_issues"`, "both cases": `"name":"list_issues","Name":"wipe"`, "both cases the other way": `"NAME":"wipe","name":"list_issues"`,
		"case of arguments": `"name":"list_issues","Arguments":{}`, "a long s": `"name":"list_issues","argument\u017f":{}`,
		"case of meta": `"name":"list_issues","_Meta":{}`, "doubled meta": `"name":"list_issues","_meta":{},"_meta":{}`,
		"no name": `"arguments":{}`, "name is a list": `"name":["wipe"]`, "name is an object": `"name":{"a":"wipe"}`, "name is null": `"name":null`, "name is a number": `"name":7`,
		"a broken escape": `"name":"list_issues\u00zz"`, "bad UTF-8": "\"name\":\"list_issues\",\"x\":\"\xff\xfe\"", "a raw control": "\"name\":\"list_issues\",\"x\":\"\x01\"",
		"a trailing comma": `"name":"list_issues",`, "a comment": `"name":"list_issues"/*,"name":"wipe"*/`, "single quotes": `'name':'wipe'`, "no quotes": `name:"wipe"`,
		"NaN": `"name":"list_issues","arguments":{"n":NaN}`, "a leading zero": `"name":"list_issues","arguments":{"n":01}`, "plus": `"name":"list_issues","arguments":{"n":+1}`, "hexadecimal": `"name":"list_issues","arguments":{"n":0x10}`,
		"deep": `"name":"list_issues","arguments":{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`,
	} {
		bad[name] = request{body: call(params)}
	}
	good := call(`"name":"list_issues","arguments":{}`)
	for name, body := range map[string]string{
		"doubled method": strings.Replace(good, `"method"`, `"method":"ping","method"`, 1), "doubled params": strings.Replace(good, `"params"`, `"params":{"name":"wipe"},"params"`, 1),
		"doubled id": strings.Replace(good, `"id":7`, `"id":7,"id":8`, 1), "case of method": strings.Replace(good, `"method"`, `"Method"`, 1), "case of params": strings.Replace(good, `"params"`, `"Params":{"name":"wipe"},"params"`, 1),
		"case of the version": strings.Replace(good, `"jsonrpc"`, `"JsonRpc"`, 1), "another version": strings.Replace(good, `"2.0"`, `"1.0"`, 1),
		"two bodies": good + good, "rubbish after it": good + "x", "rubbish before it": "x" + good, "UTF-16": "\xff\xfe" + good,
		"cut": good[:len(good)-2], "NUL": good[:20] + "\x00" + good[20:], "nothing": "", "null": "null", "text": `"tools/call"`,
	} {
		bad[name] = request{body: body}
	}
	for name, h := range map[string][]string{
		"another name in the header": {"Mcp-Name", "wipe"}, "another method in the header": {"Mcp-Method", "tools/list"}, "another version in the header": {"MCP-Protocol-Version", "2025-11-25"},
		"another case in the header": {"Mcp-Name", "LIST_ISSUES"}, "two names in the header": {"Mcp-Name", "list_issues, wipe"}, "no name in the header": {"Mcp-Name", ""},
	} {
		bad[name] = request{body: call(`"name":"list_issues","arguments":{},` + meta), header: h}
	}
	post := func(r request, modern bool) (int, string) {
		t.Helper()
		h := []string{"MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", session}
		body := r.body
		if modern {
			h = append([]string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "list_issues"}, r.header...)
			if r.header == nil {
				body = strings.Replace(body, `"params":{`, `"params":{`+meta+`,`, 1)
			}
		}
		status, answer, _ := s.do("POST", Endpoint, body, h...)
		return status, answer
	}
	if len(bad) < 50 {
		t.Fatalf("%d ways", len(bad))
	}
	for name, r := range bad {
		for _, modern := range []bool{true, false} {
			if r.header != nil && !modern {
				continue
			}
			status, answer := post(r, modern)
			if calls := wire.take(); len(calls) > 0 {
				t.Errorf("%s (modern: %v) was forwarded: %s", name, modern, calls)
			}
			if !strings.Contains(answer, "error") && status < 400 {
				t.Errorf("%s (modern: %v): %d %s", name, modern, status, answer)
			}
		}
	}
	// What can be read in one way alone passes, and says the same to everybody.
	for name, params := range map[string]string{
		"plain": `"name":"list_issues","arguments":{}`, "by escapes": `"name":"list\u005fissues","arguments":{}`, "space": " \"name\" :\t\"list_issues\" ,\r\n \"arguments\" : { } ",
		"names of its own":      `"name":"list_issues","arguments":{"name":"wipe","Name":"WIPE","params":{"name":"wipe"}}`,
		"names that are wipe":   `"name":"list_issues","arguments":{"\",\"name\":\"wipe":1}`,
		"forbidden":             `"name":"wipe","arguments":{}`,
		"forbidden by escapes":  `"name":"\u0077ipe","arguments":{}`,
		"forbidden in capitals": `"name":"WIPE","arguments":{}`,
	} {
		for _, modern := range []bool{true, false} {
			r := request{body: call(params)}
			if strings.HasPrefix(name, "forbidden") && modern {
				r = request{body: call(params + "," + meta), header: []string{"Mcp-Name", map[bool]string{true: "WIPE", false: "wipe"}[strings.Contains(name, "capitals")]}}
			}
			_, answer := post(r, modern)
			calls := wire.take()
			if strings.HasPrefix(name, "forbidden") != (len(calls) == 0) {
				t.Errorf("%s (modern: %v): forwarded %s; %s", name, modern, calls, answer)
			}
			for _, body := range calls {
				all := readings(t, body)
				if all[0] != all[1] || all[0] != all[2] || !strings.HasPrefix(all[0], "tools/call list_issues {") {
					t.Errorf("%s (modern: %v): readers disagree: %s", name, modern, fmt.Sprint(all))
				}
			}
		}
	}
	if n := turn.calls.Load(); n != 10 {
		t.Errorf("%d calls were made", n)
	}
}
