package call_test

import (
	"fmt"
	"strings"
	"testing"

	"toolcrib/internal/call"
)

// hostileSchemas are schemas that servers sent, or might send to do harm, with
// arguments that must not be refused because of them.
var hostileSchemas = map[string]struct{ schema, arguments string }{
	"refers to itself":          {`{"allOf":[{"$ref":"#"}]}`, `{"a":1}`},
	"refers to itself twice":    {`{"anyOf":[{"$ref":"#"},{"$ref":"#"}],"allOf":[{"$ref":"#"},{"$ref":"#"}]}`, `{"a":1}`},
	"refer to each other":       {`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `{}`},
	"nests deeply":              {strings.Repeat(`{"allOf":[`, 400) + `{"type":"string"}` + strings.Repeat(`]}`, 400), `{}`},
	"nests too deeply to read":  {strings.Repeat(`{"allOf":[`, 20_000) + `{"type":"string"}` + strings.Repeat(`]}`, 20_000), `{}`},
	"properties deep inside":    {strings.Repeat(`{"properties":{"a":`, 400) + `{"type":"string"}` + strings.Repeat(`}}`, 400), strings.Repeat(`{"a":`, 400) + `1` + strings.Repeat(`}`, 400)},
	"arguments of a tree":       {`{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`, strings.Repeat(`{"a":`, 900) + `{"b":1}` + strings.Repeat(`}`, 900)},
	"more branches than time":   {doubling(40, `{"type":"string"}`), `{}`},
	"huge enum":                 {`{"properties":{"a":{"enum":["0"` + strings.Repeat(`,"x"`, 20_000) + `]}}}`, `{"a":"y"}`},
	"huge":                      {`{"properties":{"a":{"type":"string","description":"` + strings.Repeat("x", 1<<20) + `"}}}`, `{"a":1}`},
	"too many properties":       {`{"additionalProperties":false,"properties":{"x":{}` + manyProperties(20_000) + `}}`, `{"y":1}`},
	"slow pattern":              {`{"properties":{"a":{"type":"string","pattern":"^(a+)+$"}}}`, `{"a":"` + strings.Repeat("a", 5000) + `!"}`},
	"pattern of JavaScript":     {`{"properties":{"a":{"pattern":"^(?!x)[\\u4e00-\\u9fa5]$"}}}`, `{"a":"y"}`},
	"type any":                  {`{"type":"object","properties":{"a":{"type":"any"}}}`, `{"a":1}`},
	"types that are no names":   {`{"type":["object",7],"properties":{"a":{"type":{}}}}`, `{"a":1}`},
	"required of draft 3":       {`{"properties":{"a":{"type":"string","required":true}},"required":true}`, `{"a":"x"}`},
	"exclusive of draft 4":      {`{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"type":"number","minimum":0,"exclusiveMinimum":true}}}`, `{"a":1}`},
	"beside a $ref in draft 7":  {`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/b","type":"string"}},"definitions":{"b":{"type":"integer"}}}`, `{"a":1}`},
	"tuple of draft 7":          {`{"properties":{"a":{"items":[{"type":"string"},{"type":"integer"}]}}}`, `{"a":["x",1,null]}`},
	"tuple of 2020":             {`{"properties":{"a":{"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}}}`, `{"a":["x",1]}`},
	"$ref elsewhere":            {`{"properties":{"a":{"$ref":"https://example.com/x.json"},"b":{"$ref":"other.json#/x"}}}`, `{"a":1,"b":2}`},
	"$ref to nothing":           {`{"properties":{"a":{"$ref":"#/$defs/none"},"b":{"$ref":"#/properties/b/type/0/x"},"c":{"$ref":"#anchor"},"d":{"$ref":"#/%zz"}}}`, `{"a":1,"b":2,"c":3,"d":4}`},
	"$ref below an $id":         {`{"properties":{"a":{"$id":"x.json","$ref":"#/$defs/b","$defs":{"b":{"type":"integer"}}}},"$defs":{"b":{"type":"string"}}}`, `{"a":1}`},
	"properties null":           {`{"properties":{"a":null,"b":7,"c":[]}}`, `{"a":1,"b":2,"c":3}`},
	"keywords that are no such": {`{"properties":[],"required":{"a":1},"items":7,"enum":"a","anyOf":{},"allOf":7,"minimum":"1","additionalProperties":"no"}`, `{"a":1}`},
	"enum of another type":      {`{"properties":{"a":{"type":"integer","enum":["1","2"]}}}`, `{"a":1}`},
	"empty enum and anyOf":      {`{"properties":{"a":{"enum":[],"anyOf":[]}}}`, `{"a":1}`},
	"nullable of OpenAPI":       {`{"properties":{"a":{"type":"string","nullable":true,"enum":["x"]}}}`, `{"a":null}`},
	"lengths that are none":     {`{"properties":{"a":{"minLength":"3","maxLength":-1,"minItems":1.5,"maxItems":1e400}}}`, `{"a":"ab"}`},
	"not, if and the like":      {`{"not":{"required":["a"]},"if":{"required":["a"]},"then":false,"propertyNames":{"maxLength":0},"maxProperties":0,"dependentRequired":{"a":["b"]}}`, `{"a":1}`},
	"patterns name the rest":    {`{"patternProperties":{"^x-":{}},"additionalProperties":false}`, `{"x-a":1}`},
	"two of oneOf fit":          {`{"properties":{"a":{"oneOf":[{"type":"number"},{"type":"integer"}]}}}`, `{"a":1}`},
	"64-bit limit":              {`{"properties":{"a":{"maximum":9223372036854775807,"minimum":-9223372036854775808}}}`, `{"a":9223372036854775807}`},
	"limit of all numbers":      {`{"properties":{"a":{"maximum":1.7976931348623157e308}}}`, `{"a":1e308}`},
	"no schema":                 {`7`, `{"a":1}`},
	"the schema true":           {`true`, `{"a":1}`},
	"no JSON":                   {`{"type":`, `{"a":1}`},
	"nothing":                   {``, `{"a":1}`},
	"constant object":           {`{"properties":{"a":{"const":{"x":[1.0]}}}}`, `{"a":{"x":[1]}}`},
}

