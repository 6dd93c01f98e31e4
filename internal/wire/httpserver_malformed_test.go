package wire

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestEveryBadRequestHasItsAnswer(t *testing.T) {
	e := serveHTTP(t, &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		if in.Method != MethodToolsList && in.Method != MethodToolsCall && in.Method != MethodDiscover {
			return nil, Errorf(CodeMethodNotFound, "no method %s", in.Method)
		}
		return []byte(`{}`), nil
	}}, HTTPOptions{
		MaxBody: 64 << 10,
		ParamHeaders: func(_ context.Context, tool string) []ParamHeader {
			if tool == "region" {
				return []ParamHeader{{Path: []string{"where"}, Header: "Where"}}
			}
			return nil
		},
	})
	session := e.initialize(Version202511)
	noMeta := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	modern := modernCall("tools/list", "", "").headers
	deep := strings.Repeat("[", 1001) + strings.Repeat("]", 1001)
	change := func(c call, kv ...string) call {
		c.headers = with(c.headers, kv...)
		return c
	}
	list, tool := modernCall("tools/list", "", ""), modernCall("tools/call", "add", `,"name":"add"`)
	for _, tt := range []struct {
		name   string
		call   call
		status int
		code   int
	}{
		// The outside of a request.
		{"no content type", call{body: noMeta, headers: map[string]string{"Content-Type": ""}}, 415, CodeInvalidRequest},
		{"text", call{body: noMeta, headers: map[string]string{"Content-Type": "text/plain"}}, 415, CodeInvalidRequest},
		{"form", call{body: noMeta, headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, 415, CodeInvalidRequest},
		{"charset", change(list, "Content-Type", "Application/JSON; charset=utf-8"), 200, 0},
		{"accepts neither", change(list, "Accept", "text/html"), 406, CodeInvalidRequest},
		{"accepts by weight 0", change(list, "Accept", "application/json;q=0, text/event-stream;q=0.0"), 406, CodeInvalidRequest},
		{"accepts anything", change(list, "Accept", "*/*"), 200, 0},
		{"too long", call{body: strings.Repeat(" ", 65<<10)}, 413, CodeInvalidRequest},
		{"OPTIONS", call{verb: "OPTIONS"}, 405, CodeInvalidRequest},
		{"PUT", call{verb: "PUT"}, 405, CodeInvalidRequest},
		{"PATCH", call{verb: "PATCH", headers: session}, 405, CodeInvalidRequest},

		// What is no message.
		{"empty", call{body: ""}, 400, CodeParse},
		{"no JSON", call{body: "hello"}, 400, CodeParse},
		{"half", call{body: `{"jsonrpc":"2.0"`}, 400, CodeParse},
		{"two", call{body: noMeta + noMeta}, 400, CodeParse},
		{"number", call{body: "7"}, 400, CodeInvalidRequest},
		{"string", call{body: `"x"`}, 400, CodeInvalidRequest},
		{"null", call{body: "null"}, 400, CodeInvalidRequest},
		{"NaN", call{body: `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":NaN}}`}, 400, CodeParse},
		{"not UTF-8", call{body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"}, 400, CodeParse},
		{"too deep", call{body: `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":` + deep + `}}`}, 400, CodeParse},
		{"no version", call{body: `{"id":1,"method":"tools/list"}`}, 400, CodeInvalidRequest},
		{"version 1.0", call{body: `{"jsonrpc":"1.0","id":1,"method":"tools/list"}`}, 400, CodeInvalidRequest},
		{"method twice", call{body: `{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`}, 400, CodeInvalidRequest},
		{"Method", call{body: `{"jsonrpc":"2.0","id":1,"Method":"a"}`}, 400, CodeInvalidRequest},
		{"method no string", call{body: `{"jsonrpc":"2.0","id":1,"method":7}`}, 400, CodeInvalidRequest},
		{"id null", call{body: `{"jsonrpc":"2.0","id":null,"method":"a"}`}, 400, CodeInvalidRequest},
		{"id fraction", call{body: `{"jsonrpc":"2.0","id":1.5,"method":"a"}`}, 400, CodeInvalidRequest},
		{"id object", call{body: `{"jsonrpc":"2.0","id":{},"method":"a"}`}, 400, CodeInvalidRequest},
		{"result and error", call{body: `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`}, 400, CodeInvalidRequest},
		{"params array", call{body: `{"jsonrpc":"2.0","id":1,"method":"a","params":[]}`}, 400, CodeInvalidRequest},
		{"meta no object", change(call{body: `{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":7}}`}), 400, CodeInvalidParams},
		{"meta twice", call{body: `{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{},"_meta":{}}}`}, 400, CodeInvalidParams},
		{"name in another case", modernCall("tools/call", "add", `,"Name":"add"`), 400, CodeInvalidParams},
		{"batch without session", call{body: "[" + noMeta + "]"}, 400, CodeInvalidRequest},
		{"batch in a version without", call{body: "[" + noMeta + "]", headers: session}, 400, CodeInvalidRequest},
		{"half a batch", call{body: "[" + noMeta, headers: session}, 400, CodeParse},

		// Versions.
		{"version unknown in both", change(call{body: strings.ReplaceAll(list.body, VersionModern, "v999.0.0"), headers: list.headers}, "Mcp-Protocol-Version", "v999.0.0"), 400, CodeUnsupportedVersion},
		{"version unknown in the header", call{body: noMeta, headers: map[string]string{"Mcp-Protocol-Version": "2031-01-01"}}, 400, CodeUnsupportedVersion},
		{"version unknown in a session", call{body: noMeta, headers: with(session, "Mcp-Protocol-Version", "1999-01-01")}, 400, CodeUnsupportedVersion},
		{"version differs", change(list, "Mcp-Protocol-Version", "v999.0.0"), 400, CodeHeaderMismatch},
		{"version differs in era", change(list, "Mcp-Protocol-Version", Version202511), 400, CodeHeaderMismatch},
		{"version header missing", change(list, "Mcp-Protocol-Version", ""), 400, CodeHeaderMismatch},
		{"meta missing", call{body: noMeta, headers: modern}, 400, CodeInvalidParams},
		{"capabilities missing", call{body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, headers: modern}, 400, CodeInvalidParams},
		{"version missing", call{body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}`, headers: modern}, 400, CodeInvalidParams},

		// Headers that repeat the body.
		{"method header missing", change(list, "Mcp-Method", ""), 400, CodeHeaderMismatch},
		{"method header differs", change(list, "Mcp-Method", "prompts/list"), 400, CodeHeaderMismatch},
		{"method header in upper case", change(list, "Mcp-Method", "TOOLS/LIST"), 400, CodeHeaderMismatch},
		{"name header missing", change(tool, "Mcp-Name", ""), 400, CodeHeaderMismatch},
		{"name header differs", change(tool, "Mcp-Name", "other"), 400, CodeHeaderMismatch},
		{"name header with space around", change(tool, "Mcp-Name", "  add  "), 200, 0},
		{"name header encoded", change(tool, "Mcp-Name", "=?base64?YWRk?="), 200, 0},
		{"name header badly encoded", change(tool, "Mcp-Name", "=?base64?YW!!?="), 400, CodeHeaderMismatch},
		{"name header without name", change(modernCall("tools/call", "add", "")), 400, CodeHeaderMismatch},
		{"uri header differs", modernCall("resources/read", "a:b", `,"uri":"a:c"`), 400, CodeHeaderMismatch},
		{"param header missing", modernCall("tools/call", "region", `,"name":"region","arguments":{"where":"eu"}`), 400, CodeHeaderMismatch},
		{"param header equal", change(modernCall("tools/call", "region", `,"name":"region","arguments":{"where":"eu"}`), "Mcp-Param-Where", "eu"), 200, 0},

		// What the modern era has no more.
		{"modern initialize", modernCall("initialize", "", ""), 404, CodeMethodNotFound},
		{"modern ping", modernCall("ping", "", ""), 404, CodeMethodNotFound},
		{"modern subscribe", modernCall("resources/subscribe", "", ""), 404, CodeMethodNotFound},
		{"modern unknown", modernCall("unknown/method", "", ""), 404, CodeMethodNotFound},
		{"modern response", call{body: `{"jsonrpc":"2.0","id":1,"result":{}}`, headers: modern}, 400, CodeInvalidRequest},
		{"modern GET", call{verb: "GET", headers: modern}, 405, CodeInvalidRequest},
		{"modern DELETE", call{verb: "DELETE", headers: modern}, 405, CodeInvalidRequest},
		{"modern with a session id", change(list, "Mcp-Session-Id", "whatever", "Last-Event-Id", "7"), 200, 0},
		{"modern notification", call{body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, headers: with(modern, "Mcp-Method", "notifications/initialized")}, 202, 0},

		// Sessions.
		{"no session", call{body: noMeta}, 400, CodeInvalidRequest},
		{"no session, ping", call{body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`}, 400, CodeInvalidRequest},
		{"unknown session", call{body: noMeta, headers: with(session, "Mcp-Session-Id", "nobody")}, 404, 0},
		{"legacy unknown method", call{body: `{"jsonrpc":"2.0","id":1,"method":"x"}`, headers: session}, 200, CodeMethodNotFound},
		{"legacy without version header", call{body: noMeta, headers: with(session, "Mcp-Protocol-Version", "")}, 200, 0},
		{"legacy ping", call{body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: session}, 200, 0},
		{"legacy stray answer", call{body: `{"jsonrpc":"2.0","id":77,"result":{}}`, headers: session}, 202, 0},
		{"legacy malformed answer", call{body: `{"jsonrpc":"2.0","id":77,"Result":{}}`, headers: session}, 400, CodeInvalidRequest},
		{"initialize without params", call{body: `{"jsonrpc":"2.0","id":1,"method":"initialize"}`}, 400, CodeInvalidParams},
		{"initialize without version", call{body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`}, 400, CodeInvalidParams},
		{"GET that takes no stream", call{verb: "GET", headers: with(session, "Accept", "text/html")}, 406, CodeInvalidRequest},
		{"GET without session", call{verb: "GET"}, 400, CodeInvalidRequest},
		{"GET of unknown session", call{verb: "GET", headers: with(session, "Mcp-Session-Id", "nobody")}, 404, 0},
		{"GET after no event", call{verb: "GET", headers: with(session, "Last-Event-Id", "x")}, 400, CodeInvalidParams},
		{"GET after unsent event", call{verb: "GET", headers: with(session, "Last-Event-Id", "0-99")}, 400, CodeInvalidParams},
		{"GET of unknown stream", call{verb: "GET", headers: with(session, "Last-Event-Id", "9-0")}, 400, CodeInvalidParams},
		{"DELETE without session", call{verb: "DELETE"}, 400, CodeInvalidRequest},
		{"DELETE of unknown session", call{verb: "DELETE", headers: with(session, "Mcp-Session-Id", "nobody")}, 404, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, body := e.do(tt.call)
			if resp.StatusCode != tt.status || errorCode(body) != tt.code {
				t.Errorf("got %d %d, want %d %d: %s", resp.StatusCode, errorCode(body), tt.status, tt.code, body)
			}
			if strings.Contains(tt.call.body, `"id":1,`) && tt.code != 0 && strings.HasPrefix(body, "{") &&
				!strings.Contains(body, `"id":1,`) && tt.status != 415 && tt.status != 406 && !strings.Contains(body, "not a JSON-RPC") && !strings.HasPrefix(tt.call.body, "[") {
				t.Errorf("the answer does not carry the request's id: %s", body)
			}
		})
	}
	if resp, body := e.do(call{body: noMeta, headers: session}); resp.StatusCode != 200 {
		t.Errorf("after all that the session does not work: %d %s", resp.StatusCode, body)
	}
}

func TestUnsupportedVersionSaysWhatIs(t *testing.T) {
	e := serveHTTP(t, &scripted{}, HTTPOptions{})
	_, body := e.do(call{body: `{"jsonrpc":"2.0","id":3,"method":"a"}`, headers: map[string]string{"Mcp-Protocol-Version": "2031-01-01"}})
	for _, part := range []string{`"supported":["2026-07-28",`, `"requested":"2031-01-01"`, `"id":3`} {
		if !strings.Contains(body, part) {
			t.Errorf("%s lacks %s", body, part)
		}
	}
}

func TestAuthentication(t *testing.T) {
	e := serveHTTP(t, &scripted{}, HTTPOptions{Authenticate: func(r *http.Request) (Principal, error) {
		if who, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
			return Principal{Subject: who}, nil
		}
		return Principal{}, errors.New("no token")
	}})
	resp, _ := e.do(modernCall("tools/list", "", ""))
	if resp.StatusCode != 401 || resp.Header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("without a token: %d %v", resp.StatusCode, resp.Header)
	}
	c := modernCall("tools/list", "", "")
	c.headers["Authorization"] = "Bearer ann"
	if resp, _ := e.do(c); resp.StatusCode != 200 {
		t.Errorf("with a token: %d", resp.StatusCode)
	}
	resp, _ = e.do(call{
		body:    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`,
		headers: map[string]string{"Authorization": "Bearer ann"},
	})
	ping := call{body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: map[string]string{"Mcp-Session-Id": resp.Header.Get(headerSession)}}
	for who, want := range map[string]int{"ann": 200, "bob": 404} {
		ping.headers["Authorization"] = "Bearer " + who
		if resp, _ := e.do(ping); resp.StatusCode != want {
			t.Errorf("%s uses ann's session: %d, want %d", who, resp.StatusCode, want)
		}
	}
}
