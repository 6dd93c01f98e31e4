package main

import (
	"cmp"
	"runtime/debug"
	"slices"
	"strings"
)

// A bill is a CycloneDX document, as far as it is used here.
type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"` // of the commit, so that the same binary has the same bill
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	URL        string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn,omitempty"`
}

// luaVersion is of the Lua that internal/script/lua/build.sh compiles to wasm.
const luaVersion = "5.4.9"

// billOf is what a binary is made of.
func billOf(info *debug.BuildInfo) bill {
	main := library(info.Main)
	main.Type = "application"
	out := bill{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{Component: main}, Components: []component{
		{Type: "library", Ref: "lua", Name: "lua", Version: luaVersion, URL: "pkg:generic/lua@" + luaVersion, Properties: []property{{"toolcrib:form", "wasm"}}},
		{Type: "library", Ref: "pkg:golang/std@" + goVersion(info), Name: "std", Version: goVersion(info), URL: "pkg:golang/std@" + goVersion(info)},
	}}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.time":
			out.Metadata.Timestamp = s.Value
		case "vcs.revision", "vcs.modified", "GOOS", "GOARCH", "CGO_ENABLED":
			out.Metadata.Component.Properties = append(out.Metadata.Component.Properties, property{"golang:" + s.Key, s.Value})
		}
	}
	for _, m := range info.Deps {
		out.Components = append(out.Components, library(*m))
	}
	slices.SortFunc(out.Components, func(a, b component) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Version, b.Version))
	})
	all := dependency{Ref: main.Ref}
	for _, c := range out.Components {
		all.On = append(all.On, c.Ref)
	}
	out.Dependencies = []dependency{all}
	return out
}

// library is a module of Go. Its sum is Go's own, over all files of the module, which
// CycloneDX has no word for.
func library(m debug.Module) component {
	if m.Replace != nil {
		m = *m.Replace
	}
	version := cmp.Or(m.Version, "(devel)")
	url := "pkg:golang/" + m.Path + "@" + version
	c := component{Type: "library", Ref: url, Name: m.Path, Version: version, URL: url}
	if m.Sum != "" {
		c.Properties = []property{{"golang:h1", m.Sum}}
	}
	return c
}

// goVersion is a version without the word in front, and what was switched on.
func goVersion(info *debug.BuildInfo) string {
	version, _, _ := strings.Cut(strings.TrimPrefix(info.GoVersion, "go"), " ")
	return version
}
