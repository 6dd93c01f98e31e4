package guard

import (
	"path"
	"slices"
	"strings"

	"toolcrib/internal/catalog"
)

// Terms say whom and what a rule or a limit is about. All that they name has to fit, of
// lists one item; what they do not name is any. Names are patterns with * and ?.
type Terms struct {
	Who         []string // subjects
	Scopes      []string // of the caller's token; capitals matter in them
	Servers     []string
	Tools       []string // names, or ids server.tool
	Categories  []string
	Tags        []string
	Annotations []Annotation
}

// An Annotation is what a server says of a tool's behaviour.
type Annotation string

// The annotations.
const (
	ReadOnly    Annotation = "read-only"   // it says so
	Writes      Annotation = "writes"      // it does not say that it is read-only
	Destructive Annotation = "destructive" // it says so
	OpenWorld   Annotation = "open-world"  // it says so
)

func (a Annotation) holds(said catalog.Annotations) bool {
	switch a {
	case ReadOnly:
		return said.ReadOnly == catalog.Yes
	case Writes:
		return said.ReadOnly != catalog.Yes
	case Destructive:
		return said.Destructive == catalog.Yes && said.ReadOnly != catalog.Yes
	case OpenWorld:
		return said.OpenWorld == catalog.Yes
	}
	return false
}

// concern tells whether they are about a caller.
func (t *Terms) concern(subject string, scopes []string) bool {
	return anyOf(t.Who, func(who string) bool { return fits(who, subject) }) &&
		anyOf(t.Scopes, func(scope string) bool {
			return slices.ContainsFunc(scopes, func(has string) bool { return fitsExactly(scope, has) })
		})
}

// wholeServers tells that they name nothing that tools alone have.
func (t *Terms) wholeServers() bool { return len(t.Tools) == 0 && !t.looks() }

// looks tells whether it takes a tool's definition to know if they are about it.
func (t *Terms) looks() bool {
	return len(t.Categories) > 0 || len(t.Tags) > 0 || len(t.Annotations) > 0
}

func (t *Terms) fits(tool *catalog.Tool) bool {
	return t.fitsServer(tool.Server().Name()) &&
		(len(t.Tools) == 0 || t.fitsTool(tool.Server().Name(), tool.Name()) || t.fitsTool(tool.Server().LuaName(), tool.LuaName())) &&
		anyOf(t.Categories, func(c string) bool { return fits(c, tool.Category()) }) &&
		anyOf(t.Tags, func(tag string) bool {
			return slices.ContainsFunc(tool.Tags(), func(has string) bool { return fits(tag, has) })
		}) &&
		(len(t.Annotations) == 0 || slices.ContainsFunc(t.Annotations, func(a Annotation) bool { return a.holds(tool.Annotations()) }))
}

func (t *Terms) fitsServer(server string) bool {
	return anyOf(t.Servers, func(name string) bool { return fits(name, server) || fits(name, catalog.Identifier(server)) })
}

func (t *Terms) fitsTool(server, tool string) bool {
	return anyOf(t.Tools, func(name string) bool { return fits(name, tool) || fits(name, server+"."+tool) })
}

// anyOf tells whether one of a list fits; an empty list fits all.
func anyOf(list []string, fits func(string) bool) bool {
	return len(list) == 0 || slices.ContainsFunc(list, fits)
}

// fits tells whether a name fits a pattern. Capitals do not matter: a rule that
// denies must not be passed by writing.
func fits(pattern, name string) bool {
	return fitsExactly(strings.ToLower(pattern), strings.ToLower(name))
}

// fitsExactly is for scopes, which an issuer wrote: ADMIN may be another one than admin.
func fitsExactly(pattern, name string) bool {
	if pattern == "*" {
		return true
	}
	ok, err := path.Match(escape(pattern), slashless(name))
	return err == nil && ok
}

// Only * and ? mean something, and both fit a slash too.
func escape(pattern string) string {
	return slashless(strings.NewReplacer(`\`, `\\`, `[`, `\[`).Replace(pattern))
}

func slashless(text string) string { return strings.ReplaceAll(text, "/", "\x00") }
