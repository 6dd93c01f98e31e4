package disclose

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/catalog"
)

func TestParameters(t *testing.T) {
	for name, c := range map[string]struct {
		schema string
		want   string // name, star, type of each
		exact  bool
	}{
		"none":         {`{"type":"object"}`, "", true},
		"absent":       {``, "", true},
		"no object":    {`[1]`, "", false},
		"required":     {`{"properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["a"]}`, "a*:int b:str", true},
		"types":        {`{"properties":{"a":{"type":"number"},"b":{"type":"boolean"},"c":{"type":"object"},"d":{}}}`, "a:num b:bool c:obj d:any", true},
		"lists":        {`{"properties":{"a":{"type":"array","items":{"type":"string"}},"b":{"type":"array"},"c":{"type":"array","items":{"type":"array","items":{"type":"integer"}}}}}`, "a:[str] b:[any] c:[[int]]", true},
		"enum":         {`{"properties":{"a":{"type":"string","enum":["x","y"]},"b":{"const":3}}}`, "a:'x'|'y' b:3", true},
		"long enum":    {`{"properties":{"a":{"type":"string","enum":["1","2","3","4","5","6","7"]}}}`, "a:str", true},
		"nullable":     {`{"properties":{"a":{"type":["string","null"]},"b":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}`, "a:str b:int", true},
		"alternatives": {`{"properties":{"a":{"oneOf":[{"type":"integer"},{"type":"string"}]}}}`, "a:int|str", false},
		"reference":    {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"integer"}}}`, "a:int", true},
		"loop":         {`{"properties":{"a":{"$ref":"#/properties/a"}}}`, "a:any", true},
		"dangling":     {`{"properties":{"a":{"$ref":"#/nowhere"}}}`, "a:any", true},
		"says more":    {`{"properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]}]}`, "a:str", false},
	} {
		list, exact := Parameters(json.RawMessage(c.schema))
		var got []string
		for _, p := range list {
			star := ""
			if p.Required {
				star = "*"
			}
			got = append(got, p.Name+star+":"+p.Type)
		}
		if text := strings.Join(got, " "); text != c.want || exact != c.exact {
			t.Errorf("%s: %s (%t), want %s (%t)", name, text, exact, c.want, c.exact)
		}
	}
}

// A schema of a hostile server costs no more than a large one.
func TestHostileSchemas(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 400) + `{}` + strings.Repeat(`}}`, 400)
	var wide strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&wide, `"p%d":{"$ref":"#"},`, i)
	}
	for name, schema := range map[string]string{
		"deep":  deep,
		"wide":  `{"type":"object","properties":{` + strings.TrimSuffix(wide.String(), ",") + `}}`,
		"loops": `{"properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/properties/a","properties":{"c":{"$ref":"#"}}}}}`,
	} {
		raw := fmt.Sprintf(`{"name":"x","inputSchema":%s}`, schema)
		s := catalog.Build([]catalog.Listing{{Server: "s", Taken: time.Unix(1, 0), Tools: []catalog.Found{{Raw: json.RawMessage(raw), Provenance: catalog.Protocol, Confidence: 1}}}}, catalog.Rules{}, time.Unix(2, 0))
		if s.Len() == 0 {
			continue // refused already
		}
		a, problem := browser(s, nil).Details([]string{"s.x"})
		if problem != nil {
			t.Fatal(problem)
		}
		if n := len(a.JSON()); n > 100_000 {
			t.Errorf("%s: %d bytes of details", name, n)
		}
	}
}

func FuzzParameters(f *testing.F) {
	f.Add(`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":["integer","null"]}}}`)
	f.Fuzz(func(t *testing.T, schema string) {
		list, _ := Parameters(json.RawMessage(schema))
		if len(list) > maxParameters {
			t.Fatalf("%d parameters", len(list))
		}
		JSON(list)
	})
}
