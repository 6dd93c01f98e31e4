package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// otherNames are keys that say the same as another, under which it is shown.
var otherNames = map[string]string{
	"mcpServers": "servers", "timeout": "call_timeout", "enabled": "probe",
	"excludeTools": "disabledTools", "disabled_tools": "disabledTools",
	"alwaysAllow": "autoApprove", "includeTools": "autoApprove", "enabled_tools": "autoApprove",
}

// Whatever can be written in a file is shown again: no section is forgotten when a new
// one comes.
func TestEverythingIsShown(t *testing.T) {
	shown := map[string]bool{}
	for _, apart := range [][]string{
		{"servers.*.url", "servers.*.headers", "servers.*.oauth", "servers.*.envFile", "scripts.*.file", "scripts.*.parameters.*.default"},
		{"servers.*.command", "servers.*.args", "servers.*.env", "servers.*.envFile", "servers.*.cwd", "scripts.*.source", "scripts.*.parameters.*.required"},
	} {
		file := sampleFile(apart)
		c, err := testReader(map[string]string{"HOME": "/home/ann"}).Parse("a.json", file)
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		var back any
		if err := json.Unmarshal([]byte(c.JSON()), &back); err != nil {
			t.Fatalf("%v\n%s", err, c.JSON())
		}
		for _, path := range pathsOf("", back) {
			shown[path] = true
		}
	}
	for _, path := range FileSchema().Paths() {
		name := lastOf(path)
		if path == "$schema" || path == "servers.*.type" || path == "servers.*.envFile" || otherNames[name] != "" || strings.HasPrefix(path, "mcpServers") {
			continue // for editors; follows from command or url; needs a file that is there
		}
		if !shown[path] {
			t.Errorf("%s is not shown", path)
		}
	}
}

// sampleFile has every key with a value that is not its default, but for those that
// cannot stand beside others.
func sampleFile(apart []string) []byte {
	skip := func(path string) bool {
		name := lastOf(path)
		return path == "$schema" || strings.HasPrefix(path, "mcpServers") || otherNames[name] != "" || slices.Contains(apart, path) || path == "servers.*.type"
	}
	text, err := json.Marshal(sampleOf("", FileSchema(), skip))
	if err != nil {
		panic(err)
	}
	return text
}

// samples are values of keys that not every value will do for.
var samples = map[string]any{
	"servers.*.url": "https://example.com/mcp", "servers.*.cwd": "/srv", "servers.*.oauth.client_id": "id",
	"servers.*.idle_timeout": "7s", "discovery.predict.url": "https://example.com/v1", "search.embedder.url": "https://example.com/v1",
	"http.auth": "oauth", "http.oauth.issuer": "https://example.com", "http.oauth.resource": "https://example.com/mcp", "http.oauth.jwks_url": "https://example.com/keys",
	"http.oauth.algorithms": []string{"RS256"}, "http.allowed_origins": []string{"https://app.example.com"}, "http.allowed_hosts": []string{"tools.example.com"},
	"include": []string{"cursor"}, "scripts.*.parameters.*.type": "integer", "scripts.*.parameters.*.default": 1, "scripts.*.parameters.*.enum": []int{1, 2},
	"disclosure.caller_header": "X-Conversation", "scripts.*.source": "return 1", "scripts.*.file": "/srv/x.lua",
}

func sampleOf(path string, s *Schema, skip func(string) bool) any {
	if value, ok := samples[path]; ok {
		return value
	}
	switch {
	case len(s.Keys) > 0:
		out := map[string]any{}
		for _, k := range s.Keys {
			at := strings.TrimPrefix(path+"."+k.Name, ".")
			if !skip(at) {
				out[k.Name] = sampleOf(at, k.Schema, skip)
			}
		}
		return out
	case s.Other != nil && s.Type == "object":
		return map[string]any{"a": sampleOf(path+".*", s.Other, skip)}
	case s.Items != nil:
		return []any{sampleOf(path+"[]", s.Items, skip)}
	case len(s.Words) > 0:
		if s.Words[len(s.Words)-1] == s.Default {
			return s.Words[0]
		}
		return s.Words[len(s.Words)-1]
	case strings.Contains(s.Pattern, "ms"):
		return "7s"
	case s.Type == "boolean":
		return s.Default != "true"
	case s.Type == "integer":
		return max(s.Least, min(s.Most, 7))
	}
	return "x"
}

// pathsOf are the keys of a value and below, as a schema has them.
func pathsOf(path string, v any) (out []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			for _, at := range []string{strings.TrimPrefix(path+"."+key, "."), path + ".*"} {
				out = append(append(out, at), pathsOf(at, value)...)
			}
		}
	case []any:
		for _, item := range v {
			out = append(out, pathsOf(path+"[]", item)...)
		}
	}
	return out
}

// Every key of the table is listed for people, with its default where it has one.
func TestEveryKeyIsListed(t *testing.T) {
	listed := map[string]DefaultKey{}
	for _, k := range Keys() {
		listed[k.Path] = k
	}
	for path, key := range keyTable {
		if got, ok := listed[path]; !ok || got.Meaning != key.Meaning || got.Default != key.Default {
			t.Errorf("%s is listed as %s", path, fmt.Sprintf("%+v", got))
		}
	}
}
