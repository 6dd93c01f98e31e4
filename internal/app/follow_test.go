package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
	"toolcrib/internal/wire"
)

// A followed gateway has its servers in a file.
type followed struct {
	*serving
	file  string
	loads atomic.Int32
}

// document is a configuration with these servers, as JSON.
func document(servers ...config.Server) string {
	entries := map[string]any{}
	for _, s := range servers {
		entry := map[string]any{"command": s.Command, "args": append([]string{}, s.Args...), "env": s.Env}
		if s.CallTimeout > 0 {
			entry["call_timeout"] = s.CallTimeout.String()
		}
		entries[s.Name] = entry
	}
	text, _ := json.Marshal(map[string]any{
		"servers": entries, "http": map[string]any{"auth": "none"}, "disclosure": map[string]any{"surface": "passthrough"},
	})
	return string(text)
}

func follow(t *testing.T, servers ...config.Server) *followed {
	t.Helper()
	f := &followed{file: filepath.Join(t.TempDir(), "toolcrib.json")}
	f.put(t, document(servers...))
	c, err := config.Load(f.file)
	if err != nil {
		t.Fatal(err)
	}
	f.serving = serveHTTP(t, c, Options{StateDir: t.TempDir()})
	ctx, stop := context.WithCancel(t.Context())
	wait := f.app.Follow(ctx, c, func() (config.Config, error) {
		f.loads.Add(1)
		return config.Load(f.file)
	})
	t.Cleanup(func() { stop(); wait() })
	return f
}

func (f *followed) put(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(f.file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// edit writes the file in one of the ways in which programs do.
func (f *followed) edit(t *testing.T, way int, text string) {
	t.Helper()
	other := f.file + ".new"
	var err error
	switch way % 4 {
	case 0:
		f.put(t, text)
	case 1:
		if err = os.WriteFile(other, []byte(text), 0o600); err == nil {
			err = os.Rename(other, f.file)
		}
	case 2:
		if err = os.Truncate(f.file, 0); err == nil {
			f.put(t, text)
		}
	case 3:
		target := fmt.Sprintf("%s.%d", f.file, way)
		if err = os.WriteFile(target, []byte(text), 0o600); err == nil {
			if err = os.Symlink(target, other); err == nil {
				err = os.Rename(other, f.file)
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// F22: 200 edits a second disturb no call of a server that they are not about, are
// few reloads, and what is written last is in use at the end.
func TestF22CallsGoOn(t *testing.T) {
	stays, changes := server(t, "stays", "good"), server(t, "changes", "good")
	version := func(n int) config.Server {
		s := changes
		s.Env = map[string]string{"VERSION": fmt.Sprint(n)}
		for k, v := range changes.Env {
			s.Env[k] = v
		}
		return s
	}
	f := follow(t, stays, version(0))
	_, pid := f.call("stays__pid", `{}`)
	seconds := 2
	if *long {
		seconds = 10
	}
	ctx, stop := context.WithCancel(t.Context())
	var calls, failed atomic.Int32
	var all sync.WaitGroup
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	all.Go(func() {
		for ctx.Err() == nil {
			<-tick.C
			all.Go(func() {
				calls.Add(1)
				if status, body := f.call("stays__echo", `{"text":"hello"}`); status != 200 || !strings.Contains(body, "hello") {
					failed.Add(1)
					t.Logf("a call failed: %d %s", status, body)
				}
			})
		}
	})
	edits := time.NewTicker(5 * time.Millisecond)
	defer edits.Stop()
	last := 200 * seconds
	for i := range last + 1 {
		<-edits.C
		f.edit(t, i, document(stays, version(i)))
	}
	within(t, time.Minute, "the last in use", func() string {
		_, body := f.call("changes__env", `{}`)
		if strings.Contains(body, fmt.Sprintf(`"VERSION":"%d"`, last)) {
			return ""
		}
		return body
	})
	stop()
	all.Wait()
	t.Logf("%d edits, %d loads, %d calls, %d failed", last+1, f.loads.Load(), calls.Load(), failed.Load())
	if failed.Load() > 0 {
		t.Errorf("%d of %d calls failed", failed.Load(), calls.Load())
	}
	if f.loads.Load() > 20 {
		t.Errorf("%d loads", f.loads.Load())
	}
	if _, now := f.call("stays__pid", `{}`); now != pid {
		t.Errorf("the server that stays was restarted: %s, then %s", pid, now)
	}
}

// F23: a bad file changes nothing but what health says, with the place.
func TestF23BadFileKeepsServing(t *testing.T) {
	t.Parallel()
	one, two := server(t, "one", "good"), server(t, "two", "good")
	f := follow(t, one, two)
	for _, bad := range []string{`{"servers": {`, `{"server": {}}`, `{"servers": []}`, ``} {
		f.put(t, bad)
		within(t, time.Minute, "degraded", func() string {
			_, body, _ := f.do("GET", "/readyz", "")
			if strings.Contains(body, `"degraded"`) && strings.Contains(body, "toolcrib.json:") {
				return ""
			}
			return body
		})
		if status, body := f.call("one__echo", `{"text":"hello"}`); status != 200 || !strings.Contains(body, "hello") {
			t.Errorf("with %q: %d %s", bad, status, body)
		}
		f.put(t, document(one, two))
		within(t, time.Minute, "ready again", func() string {
			if _, body, _ := f.do("GET", "/readyz", ""); !strings.Contains(body, `"ready"`) {
				return body
			}
			return ""
		})
	}
}

// Agents are told when what they see changed, and not when a server that offers
// the same was restarted.
func TestAgentsAreToldOfWhatTheySee(t *testing.T) {
	t.Parallel()
	one, two := server(t, "one", "good"), server(t, "two", "good")
	f := follow(t, one, two)
	var told atomic.Int32
	a := f.agent(wire.Version202511, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told.Add(1) }})
	tools := func() int {
		list, err := a.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(list.Tools)
	}
	_, pid := f.call("one__pid", `{}`)
	f.call("two__pid", `{}`)
	within(t, time.Minute, "both listed", func() string {
		if by, err := f.tools(); err != nil || len(by) < 2 {
			return fmt.Sprint(by, err)
		}
		return ""
	})
	before := tools()
	told.Store(0)
	slower := one
	slower.CallTimeout = time.Hour
	f.put(t, document(slower, two))
	within(t, time.Minute, "restarted", func() string {
		if _, now := f.call("one__pid", `{}`); now == pid {
			return now
		}
		return ""
	})
	if n := tools(); n != before || told.Load() != 0 {
		t.Errorf("%d tools, then %d; told %d times", before, n, told.Load())
	}
	f.put(t, document(slower, two, server(t, "three", "good")))
	within(t, time.Minute, "told", func() string {
		if told.Load() == 0 {
			return "nothing"
		}
		return ""
	})
	within(t, time.Minute, "more tools", func() string {
		if tools() <= before {
			return "none"
		}
		return ""
	})
}
