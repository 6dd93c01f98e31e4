package gateway_test

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// TestFidelity sends requests whose answers are hard to pass on unchanged
// through every combination of eras and transports. The answers' bytes are
// compared, not their meaning.
func TestFidelity(t *testing.T) {
	servers := map[string]func(t *testing.T, eras string) upstream.Spec{
		"stdio": func(t *testing.T, eras string) upstream.Spec {
			if eras == "both" {
				return child(t, "odd", "odd")
			}
			return child(t, "odd", "odd", "eras="+eras)
		},
		"http-json": func(t *testing.T, eras string) upstream.Spec { return oddHTTP(t, eras, mcptest.AsJSON) },
		"http-sse":  func(t *testing.T, eras string) upstream.Spec { return oddHTTP(t, eras, mcptest.AsSSE) },
	}
	for transport, spec := range servers {
		for _, eras := range []string{"both", "legacy", "modern"} {
			for _, modern := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s/server=%s/modern=%v", transport, eras, modern), func(t *testing.T) {
					t.Parallel()
					r := newRig(t, spec(t, eras))
					fromModern := eras == "modern" || (eras == "both" && modern)
					compareAll(t, r.agent(t, modern).request, modern, fromModern)
				})
			}
		}
	}
}

func oddHTTP(t *testing.T, eras string, as mcptest.Answers) upstream.Spec {
	which := map[string]mcptest.Eras{"legacy": mcptest.LegacyOnly, "modern": mcptest.ModernOnly}[eras]
	h := mcptest.HTTP(t, &mcptest.HTTPOptions{Service: "odd", Eras: which, Answers: as})
	return upstream.Spec{Name: "odd", URL: h.URL}
}

// compareAll checks every odd answer. A modern agent gets what a legacy server
// sent with the members that its protocol demands added at the end.
func compareAll(t *testing.T, request func(method, params string) string, modern, fromModern bool) {
	t.Helper()
	for _, odd := range mcptest.OddAnswers() {
		sent := string(odd.Legacy)
		if fromModern {
			sent = string(odd.Modern)
		}
		member := "result"
		if odd.Error {
			member = "error"
		}
		got := request(odd.Method, string(odd.Params))
		prefix := `{"jsonrpc":"2.0","id":7,"` + member + `":`
		if modern && !fromModern && !odd.Error {
			open := strings.TrimSuffix(prefix+sent, "}")
			if !strings.HasPrefix(got, open) || !strings.Contains(got[len(open):], `"resultType":"complete"`) || strings.Contains(got[len(open):], "odd") {
				t.Errorf("%s %s\n got %s\nsent %s", odd.Method, odd.Name, got, sent)
			}
			continue
		}
		if want := prefix + sent + "}"; got != want {
			t.Errorf("%s %s\n got %s\nwant %s", odd.Method, odd.Name, got, want)
		}
	}
}

// TestFidelityStdioAgent is the same with the agent on stdio.
func TestFidelityStdioAgent(t *testing.T) {
	for _, eras := range []string{"legacy", "modern"} {
		for _, modern := range []bool{true, false} {
			t.Run(fmt.Sprintf("server=%s/modern=%v", eras, modern), func(t *testing.T) {
				t.Parallel()
				r := newRig(t, child(t, "odd", "odd", "eras="+eras))
				inR, inW := io.Pipe()
				outR, outW := io.Pipe()
				done := make(chan error, 1)
				go func() { done <- wire.ServeStdio(t.Context(), inR, outW, r.Gateway, wire.StdioOptions{}) }()
				lines := bufio.NewReader(outR)
				send := func(line string) string {
					io.WriteString(inW, line+"\n")
					answer, err := lines.ReadString('\n')
					if err != nil {
						t.Fatal(err)
					}
					return strings.TrimSuffix(answer, "\n")
				}
				if !modern {
					send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
				}
				compareAll(t, func(method, params string) string {
					if modern {
						params = strings.Replace(strings.TrimSuffix(params, "}")+","+modernMeta+"}", "{,", "{", 1)
					}
					return send(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params))
				}, modern, eras == "modern")
				inW.Close()
				if err := <-done; err != nil {
					t.Error(err)
				}
				outW.Close()
			})
		}
	}
}

// TestFidelitySeveral has two servers behind one gateway: only the names differ.
func TestFidelitySeveral(t *testing.T) {
	t.Parallel()
	r := newRig(t, child(t, "odd", "odd"), child(t, "other", "good"))
	a := r.agent(t, true)
	list := a.request("tools/list", "{}")
	for name, definition := range mcptest.OddToolDefinitions() {
		want := strings.Replace(string(definition), `"`+name+`"`, `"odd__`+name+`"`, 1)
		if !strings.Contains(list, want) {
			t.Errorf("the list lacks %s", want)
		}
	}
	for _, odd := range mcptest.OddAnswers() {
		if odd.Method != wire.MethodToolsCall || strings.Contains(string(odd.Modern), `"uri"`) {
			continue
		}
		params := strings.Replace(string(odd.Params), `"name":"`, `"name":"odd__`, 1)
		if got := a.request(odd.Method, params); !strings.Contains(got, string(odd.Modern)) {
			t.Errorf("%s\n got %s\nwant %s", odd.Name, got, odd.Modern)
		}
	}
}
