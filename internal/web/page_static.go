package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed static
var staticFiles embed.FS

// An asset is a file that pages name.
type asset struct {
	body []byte
	kind string // its media type
	sum  string // the beginning of its hash
}

var assetKinds = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// loadAssets reads them once: they are part of the program.
func loadAssets() map[string]asset {
	out := map[string]asset{}
	names, err := fs.Glob(staticFiles, "static/*")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		body, err := staticFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(body)
		out[path.Base(name)] = asset{body: body, kind: assetKinds[path.Ext(name)], sum: hex.EncodeToString(sum[:6])}
	}
	return out
}

// assetURL names a version of a file, so that a browser keeps it until it is another.
func (p *pages) assetURL(name string) string { return "/static/" + name + "?v=" + p.assets[name].sum }

// asset answers with one. Anybody may have them: they are the same everywhere.
func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	a, ok := p.assets[strings.TrimPrefix(r.URL.Path, "/static/")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", `"`+a.sum+`"`)
	switch {
	case r.URL.Query().Get("v") == a.sum:
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	case r.Header.Get("If-None-Match") == `"`+a.sum+`"`:
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(a.body)
}
