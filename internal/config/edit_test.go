package config

import (
	"bytes"
	"strings"
	"testing"
)

func newEntry() *node { return part(pair{"command", text("x y")}, pair{"args", texts([]string{"-a"})}) }

// One entry is added, and nothing else changes.
func TestEditAdds(t *testing.T) {
	for _, c := range []struct{ name, file, path, src, want string }{
		{"no JSON yet", "a.json", "mcpServers", "", "{\n  \"mcpServers\": {\n    \"new\": {\n      \"command\": \"x y\",\n      \"args\": [\"-a\"]\n    }\n  }\n}\n"},
		{"JSON without the key", "a.json", "mcpServers", "{\n\t\"theme\": 1 // one\n}\n", "{\n\t\"mcpServers\": {\n\t\t\"new\": {\n\t\t\t\"command\": \"x y\",\n\t\t\t\"args\": [\"-a\"]\n\t\t}\n\t},\n\t\"theme\": 1 // one\n}\n"},
		{"JSON with entries", "a.json", "m", "{\n  \"m\": { // mine\n    // the first\n    \"a\": {\"b\": \"c\"}, // end\n  },\n}\n", "{\n  \"m\": { // mine\n    \"new\": {\n      \"command\": \"x y\",\n      \"args\": [\"-a\"]\n    },\n    // the first\n    \"a\": {\"b\": \"c\"}, // end\n  },\n}\n"},
		{"JSON in one line", "a.json", "m", `{"m": {"a": {}}, "z": [1]}`, `{"m": {"new": {"command": "x y", "args": ["-a"]}, "a": {}}, "z": [1]}`},
		{"JSON with nothing in it", "a.jsonc", "m", "{\n  \"m\": {}\n}\n", "{\n  \"m\": {\n    \"new\": {\n      \"command\": \"x y\",\n      \"args\": [\"-a\"]\n    }\n  }\n}\n"},
		{"JSON with a comment in it", "a.jsonc", "m", "{\n  \"m\": { // none yet\n  }\n}\n", "{\n  \"m\": { // none yet\n    \"new\": {\n      \"command\": \"x y\",\n      \"args\": [\"-a\"]\n    }\n  }\n}\n"},
		{"JSON of Windows", "a.json", "m", "\ufeff{\r\n  \"m\": {\r\n    \"a\": {}\r\n  }\r\n}\r\n", "\ufeff{\r\n  \"m\": {\r\n    \"new\": {\r\n      \"command\": \"x y\",\r\n      \"args\": [\"-a\"]\r\n    },\r\n    \"a\": {}\r\n  }\r\n}\r\n"},
		{"no YAML yet", "a.yaml", "m", "", "m:\n  new:\n    command: x y\n    args: [\"-a\"]\n"},
		{"YAML of comments", "a.yaml", "m", "# hello\n", "# hello\nm:\n  new:\n    command: x y\n    args: [\"-a\"]\n"},
		{"YAML with entries", "a.yaml", "m", "z: 1 # one\nm: # mine\n    # the first\n    a: {b: c}\n\n# end\ny: 2\n", "z: 1 # one\nm: # mine\n    new:\n      command: x y\n      args: [\"-a\"]\n    # the first\n    a: {b: c}\n\n# end\ny: 2\n"},
		{"YAML with nothing in it", "a.yaml", "m", "m: {} # none\nz: 1\n", "m: # none\n  new:\n    command: x y\n    args: [\"-a\"]\nz: 1\n"},
		{"YAML without a newline", "a.yaml", "m", "m:\n  a: b", "m:\n  new:\n    command: x y\n    args: [\"-a\"]\n  a: b"},
		{"YAML in one line", "a.yaml", "m", "é: 1\nm: {b: {}} # x\n", "é: 1\nm: {\"new\": {\"command\": \"x y\", \"args\": [\"-a\"]}, b: {}} # x\n"},
		{"TOML", "a.toml", "m", "z = 1 # one\n\n[m.a]\nb = \"c\"\n", "z = 1 # one\n\n[m.a]\nb = \"c\"\n\n[m.new]\ncommand = \"x y\"\nargs = [\"-a\"]\n"},
		{"no TOML yet", "a.toml", "m", "", "[m.new]\ncommand = \"x y\"\nargs = [\"-a\"]\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := edit{file: c.file, path: []string{c.path}}
			got, err := e.set([]byte(c.src), "new", newEntry())
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
			again, err := e.set(got, "new", newEntry())
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("a second time: %v\n%s", err, again)
			}
			if c.name == "YAML in one line" {
				return // what stands in one line has to be taken out by hand
			}
			other, err := e.set(got, "new", part(pair{"command", text("z")}))
			if err != nil || strings.Contains(string(other), "x y") || e.find(must(e.tree(other)), "new").child("command").text != "z" {
				t.Errorf("another in its place: %v\n%s", err, other)
			}
			back, err := e.remove(got, "new")
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(c.src, `"a"`) || strings.Contains(c.src, "a:") || strings.Contains(c.src, "m.a") {
				if string(back) != c.src {
					t.Errorf("taken out again:\n%s\nwant:\n%s", back, c.src)
				}
			}
			if e.find(must(e.tree(back)), "new") != nil {
				t.Errorf("still there:\n%s", back)
			}
		})
	}
}

