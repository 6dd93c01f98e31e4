package web

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the OpenAPI files and the pages that are expected")

// The file that is served and the one that is there to be read are what the routes and
// the types say.
func TestOpenAPI(t *testing.T) {
	want := openAPI(t)
	for _, file := range []string{"openapi.json", filepath.Join("..", "..", "docs", "openapi.json")} {
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of step with the routes and types: go test ./internal/web -run OpenAPI -update", file)
		}
	}
}

type object = map[string]any

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// openAPI makes the file.
func openAPI(t *testing.T) []byte {
	t.Helper()
	g := &generator{t: t, comments: readComments(t), made: object{}}
	problem := g.schema(reflect.TypeFor[Problem]())
	paths := object{}
	for _, r := range routes {
		var parameters []object
		for _, m := range pathParameter.FindAllStringSubmatch(r.path, -1) {
			parameters = append(parameters, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
		}
		for _, p := range r.query {
			schema := object{"type": "string"}
			if p.number {
				schema = object{"type": "integer", "minimum": 0}
				if p.most > 0 {
					schema["maximum"] = p.most
				}
			}
			if p.among != nil {
				schema["enum"] = p.among
			}
			parameters = append(parameters, object{"name": p.name, "in": "query", "required": p.required, "description": p.about, "schema": schema})
		}
		media := "application/json"
		if r.name == "events" {
			media = "text/event-stream"
			parameters = append(parameters, object{"name": "Last-Event-ID", "in": "header", "description": "the id of the last event that came", "schema": object{"type": "string"}})
		}
		op := object{
			"operationId": r.name, "summary": r.about, "tags": []string{r.group},
			"responses": object{
				"200":     object{"description": "the answer", "content": object{media: object{"schema": g.schema(reflect.TypeOf(r.answer))}}},
				"default": object{"description": "why there is none", "content": object{"application/json": object{"schema": problem}}},
			},
		}
		if parameters != nil {
			op["parameters"] = parameters
		}
		if r.body != nil {
			op["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": g.schema(reflect.TypeOf(r.body))}}}
		}
		if r.public {
			op["security"] = []object{}
		}
		if r.action {
			op["description"] = "There only with http.page: actions."
		}
		if r.decides {
			op["description"] = "There only with http.page: actions, and only for whoever shows the key of the page."
			op["security"] = []object{{"bearer": []string{}, "key": []string{}}, {"session": []string{}}}
		}
		at, _ := paths[r.path].(object)
		if at == nil {
			at = object{}
			paths[r.path] = at
		}
		at[strings.ToLower(r.method)] = op
	}
	for _, data := range []any{Server{}, CatalogChange{}, ConfigChange{}, Missed{}} {
		g.schema(reflect.TypeOf(data)) // of events
	}
	out, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info":    object{"title": "Toolcrib", "version": "1", "description": "What the gateway does, and the little that can be done here. See docs/api.md."},
		"paths":   paths,
		"components": object{
			"schemas": g.made,
			"securitySchemes": object{
				"bearer":  object{"type": "http", "scheme": "bearer"},
				"key":     object{"type": "apiKey", "in": "header", "name": KeyHeader},
				"session": object{"type": "apiKey", "in": "cookie", "name": "toolcrib_session_PORT"},
			},
		},
		"security": []object{{"bearer": []string{}}, {"session": []string{}}},
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}

// A generator makes schemas of types.
type generator struct {
	t        *testing.T
	comments map[string]string // by Type and Type.Field
	made     object
}

func (g *generator) schema(of reflect.Type) object {
	switch {
	case of == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case of == reflect.TypeFor[json.RawMessage]():
		return object{}
	}
	switch of.Kind() {
	case reflect.Pointer:
		return g.schema(of.Elem())
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": "array", "items": g.schema(of.Elem())}
	case reflect.Map:
		return object{"type": "object"}
	case reflect.Struct:
		if g.made[of.Name()] == nil {
			g.made[of.Name()] = object{} // for one that has itself
			g.made[of.Name()] = g.members(of)
		}
		return object{"$ref": "#/components/schemas/" + of.Name()}
	}
	g.t.Fatalf("%v is no type of the model", of)
	return nil
}

func (g *generator) members(of reflect.Type) object {
	properties, required := object{}, []string{}
	for _, f := range reflect.VisibleFields(of) {
		if f.Anonymous {
			continue // its fields are seen by themselves
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			g.t.Fatalf("%v.%s has no name in JSON", of, f.Name)
		}
		one := g.schema(f.Type)
		if enum := f.Tag.Get("enum"); enum != "" {
			one["enum"] = strings.Split(enum, ",")
		}
		owner := of
		if len(f.Index) > 1 {
			owner = of.FieldByIndex(f.Index[:len(f.Index)-1]).Type
		}
		if about := g.comments[owner.Name()+"."+f.Name]; about != "" {
			one["description"] = about
		}
		properties[name] = one
		if options == "" {
			required = append(required, name)
		}
	}
	s := object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	if about := g.comments[of.Name()]; about != "" {
		s["description"] = about
	}
	return s
}

// readComments reads what the files of the model say of types and fields.
func readComments(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	text := func(g *ast.CommentGroup) string { return strings.Join(strings.Fields(g.Text()), " ") }
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			spec := decl.Specs[0].(*ast.TypeSpec)
			members, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue
			}
			out[spec.Name.Name] = text(decl.Doc)
			for _, f := range members.Fields.List {
				for _, name := range f.Names {
					out[spec.Name.Name+"."+name.Name] = text(f.Comment)
				}
			}
		}
	}
	return out
}
