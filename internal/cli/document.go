package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"toolcrib/internal/app"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
)

// A document is all servers and their tools, to be read by people.
type document struct {
	now     time.Time
	servers []documentServer
	tools   int
}

type documentServer struct {
	app.ServerState
	entry config.Server
}

func newDocument(c config.Config, in *app.Inspection, now time.Time) *document {
	d := &document{now: now}
	for _, s := range in.Servers(in.Snapshot()) {
		entry, _ := c.Server(s.Name)
		d.servers = append(d.servers, documentServer{s, entry})
		if s.Known != nil {
			d.tools += s.Known.Len()
		}
	}
	return d
}

const (
	// catalogHead is what a new file begins with; its reader may write anything
	// else there.
	catalogHead = "# Tool catalogue\n\n"

	// catalogMark is the line below which everything is ours.
	catalogMark = "<!-- toolcrib catalog: what stands below this line is written anew each time -->"

	updatedLine = "Last updated: "
)

// splitCatalog parts a file into what its reader wrote and what we did. A file
// without our line is all theirs.
func splitCatalog(text string) (head, rest string) {
	if text == "" {
		return catalogHead, ""
	}
	if at := strings.Index(text, "<!-- toolcrib catalog"); at >= 0 {
		return text[:at], text[at:]
	}
	return strings.TrimRight(text, "\n") + "\n\n", ""
}

var updated = regexp.MustCompile(`(?m)^` + updatedLine + `.*$`)

// withoutTime is a document without when it was written.
func withoutTime(text string) string { return updated.ReplaceAllString(text, "") }

func (d *document) markdown() string {
	var b strings.Builder
	b.WriteString(catalogMark + "\n\n")
	fmt.Fprintf(&b, "%s%s. %s, %s.\n\n", updatedLine, stamp(d.now), count(len(d.servers), "server"), count(d.tools, "tool"))
	if len(d.servers) > 0 {
		b.WriteString("| server | state | tools | listed |\n|---|---|---|---|\n")
	}
	for _, s := range d.servers {
		tools, listed := "-", "-"
		if s.Known != nil {
			tools = fmt.Sprint(s.Known.Len())
		}
		if !s.Listed.IsZero() {
			listed = stamp(s.Listed)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(s.Name), strings.ReplaceAll(stateOf(s.ServerState), "_", " "), tools, listed)
	}
	for _, s := range d.servers {
		s.markdown(&b)
	}
	return b.String()
}

func (s documentServer) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n", inline(s.Name))
	b.WriteString(inline(s.about()) + "\n")
	if s.Known != nil && s.Known.Len() > 0 {
		b.WriteString("\n| tool | marks | what it does |\n|---|---|---|\n")
		for _, t := range s.Known.Tools() {
			fmt.Fprintf(b, "| %s | %s | %s |\n", code(t.Name()), strings.Join(s.marks(t), ", "), inline(cut(t.Description(), mostDescription)))
		}
	}
	text := s.entry.YAML()
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(b, "\n<details><summary>Configuration</summary>\n\n%syaml\n%s%s\n\n</details>\n", fence, text, fence)
}

// mostDescription is how much of a tool's description goes into the table.
const mostDescription = 200

// about is how a server stands, in sentences.
func (s documentServer) about() string {
	var parts []string
	if s.Known != nil {
		if title := s.Known.Title(); title != "" && title != s.Name {
			parts = append(parts, strings.TrimSpace(title+" "+s.Known.Version()))
		} else if version := s.Known.Version(); version != "" {
			parts = append(parts, "Version "+version)
		}
	}
	switch stateOf(s.ServerState) {
	case stateDisabled:
		parts = append(parts, "Disabled")
	case stateApproval:
		parts = append(parts, "Needs trust")
	case stateNever:
		parts = append(parts, "Never listed")
	case stateFailed:
		f := s.Known.Failure()
		parts = append(parts, "Failed since "+stamp(f.Since)+": "+f.Reason)
	default:
		parts = append(parts, "Listed "+stamp(s.Listed))
	}
	if s.Source != "" {
		parts = append(parts, "From "+s.Source)
	}
	if len(s.Aliases) > 0 {
		parts = append(parts, "Also called "+strings.Join(s.Aliases, ", "))
	}
	return strings.Join(parts, ". ") + "."
}

// marks are what one has to know of a tool.
func (s documentServer) marks(t *catalog.Tool) []string {
	var out []string
	if slices.Contains(s.entry.Approved, t.Name()) {
		out = append(out, "auto-approved")
	}
	if !t.Callable() {
		out = append(out, strings.ReplaceAll(string(t.Provenance()), "_", " ")+", cannot be called")
	}
	a := t.Annotations()
	switch {
	case a.ReadOnly == catalog.Yes:
		out = append(out, "read-only")
	case a.Destructive == catalog.Yes:
		out = append(out, "destructive")
	}
	return out
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// markup is what Markdown and HTML would act on.
var markup = regexp.MustCompile("[\\\\`*_{}\\[\\]<>|#~$&!]")

// inline makes one line of a text that came from elsewhere, which says nothing to
// whoever renders it.
func inline(text string) string { return markup.ReplaceAllString(clean(text), `\$0`) }

// code is a name as it is written.
func code(name string) string {
	if strings.ContainsAny(name, "`|") {
		return inline(name)
	}
	return "`" + clean(name) + "`"
}

type documentOutput struct {
	Version int                  `json:"version"`
	Updated time.Time            `json:"updated"`
	Servers []documentServerJSON `json:"servers"`
}

type documentServerJSON struct {
	serverJSON
	Catalog []documentToolJSON `json:"catalog"`
}

type documentToolJSON struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	Description  string `json:"description"`
	Provenance   string `json:"provenance"`
	AutoApproved bool   `json:"auto_approved"`
}

func (d *document) json() documentOutput {
	out := documentOutput{Version: jsonVersion, Updated: d.now.UTC(), Servers: []documentServerJSON{}}
	for _, s := range d.servers {
		one := documentServerJSON{serverJSON: serversJSON("", []app.ServerState{s.ServerState}).Servers[0], Catalog: []documentToolJSON{}}
		if s.Known != nil {
			for _, t := range s.Known.Tools() {
				one.Catalog = append(one.Catalog, documentToolJSON{
					ID: string(t.ID()), Name: t.Name(), Description: t.Description(), Provenance: string(t.Provenance()),
					AutoApproved: slices.Contains(s.entry.Approved, t.Name()),
				})
			}
		}
		out.Servers = append(out.Servers, one)
	}
	return out
}
