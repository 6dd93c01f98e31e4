package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"toolcrib/internal/config"
	"toolcrib/internal/wire"
)

// families reads metrics with Prometheus' own parser, and its linter.
func families(t *testing.T, text string) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	all, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if !strings.HasPrefix(p.Metric, "go_") {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
	return all
}

// valueOf is the value of a counter or gauge, summed over the lines that have all
// these labels, such as server=alpha.
func valueOf(t *testing.T, text, name string, labels ...string) float64 {
	t.Helper()
	family := families(t, text)[name]
	if family == nil {
		t.Fatalf("no metric %s in\n%s", name, text)
	}
	sum, lines := 0.0, 0
	for _, m := range family.Metric {
		has := map[string]bool{}
		for _, l := range m.Label {
			has[l.GetName()+"="+l.GetValue()] = true
		}
		if !slices.ContainsFunc(labels, func(want string) bool { return !has[want] }) {
			lines++
			sum += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	if lines == 0 {
		t.Fatalf("%s has no line with %q:\n%s", name, labels, text)
	}
	return sum
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	s := serveHTTP(t, config.Config{
		HTTP: openHTTP, Disclosure: config.Disclosure{FirstCall: config.FirstCallOff},
		Servers: []config.Server{server(t, "alpha", "good"), {Name: "gone", Type: config.Stdio, Command: "no-such-program"}},
	}, watched(t))
	a := s.agent(wire.Version202511, nil)
	use(t, a, "search_tools", arguments{"query": "select:alpha.add"}) // waits for the listing
	s.app.watch.tokens.work.Wait()
	list, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	use(t, a, "search_tools", arguments{"query": "zzyzx qwfp"})
	use(t, a, "call_tool", arguments{"tool": "alpha.add", "arguments": arguments{"a": 2, "b": 3}})
	use(t, a, "call_tool", arguments{"tool": "alpha.fail", "arguments": arguments{}})
	use(t, a, "call_tool", arguments{"tool": "alpha.rpcerror", "arguments": arguments{"code": -32602, "message": "no"}})
	use(t, a, "execute", arguments{"script": "return alpha.add({a=1,b=2}):await()"})
	use(t, a, "execute", arguments{"script": "error('no')"})
	if err := s.app.Apply(config.Config{HTTP: openHTTP, Servers: []config.Server{server(t, "alpha", "good"), {Name: "gone", Type: config.Stdio, Command: "no-such-program"}}}); err != nil {
		t.Fatal(err)
	}
	bad := s.app.loading(func() (config.Config, error) { return config.Config{}, errors.New("line 3 is none") })
	if _, err := bad(); err == nil {
		t.Error("a file that cannot be read was")
	}
	status, text, header := s.do("GET", "/metrics", "")
	if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %v", status, header)
	}
	for _, want := range []struct {
		name   string
		labels []string
		value  float64
	}{
		{"toolcrib_tool_calls_total", []string{"server=alpha", "outcome=ok"}, 2},
		{"toolcrib_tool_calls_total", []string{"server=alpha", "outcome=tool_error"}, 1},
		{"toolcrib_tool_calls_total", []string{"server=alpha", "outcome=refused"}, 1},
		{"mcp_client_operation_duration_seconds", []string{"server=alpha", "mcp_method_name=tools/call"}, 4},
		{"mcp_client_operation_duration_seconds", []string{"server=alpha", "mcp_method_name=tools/list"}, 1},
		{"mcp_server_operation_duration_seconds", []string{"mcp_method_name=tools/call", "gen_ai_tool_name=call_tool"}, 3},
		{"mcp_server_operation_duration_seconds", []string{"mcp_method_name=tools/list"}, 1},
		{"toolcrib_searches_total", []string{"verdict=found"}, 1},
		{"toolcrib_searches_total", []string{"verdict=none"}, 1},
		{"toolcrib_scripts_total", []string{"outcome=ok"}, 1},
		{"toolcrib_scripts_total", []string{"outcome=tool_error"}, 1},
		{"toolcrib_discovery_passes_total", []string{"server=alpha", "outcome=ok"}, 1},
		{"toolcrib_discovery_passes_total", []string{"server=gone", "outcome=failed"}, 1},
		{"toolcrib_discovery_duration_seconds", []string{"server=alpha"}, 1},
		{"toolcrib_config_reloads_total", []string{"outcome=ok"}, 1},
		{"toolcrib_config_reloads_total", []string{"outcome=failed"}, 1},
		{"toolcrib_servers", []string{"state=failed"}, 1},
		{"toolcrib_server_up", []string{"server=gone"}, 0},
		{"toolcrib_server_up", []string{"server=alpha"}, 1},
		{"toolcrib_tools", []string{"server=alpha"}, 25},
		{"toolcrib_agents", nil, 1},
		{"toolcrib_build_info", []string{"version=1.2.3"}, 1},
	} {
		if got := valueOf(t, text, want.name, want.labels...); got != want.value {
			t.Errorf("%s %v is %v, not %v", want.name, want.labels, got, want.value)
		}
	}
	if n := valueOf(t, text, "toolcrib_processes"); n < 1 { // one for each era that is spoken
		t.Errorf("%v processes", n)
	}
	if hits, misses := valueOf(t, text, "toolcrib_discovery_hits_total"), valueOf(t, text, "toolcrib_discovery_misses_total"); hits == 0 || misses == 0 {
		t.Errorf("%v hits, %v misses", hits, misses)
	}
	// What the agent was spared: all definitions, less the list that it read.
	raw, _ := json.Marshal(list)
	kept, all := valueOf(t, text, "toolcrib_context_kept_out_total"), s.app.watch.tokens.keptOut()
	if kept <= 0 || kept >= float64(all) || kept < float64(all-len(raw)) {
		t.Errorf("%v tokens kept out, of %d", kept, all)
	}
	if spent := valueOf(t, text, "toolcrib_context_spent_total"); spent <= 0 {
		t.Errorf("%v tokens spent", spent)
	}
	a.Close()
	if _, text, _ = s.do("GET", "/metrics", ""); valueOf(t, text, "toolcrib_agents") != 0 {
		t.Error("an agent that is gone is counted")
	}
}

func TestMetricsWantTheToken(t *testing.T) {
	dir := t.TempDir()
	o := watched(t)
	o.StateDir = dir
	s := serveHTTP(t, config.Config{}, o)
	bearer := s.bearer(dir)
	for _, one := range []struct {
		headers []string
		status  int
	}{
		{nil, http.StatusUnauthorized},
		{[]string{"Authorization", "Bearer x"}, http.StatusUnauthorized},
		{[]string{"Authorization", bearer, "Origin", "https://evil.example"}, http.StatusForbidden},
		{[]string{"Authorization", bearer}, http.StatusOK},
	} {
		if status, body, _ := s.do("GET", "/metrics", "", one.headers...); status != one.status {
			t.Errorf("%v: %d %s", one.headers, status, body)
		}
	}
	if status, body, _ := s.do("POST", "/metrics", "", "Authorization", bearer); status == 200 {
		t.Errorf("POST: %d %s", status, body)
	}
	without := serveHTTP(t, config.Config{HTTP: openHTTP}, Options{})
	if status, _, _ := without.do("GET", "/metrics", ""); status != http.StatusNotFound {
		t.Errorf("without metrics /metrics is %d", status)
	}
}

// bearer is what agents send to a gateway that keeps its token in dir.
func (s *serving) bearer(dir string) string {
	s.t.Helper()
	s.do("GET", "/healthz", "") // it listens, so the token is there
	token, err := os.ReadFile(filepath.Join(dir, "token"))
	if err != nil {
		s.t.Fatal(err)
	}
	return "Bearer " + strings.TrimSpace(string(token))
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serveHTTP(t, config.Config{
		Servers: []config.Server{
			server(t, "alpha", "good"),
			{Name: "gone", Type: config.Stdio, Command: "no-such-program", Env: map[string]string{"TOKEN": "no-such-program"}},
		},
	}, Options{StateDir: dir})
	bearer := s.bearer(dir)
	s.app.known.Need(t.Context())
	ask := func(headers ...string) (int, health) {
		code, body, _ := s.do("GET", "/readyz", "", headers...)
		var h health
		if err := json.Unmarshal([]byte(body), &h); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		return code, h
	}
	code, h := ask()
	if code != 200 || h.Status != "degraded" || h.Servers != 2 || h.Down != 1 || len(h.Problems) != 0 {
		t.Errorf("a stranger is told %d %+v", code, h)
	}
	code, h = ask("Authorization", bearer)
	if code != 200 || len(h.Problems) != 1 || h.Problems[0].Server != "gone" || h.Problems[0].Since == "" || h.Problems[0].Reason == "" {
		t.Errorf("%d %+v", code, h)
	}
	if strings.Contains(fmt.Sprint(h), "no-such-program") {
		t.Errorf("a value of env is told: %+v", h)
	}
	// A configuration that cannot be applied, and the next that can.
	twice := config.Server{Name: "x", Type: config.Stdio, Command: "true"}
	if s.app.Apply(config.Config{Servers: []config.Server{twice, twice}}) == nil {
		t.Fatal("two servers of one name were applied")
	}
	if _, h = ask("Authorization", bearer); len(h.Problems) != 2 || h.Problems[1].Server != "" || !strings.Contains(h.Problems[1].Reason, "two servers") {
		t.Errorf("%+v", h)
	}
	if err := s.app.Apply(config.Config{}); err != nil {
		t.Fatal(err)
	}
	if code, h = ask(); code != 200 || h.Status != "ready" {
		t.Errorf("%d %+v", code, h)
	}
}

// TestMetricsOfManyTools has as many lines with 10,000 tools, called or not, as
// with ten.
func TestMetricsOfManyTools(t *testing.T) {
	t.Parallel()
	lines := map[string]int{}
	for _, tools := range []string{"10", "2000"} {
		s := serveHTTP(t, config.Config{
			HTTP: openHTTP, Disclosure: config.Disclosure{FirstCall: config.FirstCallOff},
			Servers: []config.Server{server(t, "alpha", "pages", "tools="+tools, "size=1000")},
		}, watched(t))
		a := s.agent(wire.VersionModern, nil)
		use(t, a, "search_tools", arguments{"query": "select:alpha.tool_00001"})
		for i := range 60 {
			name := fmt.Sprintf("alpha.tool_%05d", i*33%2000)
			use(t, a, "call_tool", arguments{"tool": name, "arguments": arguments{}})
		}
		_, text, _ := s.do("GET", "/metrics", "")
		for name, family := range families(t, text) {
			if !strings.HasPrefix(name, "toolcrib_") && !strings.HasPrefix(name, "mcp_") {
				continue
			}
			lines[tools] += len(family.Metric)
		}
		if n := valueOf(t, text, "toolcrib_tools"); fmt.Sprint(n) != tools && fmt.Sprintf("%.0f", n) != tools {
			t.Errorf("%v tools", n)
		}
	}
	// Of ten, some that are called are not there: that has a line of its own.
	if lines["10"] == 0 || lines["2000"] > lines["10"]+2 {
		t.Errorf("%v lines", lines)
	}
}
