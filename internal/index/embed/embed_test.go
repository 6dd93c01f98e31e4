package embed

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// model answers with vectors made of letters, and counts requests.
func model(t *testing.T, asked *atomic.Int32, wrong func(http.ResponseWriter) bool) *Options {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if wrong != nil && wrong(w) {
			return
		}
		var q struct {
			Model string
			Input []string
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Model != "m" || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("asked wrongly: %v %+v %s", err, q, r.URL)
		}
		type one struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var data []one
		for i, text := range q.Input {
			data = append(data, one{i, []float32{float32(len(text)), 1, 2}})
		}
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(s.Close)
	return &Options{URL: s.URL + "/v1", Model: "m", Key: "secret", Client: s.Client(), Batch: 2, Timeout: 10 * time.Second}
}

func TestLearning(t *testing.T) {
	var asked atomic.Int32
	o := model(t, &asked, nil)
	o.File = filepath.Join(t.TempDir(), "vectors")
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	texts := []Text{{"a", "one"}, {"b", "three"}, {"c", "seventeen"}}
	if n, err := e.Learn(t.Context(), texts); n != 3 || err != nil || asked.Load() != 2 {
		t.Fatalf("learned %d in %d requests: %v", n, asked.Load(), err)
	}
	if v := e.Tool("b"); len(v) != 3 || math.Abs(float64(v[0]*v[0]+v[1]*v[1]+v[2]*v[2])-1) > 1e-5 {
		t.Errorf("vector %v", v)
	}
	again, err := New(o)
	if err != nil || again.Tool("c") == nil {
		t.Fatalf("nothing was kept: %v", err)
	}
	if n, err := again.Learn(t.Context(), texts); n != 0 || err != nil || asked.Load() != 2 {
		t.Errorf("%d were learned again: %v", n, err)
	}
	other := *o
	other.Model = "another"
	if e, err := New(&other); err != nil || e.Tool("a") != nil {
		t.Error("vectors of another model are used")
	}
	if err := os.WriteFile(o.File, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if e, err := New(o); err != nil || e.Tool("a") != nil {
		t.Errorf("a broken file: %v", err)
	}
}

func TestQuery(t *testing.T) {
	var asked atomic.Int32
	e, err := New(model(t, &asked, nil))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if e.Query(t.Context(), "find it") == nil || asked.Load() != 1 {
			t.Errorf("asked %d times", asked.Load())
		}
	}
	if e.Query(t.Context(), "  ") != nil || asked.Load() != 1 {
		t.Error("nothing was asked for")
	}
	for i := range maxQueries + 10 {
		e.Query(t.Context(), strings.Repeat("x", i+1))
	}
	if len(e.queries) > maxQueries {
		t.Errorf("%d queries are kept", len(e.queries))
	}
}

// An embedder that fails is left alone for a while; the search goes on without it.
func TestFailure(t *testing.T) {
	for name, wrong := range map[string]func(http.ResponseWriter) bool{
		"status":  func(w http.ResponseWriter) bool { w.WriteHeader(http.StatusTooManyRequests); return true },
		"no json": func(w http.ResponseWriter) bool { w.Write([]byte("hello")); return true },
		"too few": func(w http.ResponseWriter) bool { w.Write([]byte(`{"data":[]}`)); return true },
		"of zeros": func(w http.ResponseWriter) bool {
			w.Write([]byte(`{"data":[{"index":0,"embedding":[0,0]}]}`))
			return true
		},
		"not asked": func(w http.ResponseWriter) bool {
			w.Write([]byte(`{"data":[{"index":7,"embedding":[1]}]}`))
			return true
		},
	} {
		var asked atomic.Int32
		e, err := New(model(t, &asked, wrong))
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		e.now = func() time.Time { return now }
		if e.Query(t.Context(), "one") != nil || e.Query(t.Context(), "two") != nil || asked.Load() != 1 {
			t.Errorf("%s: asked %d times", name, asked.Load())
		}
		now = now.Add(pause + time.Second)
		if e.Query(t.Context(), "three"); asked.Load() != 2 {
			t.Errorf("%s: never asked again", name)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	for _, o := range []*Options{nil, {}, {URL: "http://x"}, {URL: "x", Model: "m"}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
