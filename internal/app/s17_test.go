package app

import (
	"strings"
	"testing"

	"toolcrib/internal/config"
)

// S17: a script does for a caller what the caller could do without one: what is denied is
// not there for it, by whatever way it is named, and nothing of it is called.
func TestS17ScriptsObeyThePolicy(t *testing.T) {
	t.Parallel()
	c, turn := policed(t, config.Disclosure{}, true)
	s := guarded(t, c, Options{})
	ways := []string{
		`result(turn.wipe({}):await())`, `result(turn["wipe"]({}):await())`, `local n = "wi".."pe" result(turn[n]({}):await())`,
		`result(_G["turn"]["wipe"]({}):await())`, `local t = turn result(t.wipe({}):await())`, `result(turn.WIPE({}):await())`,
		`result(pcall(function() return turn.wipe({}):await() end))`, `local ok, v = pcall(turn.wipe, {}) result(v)`,
		`for name, tool in pairs(turn) do if name == "wipe" then result(tool({}):await()) end end`,
		`result(coroutine.wrap(function() return turn.wipe({}):await() end)())`,
	}
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for who, may := range map[string]bool{"boss": true, "guest-1": false, "reader": false, "stranger": false, "auditor": false, "outsider": false} {
			session := s.agent(version, nil, "X-Who", who)
			for _, way := range ways {
				before := turn.calls.Load()
				texts, failed := use(t, session, "execute", map[string]any{"script": way})
				called := turn.calls.Load() - before
				if !may && (called != 0 || strings.Contains(strings.Join(texts, ""), "FORBIDDENTEXT")) {
					t.Errorf("%s %s: %s called it %d times: %v", who, version, way, called, texts)
				}
				if may && way == ways[0] && (failed || called != 1) {
					t.Errorf("%s may: %v", who, texts)
				}
			}
			session.Close()
		}
	}
}
