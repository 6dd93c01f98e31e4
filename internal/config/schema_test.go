package config

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every key that the decoder knows is explained, and nothing else is.
func TestKeyTableIsWhatTheDecoderReads(t *testing.T) {
	known := map[string]bool{}
	for _, path := range FileSchema().Paths() {
		known[path] = true
		if _, ok := keyAt(path); !ok {
			t.Errorf("%s has no row in keyTable", path)
		}
	}
	for path := range keyTable {
		if !known[path] {
			t.Errorf("keyTable has %s, which the decoder does not read", path)
		}
	}
}

// Every key stands in the documentation.
func TestKeysAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range FileSchema().Paths() {
		name := path[strings.LastIndexAny(path, ".]")+1:]
		if name != "$schema" && !strings.HasPrefix(path, "scripts") && !regexp.MustCompile("[`.# \n]"+regexp.QuoteMeta(name)+"[`:,\n]").Match(text) {
			t.Errorf("docs/configuration.md does not tell of %s", path)
		}
	}
}

// The schema takes a kind of value exactly where the decoder does.
func TestSchemaAgreesWithTheDecoder(t *testing.T) {
	values := []struct{ kind, text string }{
		{"string", `"zzz"`}, {"integer", "2000"}, {"boolean", "true"}, {"array", "[]"}, {"object", "{}"},
	}
	FileSchema().walk("", func(path string, s *Schema) {
		if s.Type == nil && s.Words == nil || path == "discovery.predict.url" || path == "search.embedder.url" {
			return // any value; 2000 is no address
		}
		for _, v := range values {
			takes := schemaTakes(s, v.kind)
			_, err := testReader(nil).Parse("a.json", []byte(nest(path, v.text)))
			refused := err != nil && strings.Contains(err.Error(), " must be ") && strings.Contains(err.Error(), lastOf(path))
			outOfRange := v.kind == "integer" && err != nil && strings.Contains(err.Error(), "whole number from")
			if takes && refused && v.kind != "string" && !outOfRange { // a word may be the wrong one
				t.Errorf("%s: the schema takes %s and the decoder does not: %v", path, v.text, err)
			}
			if !takes && !refused {
				t.Errorf("%s: the decoder takes %s and the schema does not (%v)", path, v.text, err)
			}
		}
	})
}

func lastOf(path string) string {
	name := path[strings.LastIndexAny(path, ".]")+1:]
	if name == "mcpServers" {
		return "servers"
	}
	return name
}

func schemaTakes(s *Schema, kind string) bool {
	if s.Words != nil {
		return kind == "string"
	}
	types, _ := s.Type.([]string)
	if one, ok := s.Type.(string); ok {
		types = []string{one}
	}
	if slices.Contains(types, kind) || kind == "integer" && slices.Contains(types, "number") {
		return true
	}
	return s.Alternative != nil && schemaTakes(s.Alternative, kind)
}

// nest is a file with one value, at path.
func nest(path, value string) string {
	parts := strings.Split(strings.ReplaceAll(path, "[]", ".[]"), ".")
	for i := len(parts) - 1; i >= 0; i-- {
		switch parts[i] {
		case "[]":
			value = "[" + value + "]"
		case "*":
			value = `{"a": ` + value + `}`
		default:
			value = `{"` + parts[i] + `": ` + value + `}`
		}
	}
	return value
}

func TestSchemaText(t *testing.T) {
	var schema struct {
		Schema     string `json:"$schema"`
		Additional bool   `json:"additionalProperties"`
		Properties map[string]struct {
			Description string `json:"description"`
			Additional  struct {
				Properties map[string]map[string]any `json:"properties"`
			} `json:"additionalProperties"`
		} `json:"properties"`
	}
	var loose map[string]any
	if err := json.Unmarshal(SchemaText(), &loose); err != nil {
		t.Fatal(err)
	}
	if loose["additionalProperties"] != false {
		t.Error("the file may have any key")
	}
	part, _ := json.Marshal(map[string]any{"properties": map[string]any{"servers": loose["properties"].(map[string]any)["servers"]}})
	if err := json.Unmarshal(part, &schema); err != nil {
		t.Fatal(err)
	}
	server := schema.Properties["servers"].Additional.Properties
	if server["idle_timeout"]["default"] != "10m0s" || server["era"]["enum"] == nil || server["max_in_flight"]["minimum"] != 1.0 {
		t.Errorf("a server: %v", server)
	}
}

func TestDurations(t *testing.T) {
	pattern := regexp.MustCompile(func() string { s := new(Schema); s.duration(true); return s.Pattern }())
	for _, text := range []string{"30s", "1m30s", "2h", "500ms", "1.5s", "never"} {
		c, err := Parse("a.yaml", []byte("servers:\n  a: {command: x, idle_timeout: "+text+"}\n"))
		if err != nil || c.Servers[0].IdleTimeout == 0 || !pattern.MatchString(text) {
			t.Errorf("%s: %v; the schema takes it: %v", text, err, pattern.MatchString(text))
		}
	}
	c := parse(t, "a.yaml", "servers:\n  a: {command: x, timeout: 10000}\ndiscovery: {timeout: 10000}\n")
	if c.Servers[0].CallTimeout.String() != "10s" || c.Discovery.Timeout.String() != "10s" {
		t.Errorf("milliseconds: %s, %s", c.Servers[0].CallTimeout, c.Discovery.Timeout)
	}
}

// Every client stands in the documentation.
func TestClientsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Clients() {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/clients.md does not tell of %s", name)
		}
	}
}