// doubling is a schema that names itself 2^n times.
func doubling(n int, last string) string {
	var b strings.Builder
	b.WriteString(`{"$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":%s},"$ref":"#/$defs/d0"}`, n, last)
	return b.String()
}

func manyProperties(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"p%d":{"type":"string"}`, i)
	}
	return b.String()
}

func TestHostileSchemasRefuseNothing(t *testing.T) {
	for name, test := range hostileSchemas {
		t.Run(name, func(t *testing.T) {
			if m := call.CheckArguments([]byte(test.schema), []byte(test.arguments)); m != nil {
				t.Errorf("refused: %v", m)
			}
		})
	}
}

// What is wrong with a schema in one place must not keep it from being checked
// in the others.
func TestBadPartsLeaveTheRestChecked(t *testing.T) {
	schema := `{"type":"object","properties":{"a":{"type":"any"},"b":{"$ref":"#/none"},"c":{"pattern":"(?!x"},"d":{"type":"integer"}},"required":["d"]}`
	m := call.CheckArguments([]byte(schema), []byte(`{"a":1,"b":1,"c":"1","d":"1"}`))
	if m == nil || len(m.Problems) != 1 || !strings.HasPrefix(m.Problems[0], `"d" must be int`) {
		t.Errorf("%v", m)
	}
}

// Many mistakes are told briefly, and found without looking at each for long.
func TestProblemsAreBounded(t *testing.T) {
	long := strings.Repeat("n", 3000)
	for name, test := range map[string]struct{ schema, arguments string }{
		"unknown names": {`{"additionalProperties":false,"properties":{"` + long + `":{}` + manyProperties(9000) + `}}`, `{"` + long + `":1` + strings.ReplaceAll(manyProperties(9000), `"p`, `"q`) + `}`},
		"missing names": {`{"required":["` + long + `"` + strings.Repeat(`,"x"`, 9000) + `,"` + strings.Join(strings.Fields(strings.Repeat(long[:50]+"a ", 2)), `","`) + `"]}`, `{}`},
		"elements":      {`{"properties":{"a":{"items":{"enum":["` + long + `"` + strings.Repeat(`,"`+long[:60]+`"`, 5000) + `]}}}}`, `{"a":["x"` + strings.Repeat(`,"`+long[:59]+`"`, 20_000) + `]}`},
		"branches":      {doubling(12, `{"required":["x","y"]}`), `{}`},
		"wide branches": {`{"anyOf":[` + strings.Repeat(`{"$ref":"#/$defs/a"},`, 100) + `{"required":["z"]}],"$defs":{"a":{"anyOf":[` + strings.Repeat(`{"$ref":"#/$defs/b"},`, 200) + `false]},"b":{"required":["x"]}}}`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			m := call.CheckArguments([]byte(test.schema), []byte(test.arguments))
			if m == nil {
				t.Fatal("accepted")
			}
			if n := len(m.Error()); len(m.Problems) > 10 || n > 20_000 {
				t.Errorf("%d problems in %d bytes", len(m.Problems), n)
			}
		})
	}
}