func must(n *node, err error) *node {
	if err != nil {
		panic(err)
	}
	return n
}

func TestEditRemoves(t *testing.T) {
	for _, c := range []struct{ name, file, src, want string }{
		{"the last of JSON", "a.json", "{\n  \"m\": {\n    \"a\": 1,\n    \"old\": {\"x\": [1]}\n  }\n}\n", "{\n  \"m\": {\n    \"a\": 1\n  }\n}\n"},
		{"in the middle of JSON", "a.json", "{\"m\": {\"a\": 1, \"old\": {}, \"b\": 2}}", "{\"m\": {\"a\": 1, \"b\": 2}}"},
		{"the only one of JSON", "a.json", "{\n  \"m\": {\n    \"old\": {}\n  }\n}\n", "{\n  \"m\": {}\n}\n"},
		{"with a trailing comma", "a.json", "{\n  \"m\": {\n    // first\n    \"a\": 1,\n    \"old\": {}, // ours\n  },\n}\n", "{\n  \"m\": {\n    // first\n    \"a\": 1, // ours\n  },\n}\n"},
		{"in the middle of YAML", "a.yaml", "m:\n  a: 1\n  old:\n    x: |\n      text\n\n    y: 2\n\n  # b is next\n  b: 2\n", "m:\n  a: 1\n\n  # b is next\n  b: 2\n"},
		{"the only one of YAML", "a.yaml", "m: # mine\n  old:\n    x: 1\nz: 2\n", "m: {} # mine\nz: 2\n"},
		{"tables of TOML", "a.toml", "[m.a]\nb = 1\n\n[m.old]\nc = 1\n\n[m.old.env]\nd = 2\n\n# z\n[z]\ne = 3\n", "[m.a]\nb = 1\n\n# z\n[z]\ne = 3\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := edit{file: c.file, path: []string{"m"}}
			got, err := e.remove([]byte(c.src), "old")
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
			if again, err := e.remove(got, "old"); err != nil || !bytes.Equal(again, got) {
				t.Errorf("a second time: %v\n%s", err, again)
			}
		})
	}
}

func TestEditLists(t *testing.T) {
	item := func() *node { return shape{list: true}.node("x", []string{"serve"}) }
	for _, c := range []struct{ file, src, want string }{
		{"a.yaml", "name: c\nm:\n  - name: a\n    command: b\n", "name: c\nm:\n  - name: toolcrib\n    command: x\n    args: [serve]\n  - name: a\n    command: b\n"},
		{"a.yaml", "m:\n- name: a\n", "m:\n- name: toolcrib\n  command: x\n  args: [serve]\n- name: a\n"},
		{"a.toml", "[[m]]\nname = \"a\"\n", "[[m]]\nname = \"a\"\n\n[[m]]\nname = \"toolcrib\"\ncommand = \"x\"\nargs = [\"serve\"]\n"},
	} {
		e := edit{file: c.file, path: []string{"m"}, list: true}
		got, err := e.set([]byte(c.src), ownName, item())
		if err != nil || string(got) != c.want {
			t.Errorf("%v\n%s", err, got)
		}
		back, err := e.remove(got, ownName)
		if err != nil || string(back) != c.src {
			t.Errorf("taken out again: %v\n%s", err, back)
		}
	}
}

// What cannot be edited safely is left alone, and the user told what to do.
func TestEditRefuses(t *testing.T) {
	for _, c := range []struct{ name, file, src, want string }{
		{"a list in one line", "a.yaml", "m: [1]\n", "by hand:\n    new:\n      command: x y"},
		{"an inline table", "a.toml", "m = {a = {b = 1}}\n", "by hand:\n    [m.new]"},
		{"something else there", "a.json", `{"m": [1]}`, `by hand:` + "\n    \"new\": {"},
		{"broken", "a.json", `{"m": {`, "not JSON"},
		{"a list", "a.yaml", "- a\n", "must hold a mapping"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := edit{file: c.file, path: []string{"m"}}.set([]byte(c.src), "new", newEntry())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// Whatever a file holds, an edit changes one entry or nothing.
func FuzzEdit(f *testing.F) {
	for _, src := range []string{"", "{}", "{\"m\":{\"a\":1}}", "m:\n  a: 1\n", "m: {}\n", "[m.a]\nb=1\n", "{ /* x\n */ \"m\": {} }", "m:\n  a: |\n    # x\n", "{\"m\":{}}//"} {
		for syntax := range byte(3) {
			f.Add(src, syntax)
		}
	}
	f.Fuzz(func(t *testing.T, src string, syntax byte) {
		e := edit{file: "a." + []string{"yaml", "json", "toml"}[syntax%3], path: []string{"m"}}
		out, err := e.set([]byte(src), "new", newEntry())
		if err != nil {
			return
		}
		if !sameTree(e.find(must(e.tree(out)), "new"), newEntry()) {
			t.Errorf("%q became %q", src, out)
		}
		back, err := e.remove(out, "new")
		if err == nil && e.find(must(e.tree(back)), "new") != nil {
			t.Errorf("%q is still in %q", "new", back)
		}
	})
}
