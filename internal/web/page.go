package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Pages are rendered here, whole, from what a Source says: they can be read without
// any script. The few scripts ask for the same pages again, or for the API, and put
// parts of the answer in place of what is shown. Nothing in a page is written inline
// but text, so that the policy of pages can forbid all the rest; what servers wrote is
// text and is cleaned of what cannot be seen.

//go:embed templates/*.html
var templateFiles embed.FS

// pages are what a person sees.
type pages struct {
	source Source
	log    *slog.Logger
	now    func() time.Time
	views  func() map[string]*template.Template
	assets map[string]asset
}

func newPages(source Source, log *slog.Logger) *pages {
	p := &pages{source: source, log: log, now: time.Now, assets: loadAssets()}
	p.views = sync.OnceValue(p.readViews)
	return p
}

// readViews reads the templates when a page is first asked for: they are megabytes that
// a gateway without onlookers need not hold. They are part of the program: that they
// cannot be used is found by its tests.
func (p *pages) readViews() map[string]*template.Template {
	views := map[string]*template.Template{}
	base := template.Must(template.New("base").Funcs(p.funcs()).ParseFS(templateFiles, "templates/frame.html", "templates/part_*.html"))
	names, err := fs.Glob(templateFiles, "templates/view_*.html")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		key := name[len("templates/view_") : len(name)-len(".html")]
		views[key] = template.Must(template.Must(base.Clone()).ParseFS(templateFiles, name))
	}
	return views
}

// A frame is what is around every page.
type frame struct {
	Title   string // of the page
	Section string // that is marked in the navigation
	Me      Me
	Health  string // of the gateway, in one word
	Waiting int    // matters of trust that wait for a person
	Live    bool   // parts of the page are kept up to date
	Scripts []string
	Body    any
}

// A view makes the body of one page.
type view struct {
	name    string // of its template
	section string
	scripts []string
	live    bool
	body    func(r *http.Request, who Caller, me Me) (title string, body any, problem *Problem)
}

// table is every page, by its pattern. The names are those of their templates.
func (p *pages) table() map[string]view {
	return map[string]view{
		"GET /{$}":            {"overview", "overview", nil, true, p.overview},
		"GET /servers":        {"servers", "servers", []string{"actions.js"}, true, p.servers},
		"GET /servers/{name}": {"server", "servers", []string{"actions.js"}, true, p.server},
		"GET /catalog":        {"catalog", "catalog", []string{"catalog.js"}, false, p.catalog},
		"GET /tools/{id}":     {"tool", "catalog", []string{"actions.js", "try.js"}, false, p.tool},
		"GET /activity":       {"activity", "activity", []string{"activity.js"}, true, p.activity},
		"GET /activity/{id}":  {"call", "activity", nil, false, p.call},
		"GET /trust":          {"trust", "trust", []string{"actions.js"}, true, p.trust},
		"GET /config":         {"config", "config", nil, true, p.config},
	}
}

// serve answers with one view.
func (p *pages) serve(w http.ResponseWriter, r *http.Request, v view, who Caller, me Me) {
	title, body, problem := v.body(r, who, me)
	if problem != nil {
		p.fail(w, who, me, problem)
		return
	}
	p.write(w, http.StatusOK, v.name, p.frame(who, me, v, title, body))
}

func (p *pages) frame(who Caller, me Me, v view, title string, body any) frame {
	o := p.source.Overview(who)
	return frame{
		Title: title, Section: v.section, Me: me, Health: o.Health.Status, Live: v.live, Scripts: v.scripts, Body: body,
		Waiting: o.Tools.Held + o.Tools.Findings + o.Servers.NeedsApproval,
	}
}

// fail answers with a page that says what is wrong and what to do about it.
func (p *pages) fail(w http.ResponseWriter, who Caller, me Me, problem *Problem) {
	told := *problem
	if told.Code == CodeNotFound { // what a Source says then is for programs
		told.Next = "It may have gone, or be called something else; what is not for you is not here either."
	}
	p.write(w, told.Status, "problem", p.frame(who, me, view{}, http.StatusText(told.Status), told))
}

// write renders a page as a whole before any of it is sent.
func (p *pages) write(w http.ResponseWriter, status int, name string, f frame) {
	var b bytes.Buffer
	if err := p.views()[name].ExecuteTemplate(&b, "frame", f); err != nil {
		p.log.Error("a page cannot be rendered", "page", name, "error", err)
		http.Error(w, fmt.Sprintf("The page %q cannot be shown: the gateway's log says why. The same is at /api/v1.", name), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // whoever has gone away needs no page
}
