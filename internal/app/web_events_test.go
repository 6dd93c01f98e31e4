package app

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/config"
	"toolcrib/internal/guard"
	"toolcrib/internal/web"
	"toolcrib/internal/wire"
)

// A stream is events as a browser gets them.
type stream struct {
	t    *testing.T
	body *bufio.Reader
	end  func() error
	last string // id
}

func (s *serving) follow(after string) *stream {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), "GET", s.url+web.Root+"/events", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	if resp.StatusCode != 200 {
		s.t.Fatalf("status %d", resp.StatusCode)
	}
	s.t.Cleanup(func() { resp.Body.Close() })
	return &stream{t: s.t, body: bufio.NewReader(resp.Body), end: resp.Body.Close}
}

// next reads until an event of a kind, into to. Others are passed over.
func (e *stream) next(kind string, to any) {
	e.t.Helper()
	is := ""
	for {
		line, err := e.body.ReadString('\n')
		if err != nil {
			e.t.Fatalf("waiting for %s: %v", kind, err)
		}
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "id":
			e.last = value
		case "event":
			is = value
		case "data":
			if is != kind {
				continue
			}
			if err := json.Unmarshal([]byte(value), to); err != nil {
				e.t.Fatal(err)
			}
			return
		}
	}
}

// call reads until the call of a tool, and returns how it ended.
func (e *stream) call(id string) string {
	e.t.Helper()
	for {
		var a web.Activity
		if e.next(web.EventActivity, &a); a.ToolID == id {
			return a.Outcome
		}
	}
}

// What happens is told as it does, and taken up where it was left.
func TestAPIEvents(t *testing.T) {
	t.Parallel()
	var log said
	s, turn := overlookedWith(t, config.PageActions, log.log())
	e := s.follow("")
	issue := `{"tool":"turn.create_issue","arguments":{"title":"x"}}`
	s.call("call_tool", issue)
	if how := e.call("turn.create_issue"); how != web.OutcomeOK {
		t.Errorf("%s", how)
	}
	e.end()
	s.call("call_tool", `{"tool":"turn.list_issues","arguments":{}}`)
	s.call("search_tools", `{"query":"issues"}`)
	e = s.follow(e.last)
	var a web.Activity
	if e.next(web.EventActivity, &a); a.ToolID != "turn.list_issues" {
		t.Errorf("taken up with %+v", a)
	}
	if e.next(web.EventActivity, &a); a.Kind != web.KindSearch || a.Query != "issues" {
		t.Errorf("then %+v", a)
	}

	turn.offers("one_more", "One more", nil)
	s.app.known.Refresh(t.Context(), "turn")
	var change web.CatalogChange
	if e.next(web.EventCatalog, &change); change.Tools != 4 {
		t.Errorf("%+v", change)
	}
	c := *s.app.applied.Load()
	c.Servers = c.Servers[:1]
	if err := s.app.Apply(c); err != nil {
		t.Fatal(err)
	}
	var used web.ConfigChange
	if e.next(web.EventConfig, &used); !used.Used || len(used.Problems) != 1 {
		t.Errorf("%+v", used)
	}
	s.app.note(&config.Error{Problems: []config.Problem{{File: "toolcrib.yaml", At: config.Position{Line: 7, Column: 2}, Text: "no such key"}}})
	if e.next(web.EventConfig, &used); used.Used || len(used.Problems) != 2 || used.Problems[1].Line != 7 || !used.Problems[1].Fatal {
		t.Errorf("%+v", used)
	}
	var h web.Overview
	s.get("/overview", &h)
	if h.Health.Status != "degraded" || !strings.Contains(h.Health.Problems[0].Text, "toolcrib.yaml:7:2: no such key") {
		t.Errorf("%+v", h.Health)
	}

	// The end is not held up by those who follow.
	s.stop()
	if err := <-s.end; err != nil {
		t.Errorf("%v", err)
	}
	if text := log.String(); !strings.Contains(text, "page=http://127.0.0.1:") || strings.Contains(text, "still running") {
		t.Errorf("%s", text)
	}
	if _, err := e.body.ReadString(0); err == nil {
		t.Error("the stream goes on")
	}
}

// Whoever reads too slowly is told how much they missed.
func TestAPIEventsMissed(t *testing.T) {
	s, _ := overlooked(t, config.PageRead)
	l := &looking{App: s.app, serving: t.Context(), counts: map[*guard.Eye]counted{}}
	feed := l.Events(web.Caller{}, 0)
	defer feed.Close()
	const many = 3000
	for range many {
		s.app.watch.Refused(t.Context(), &call.Request{Server: "turn", Method: wire.MethodToolsCall, Name: "x"}, errors.New("no"))
	}
	e, ok := feed.Next(t.Context())
	missed, is := e.Data.(web.Missed)
	if !ok || !is || missed.Count == 0 {
		t.Fatalf("%+v", e)
	}
	got := uint64(0)
	for got+missed.Count < many {
		if e, ok = feed.Next(t.Context()); !ok {
			t.Fatal("it ends")
		}
		if e.Kind == web.EventActivity {
			got++
		}
	}
	if got == 0 || got > uint64(s.app.watch.Ring().Size()) {
		t.Errorf("%d came", got)
	}
}
