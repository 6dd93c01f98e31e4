package app

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"toolcrib/internal/config"
	"toolcrib/internal/wire"
)

// What is called together is remembered across starts, unless that is not wanted.
func TestUsedTogether(t *testing.T) {
	t.Parallel()
	for _, learn := range []bool{true, false} {
		state := t.TempDir()
		c := config.Config{
			HTTP: openHTTP, Search: config.Search{NoLearning: !learn}, Disclosure: config.Disclosure{FirstCall: config.FirstCallOff},
			Servers: []config.Server{server(t, "one", "good")},
		}
		related := func(s *serving) string {
			texts, _ := use(t, s.agent(wire.Version202511, nil), "get_related_tools", arguments{"tool": "one.add"})
			return texts[0]
		}
		s := serveHTTP(t, c, Options{StateDir: state})
		a := s.agent(wire.Version202511, nil)
		for range 2 {
			use(t, a, "call_tool", arguments{"tool": "one.add", "arguments": arguments{"a": 1, "b": 2}})
			use(t, a, "call_tool", arguments{"tool": "one.pid", "arguments": arguments{}})
		}
		if got := strings.Contains(related(s), `"relationship":"used together"`); got != learn {
			t.Errorf("learning is %t: %s", learn, related(s))
		}
		if err := s.app.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		again := serveHTTP(t, c, Options{StateDir: state})
		if got := strings.Contains(related(again), `"relationship":"used together"`); got != learn {
			t.Errorf("learning is %t, after a start: %s", learn, related(again))
		}
	}
}

// A stand-in for an embedding service is asked for tools and for queries, and a
// search does without it when it fails.
func TestOwnEmbedder(t *testing.T) {
	t.Parallel()
	var asked, broken atomic.Int32
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" || r.URL.Path != "/v1/embeddings" {
			t.Errorf("%s %s", r.URL, r.Header.Get("Authorization"))
		}
		if broken.Load() > 0 {
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		}
		var body struct {
			Model string
			Input []string
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Model != "small" {
			t.Errorf("%v %s", err, body.Model)
		}
		asked.Add(int32(len(body.Input)))
		type vector struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var data []vector
		for i := range body.Input {
			data = append(data, vector{i, []float32{1, float32(i % 3), 2}})
		}
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	defer service.Close()
	s := serveHTTP(t, config.Config{
		HTTP: openHTTP, Servers: []config.Server{server(t, "one", "good")},
		Search: config.Search{Embedder: config.Embedder{URL: service.URL + "/v1", Model: "small", KeyEnv: "KEY"}},
	}, Options{StateDir: t.TempDir(), Getenv: func(name string) string { return map[string]string{"KEY": "secret"}[name] }})
	a := s.agent(wire.Version202511, nil)
	find := func(query string) {
		t.Helper()
		if texts, failed := use(t, a, "search_tools", arguments{"query": query}); failed || !strings.Contains(texts[0], "one.echo") {
			t.Errorf("%s: %v", query, texts)
		}
	}
	find("echo a text")
	if asked.Load() < 1 {
		t.Error("it was not asked for the query")
	}
	broken.Store(1)
	find("echo another text")
}
