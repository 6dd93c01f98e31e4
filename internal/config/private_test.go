package config

import (
	"slices"
	"testing"
)

// A file is private if a secret stands in it as it is, not if it only says where one is.
func TestFilesThatHoldSecrets(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      bool
	}{
		{"a key in env", "servers: {a: {command: x, env: {API_KEY: abcdef}}}", true},
		{"a header", "servers: {a: {url: 'https://example.com', headers: {Authorization: Bearer abcdefgh}}}", true},
		{"a known shape under any name", "servers: {a: {command: x, env: {LINE: ghp_012345678901234567890123}}}", true},
		{"a variable", "servers: {a: {command: x, env: {API_KEY: '${KEY:-}'}}}", false},
		{"no secret", "servers: {a: {command: x, env: {LOG_LEVEL: debug}}}", false},
		{"empty", "servers: {a: {command: x, env: {API_KEY: ''}}}", false},
	} {
		got := slices.Contains(parse(t, "toolcrib.yaml", c.src).Private, "toolcrib.yaml")
		if got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
