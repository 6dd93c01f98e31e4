package web

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outlineOf is a form in a line: names with their kinds, * where they are required.
func outlineOf(fields []field) string {
	var out []string
	for _, f := range fields {
		text := f.Name + ":" + f.Kind
		if f.Required {
			text = "*" + text
		}
		switch {
		case f.Fields != nil:
			text += "{" + outlineOf(f.Fields) + "}"
		case f.Item != nil:
			text += "[" + outlineOf([]field{*f.Item}) + "]"
		case f.Options != nil:
			text += fmt.Sprint(len(f.Options))
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestFormOfSchema(t *testing.T) {
	deep := `{"properties":{"a":{"$ref":"#/$defs/d"}},"$defs":{"d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d"}}}}}`
	for schema, want := range map[string]string{
		``:                    ``,
		`null`:                ``,
		`{}`:                  ``,
		`{"properties":[]}`:   ``,
		`{"properties":null}`: ``,
		`{"properties":{"s":{"type":"string"},"n":{"type":"number"},"i":{"type":"integer"},"b":{"type":"boolean"}},"required":["i"]}`:                                  `*i:integer s:string n:number b:boolean`,
		`{"properties":{"e":{"enum":["a",1,null]},"l":{"type":"array","items":{"enum":["x"]}},"any":{},"no":false}}`:                                                   `e:enum3 l:array[:enum1] any:json no:json`,
		`{"properties":{"o":{"type":"object","properties":{"x":{"type":["string","null"]}},"required":["x"]},"free":{"type":"object"}}}`:                               `o:object{*x:string} free:json`,
		`{"properties":{"u":{"type":["string","integer"]},"one":{"oneOf":[{"type":"string"}]},"list":{"type":"array"},"bare":{"properties":{"y":{"type":"string"}}}}}`: `u:json one:json list:json bare:object{y:string}`,
		`{"properties":{"body":{"type":"string"},"query":{"type":"string","maxLength":9}}}`:                                                                            `body:text query:string`,
		`{"properties":{"r":{"$ref":"#/$defs/a~1b"}},"$defs":{"a/b":{"type":"integer"}}}`:                                                                              `r:integer`,
		`{"properties":{"r":{"$ref":"#/nowhere"},"out":{"$ref":"https://example.com/x"}}}`:                                                                             `r:json out:json`,
		`{"properties":{"__proto__":{"type":"string"},"":{"type":"string"}}}`:                                                                                          `__proto__:string :string`,
		deep: `a:object{a:object{a:object{a:object{a:json}}}}`,
		`{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/a"}}}`: `a:json`,
		`{"required":"a","properties":{"a":{"type":"string"}}}`:                        `a:string`,
	} {
		f := formOf(json.RawMessage(schema), nil)
		if got := outlineOf(f.Fields); got != want {
			t.Errorf("%s\n is %s\nnot %s", schema, got, want)
		}
	}
}

func TestFormIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, `"p%d":{"type":"string"},`, i)
	}
	f := formOf(json.RawMessage(`{"properties":{`+strings.TrimSuffix(b.String(), ",")+`}}`), json.RawMessage(`{"a":1}`))
	if !f.Cut || len(f.Fields) != formFields {
		t.Errorf("%d fields, cut: %v", len(f.Fields), f.Cut)
	}
	if want := "{\n  \"a\": 1\n}"; f.Example != want {
		t.Error(cmp.Diff(want, f.Example))
	}
}

func FuzzForm(f *testing.F) {
	f.Add(orderSchema)
	f.Add(`{"properties":{"a":{"$ref":"#/properties/a"}}}`)
	h, log := pageHandler(empty(), true)
	f.Fuzz(func(t *testing.T, schema string) {
		form := formOf(json.RawMessage(schema), json.RawMessage(schema))
		var b strings.Builder
		for _, one := range form.Fields {
			if err := h.pages.views()["tool"].ExecuteTemplate(&b, "field", one); err != nil {
				t.Fatal(err)
			}
		}
		if log.Len() > 0 {
			t.Fatal(log)
		}
	})
}
