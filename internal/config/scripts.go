package config

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Script is an entry of scripts: Lua that is run by its name.
type Script struct {
	Name        string
	At          Position // of its name in the file
	File        string   // where its text is; a relative path of the file starts at the configuration
	Source      string   // its text, if File is empty
	Description string
	Parameters  []ScriptParameter // in the order of the file
}

// MaxScript is how long a script in the file may be.
const MaxScript = 256 << 10

// Script is the entry of that name.
func (c Config) Script(name string) (Script, bool) {
	i := slices.IndexFunc(c.Scripts, func(s Script) bool { return s.Name == name })
	if i < 0 {
		return Script{}, false
	}
	return c.Scripts[i], true
}

var scriptName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

func (d *decoder) scripts(n *node) []Script {
	if n.about != nil {
		n.about.entries(func(e entry) { d.script(e) })
		return nil
	}
	if n.kind == nullNode {
		return nil
	}
	if n.kind != mapNode {
		d.problem(n.at, "scripts must be a mapping of names to scripts, not %s", n.kind)
		return nil
	}
	var out []Script
	for _, e := range n.entries {
		if !d.spend(e.at) {
			break
		}
		if !scriptName.MatchString(e.key) || strings.HasSuffix(strings.ToLower(e.key), ".lua") {
			d.problem(e.at, "%q cannot be a script's name: use 1 to 64 of A-Z a-z 0-9 _ . - that begin with a letter or digit and do not end in .lua", clip(e.key))
			continue
		}
		out = append(out, d.script(e))
	}
	return out
}

func (d *decoder) script(e entry) Script {
	s := Script{Name: e.key, At: e.at}
	what := "script " + e.key
	var fileNode, sourceNode *node
	before := len(d.problems)
	d.fields(e.value, what, []field{
		{"file", func(n *node) { fileNode, s.File = n, d.text(n, "file") }},
		{"source", func(n *node) { sourceNode, s.Source = n, d.text(n, "source") }},
		{"description", func(n *node) { s.Description = d.text(n, "description") }},
		{"parameters", func(n *node) { s.Parameters = d.scriptParameters(n, what) }},
	})
	switch {
	case len(d.problems) > before || e.value.about != nil:
	case fileNode != nil && sourceNode != nil:
		d.problem(sourceNode.at, "%s has a file and a source: remove one of them", what)
	case fileNode == nil && sourceNode == nil:
		d.problem(e.at, "%s needs a file or a source", what)
	case fileNode != nil && strings.TrimSpace(s.File) == "":
		d.problem(fileNode.at, "the file of %s is empty", what)
	case sourceNode != nil && strings.TrimSpace(s.Source) == "":
		d.problem(sourceNode.at, "the source of %s is empty", what)
	case len(s.Source) > MaxScript:
		d.problem(sourceNode.at, "the source of %s is longer than %d KiB", what, MaxScript>>10)
	case fileNode != nil && !filepath.IsAbs(s.File):
		s.File = filepath.Join(filepath.Dir(d.file), s.File)
	}
	return s
}
