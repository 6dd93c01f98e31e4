package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// A Project is a toolcrib.yaml that lies in the working directory. Whoever wrote the
// project wrote it, so it adds to the user's own file and replaces nothing of it:
//
//	servers       come behind the user's own, each started once it is approved
//	all the rest  its settings; where the user's own file does not name a part, and
//	              once all of them together are approved
//
// What is not approved is shown as it is written, and nothing else is done with it.
type Project struct {
	File     string
	Settings Claim    // File is "" if there are none
	Parts    []string // the keys of the settings
	Text     string   // the settings as YAML, without secrets, as they are written
	Held     bool     // they are not approved, and do not count
}

// serverKeys are the keys of a file that are no settings.
var serverKeys = []string{"servers", "mcpServers", "$schema"}

// addProject puts what a project's file has behind what own has.
func (r *Reader) addProject(own Config, file string) (Config, error) {
	src, err := readSmall(file, MaxSize)
	if err != nil {
		return own, fileError(file, "cannot be read: %v", reason(err))
	}
	d := r.decoder(file, src, ownForms)
	d.secret = true // it may be a link to anything
	root, err := d.tree()
	if err != nil {
		return own, err
	}
	if root.kind == nullNode {
		return own, fileError(file, "holds only comments; a first configuration could be:\n%s", indent(Example))
	}
	d.hold(true)
	written := d.config(root)
	if len(d.problems) > 0 {
		return own, &Error{d.problems}
	}
	d.warnings, d.used = nil, nil
	p := &projectReader{decoder: d, root: root}
	theirs := p.settings(written)
	theirs.Servers = p.servers(written)
	if d.spent >= mostValues {
		return own, &Error{d.problems}
	}
	theirs.Warnings, theirs.Used = append(d.warnings, p.waiting(theirs.Servers)...), append(d.used, file)
	out := r.joinProject(own, theirs)
	if len(own.Include) == 0 {
		out = r.add(out) // what it includes is approved with its settings
	}
	return out, nil
}

// hold has what follows read as it is written, or with its variables replaced.
func (d *decoder) hold(held bool) {
	if d.held, d.variables.forms = held, ownForms; held {
		d.variables.forms = 0
	}
}

// A projectReader reads one project's file, in parts.
type projectReader struct {
	*decoder
	root    *node
	project Project
}

// release has what follows read with its variables replaced, those of a .env beside
// the file included if what was approved reads that.
func (p *projectReader) release(c Claim) {
	p.hold(false)
	p.variables.dotenv = nil
	if path := p.dotenvPath(); slices.Contains(c.Reads, path) {
		p.variables.dotenv = p.besideDotenv()
	}
}

func (p *projectReader) dotenvPath() string { return filepath.Join(p.variables.dir, ".env") }

// claim is what is to be approved of these entries. If there are variables in them,
// the .env beside the file may say what they are.
func (p *projectReader) claim(name string, entries []entry, more ...string) Claim {
	return p.decoder.claim(claiming{root: p.variables.dir, name: name, entries: entries, files: more, dotenv: p.dotenvPath()})
}

// servers are those of the file, with their variables replaced where they are approved.
func (p *projectReader) servers(written Config) []Server {
	at := map[string]entry{}
	for _, key := range serverKeys[:2] {
		for _, e := range p.root.child(key).each() {
			at[e.key] = e
		}
	}
	var out []Server
	for _, s := range written.Servers {
		e := at[s.Name]
		var more []string
		if s.EnvFile != "" {
			if strings.ContainsAny(s.EnvFile, "${}") {
				p.warn(s.At, "server %s is left out: envFile of a project's entry cannot hold variables", s.Name)
				continue
			}
			more = append(more, p.path(s.EnvFile, p.variables.dir))
		}
		c := p.claim(s.Name, []entry{e}, more...)
		if s.Untrusted = !p.approved(&c, e.at); !s.Untrusted {
			p.release(c)
			before := len(p.problems)
			s = p.server(e)
			if len(p.problems) > before {
				p.leaveOut(s, before)
				continue
			}
		}
		s.Source, s.Claim = p.file, c
		out = append(out, s)
	}
	return out
}

// leaveOut makes warnings of what is wrong with an entry that is not in others' way.
func (p *projectReader) leaveOut(s Server, before int) {
	for _, bad := range p.problems[before:] {
		bad.Text = fmt.Sprintf("server %s is left out: %s", s.Name, bad.Text)
		p.warnings = append(p.warnings, bad)
	}
	p.problems, p.unset = p.problems[:before], nil
}

// settings are all of the file but its servers, if they are approved.
func (p *projectReader) settings(written Config) Config {
	out := Config{File: p.file}
	p.project = Project{File: p.file}
	rest := &node{kind: mapNode, at: p.root.at}
	for _, e := range p.root.entries {
		if !slices.Contains(serverKeys, e.key) && e.value.kind != nullNode {
			rest.entries = append(rest.entries, e)
			p.project.Parts = append(p.project.Parts, e.key)
		}
	}
	if len(rest.entries) == 0 {
		out.Project = p.project
		return out
	}
	var scripts []string
	for _, s := range written.Scripts {
		if s.File != "" {
			scripts = append(scripts, p.path(s.File, ""))
		}
	}
	c := p.claim("", rest.entries, scripts...)
	if c.Sum == "" {
		return out
	}
	p.project.Held = !p.approved(&c, p.root.at)
	if !p.project.Held {
		p.release(c)
		warnings := p.warnings
		out = p.config(rest)
		p.warnings = warnings // that there are no servers in it is as it should be
		if len(p.problems) > 0 {
			p.warnings = append(p.warnings, p.problems...)
			out, p.problems, p.unset = Config{File: p.file}, nil, nil
		}
	}
	p.project.Settings, p.project.Text = c, MaskText(rest.yaml(""))
	out.Project = p.project
	return out
}

// waiting says that not all of the file counts.
func (p *projectReader) waiting(servers []Server) []Problem {
	var out []Problem
	say := func(format string, args ...any) {
		out = append(out, Problem{File: p.file, Text: fmt.Sprintf(format, args...), Waits: true})
	}
	held := 0
	for _, s := range servers {
		if s.Untrusted && !s.Disabled {
			held++
		}
	}
	const own = "or name the file with --config if all of it is your own"
	switch {
	case held == 1:
		say("is a project's own file: 1 of its servers waits for approval; run toolcrib trust, %s", own)
	case held > 1:
		say("is a project's own file: %d of its servers wait for approval; run toolcrib trust, %s", held, own)
	}
	if p.project.Held {
		say("is a project's own file: its settings do not count (%s); run toolcrib trust --settings, %s", strings.Join(p.project.Parts, ", "), own)
	}
	return out
}

// noSettings are what is in a Config besides settings.
var noSettings = []string{"File", "Servers", "Project", "Warnings", "Advice", "Used", "Private"}

// joinProject puts what a project's file has behind what the user's own has. A part
// of the settings that the user's own file names is the user's.
func (r *Reader) joinProject(own, theirs Config) Config {
	out := own
	if out.File == "" {
		out.File = theirs.File
	}
	out.Project = theirs.Project
	out.Warnings = append(slices.Clone(out.Warnings), theirs.Warnings...)
	out.Used = append(slices.Clone(out.Used), theirs.Used...)
	mine, added := reflect.ValueOf(&out).Elem(), reflect.ValueOf(theirs)
	for i := range mine.NumField() {
		if !slices.Contains(noSettings, mine.Type().Field(i).Name) && mine.Field(i).IsZero() {
			mine.Field(i).Set(added.Field(i))
		}
	}
	found := Found{Title: "the working directory", File: theirs.File, Scope: ProjectScope, Servers: theirs.Servers}
	servers, conflicts := r.Merge(out.Servers, []Found{found})
	out.Servers, out.Warnings = servers, append(out.Warnings, conflicts...)
	return out
}
