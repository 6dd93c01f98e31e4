package web

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// pagePaths are every page of a small model, by the name of its golden file.
var pagePaths = map[string]string{
	"overview":        "/",
	"servers":         "/servers",
	"server":          "/servers/workshop",
	"server_failed":   "/servers/files%2Fand%20more",
	"server_untold":   "/servers/builder",
	"catalog":         "/catalog",
	"catalog_search":  "/catalog?q=make+an+order",
	"catalog_filter":  "/catalog?q=order&tag=parts&state=held&server=workshop",
	"tool":            "/tools/workshop.create_order",
	"tool_down":       "/tools/units.convert",
	"tool_denied":     "/tools/shady.note",
	"tool_missing":    "/tools/no.such",
	"activity":        "/activity",
	"activity_filter": "/activity?kind=call&outcome=error&text=x",
	"call":            "/activity/9",
	"call_search":     "/activity/8",
	"call_script":     "/activity/7",
	"call_discovery":  "/activity/6",
	"call_missing":    "/activity/x",
	"trust":           "/trust",
	"config":          "/config",
}

// pageHandler serves the pages of a model, at noon.
func pageHandler(m *model, actions bool) (*Handler, *bytes.Buffer) {
	var log bytes.Buffer
	h := New(Options{Source: m, Version: "1.0.0", Actions: actions, Key: isGoodKey, Log: slog.New(slog.NewTextHandler(&log, nil))})
	h.pages.now = func() time.Time { return noon }
	return h, &log
}

// look reads a page as somebody who may decide what there is to decide.
func look(t *testing.T, h *Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	if h.o.Key == nil {
		return send(h, http.MethodGet, path, "", nil)
	}
	return send(h, http.MethodGet, path, "", nil, KeyHeader, goodKey)
}

func TestPagesGolden(t *testing.T) {
	for _, actions := range []bool{true, false} {
		h, log := pageHandler(small(), actions)
		for name, path := range pagePaths {
			if !actions {
				name += "_read_only"
			}
			got := look(t, h, path).Body.Bytes()
			if !actions && !bytes.Contains(got, []byte("read-only")) {
				t.Errorf("%s does not say that it is read-only", path)
			}
			if !actions && !strings.HasPrefix(name, "tool_read") && !strings.HasPrefix(name, "trust") {
				continue // they differ by little
			}
			got = versions.ReplaceAll(got, []byte("?v=..."))
			if name != "overview" { // which has the frame of all
				got = got[bytes.Index(got, []byte("<main")):bytes.Index(got, []byte("</main>"))]
			}
			golden(t, filepath.Join("testdata", "pages", name+".html"), got)
		}
		if log.Len() > 0 {
			t.Errorf("the log says %s", log)
		}
	}
}

// Whoever has not shown the key is told how to, where there is something to decide, and
// can try tools all the same.
func TestPagesWithoutTheKey(t *testing.T) {
	h, _ := pageHandler(small(), true)
	for path, tries := range map[string]bool{"/trust": false, "/tools/units.convert": true} {
		page := send(h, http.MethodGet, path, "", nil).Body.String()
		if strings.Contains(page, "/approve") || strings.Contains(page, "/reject") || strings.Contains(page, "data-try") != tries {
			t.Errorf("%s has the wrong buttons:\n%s", path, page)
		}
		for _, way := range []string{"<code>toolcrib page</code>", `href="/login?decide=1&amp;next=/trust"`, "<code>toolcrib trust "} {
			if !strings.Contains(page, way) {
				t.Errorf("%s does not tell of %s", path, way)
			}
		}
	}
}

// versions are what assets are named by, which is no matter of pages.
var versions = regexp.MustCompile(`\?v=[0-9a-f]+`)

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: go test ./internal/web -update writes it", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is another than before: look at it, and go test ./internal/web -update writes it", file)
	}
}

// With nothing, and with a great many tools, every page is there and small enough.
func TestPagesOfAnySize(t *testing.T) {
	for name, m := range map[string]*model{"empty": empty(), "crowded": crowded(5000)} {
		h, log := pageHandler(m, true)
		for _, path := range []string{"/", "/servers", "/catalog", "/catalog?page=2", "/catalog?q=order", "/activity", "/trust", "/config"} {
			w := look(t, h, path)
			if w.Code != http.StatusOK || !strings.HasSuffix(strings.TrimSpace(w.Body.String()), "</html>") {
				t.Errorf("%s: %s is %d", name, path, w.Code)
			}
			if most := 200_000; w.Body.Len() > most {
				t.Errorf("%s: %s has %d bytes, more than %d", name, path, w.Body.Len(), most)
			}
			if name == "empty" && path != "/config" && path != "/" && !strings.Contains(w.Body.String(), "<code>toolcrib ") {
				t.Errorf("%s does not say what to do next", path)
			}
		}
		if log.Len() > 0 {
			t.Errorf("%s: the log says %s", name, log)
		}
	}
}

// Whatever texts say, and wherever they stand, a page is the same elements and
// attributes as with harmless ones; no script, style or handler is written in one; and
// no link leads to anything but a page.
func TestS20HostileTexts(t *testing.T) {
	var harmless [][]string
	plain := crooked("harmless")
	for _, path := range hostilePaths {
		harmless = append(harmless, skeleton(t, look(t, plain, path("harmless")).Body.String()))
	}
	for _, attack := range []string{
		`<script>canary()</script>`, `<img src=x onerror=canary()>`, `"><svg onload=canary()>`, `' onmouseover='canary()' x='`, "`canary()`",
		`javascript:canary()`, `</title></textarea></style></script><iframe srcdoc='x'>`, `{{.Source}}`, "x\x1b[31m\u202e\u200b\U000e0041\x00", `//evil.example/`, `../../logout`,
	} {
		hostile := crooked(attack)
		for i, path := range hostilePaths {
			w := look(t, hostile, path(attack))
			if w.Code != http.StatusOK {
				t.Fatalf("%s is %d", path(attack), w.Code)
			}
			if is := skeleton(t, w.Body.String()); !slices.Equal(is, harmless[i]) {
				t.Errorf("%s with %q has other elements: %s", path(attack), attack, firstDifference(harmless[i], is))
			}
		}
	}
}

// crooked serves a model all of whose texts are one.
func crooked(text string) *Handler {
	m := small()
	for _, part := range []any{&m.overview, &m.servers, &m.tools, &m.categories, &m.tags, &m.found, &m.activities, &m.trust, &m.config} {
		spoil(reflect.ValueOf(part), text)
	}
	h, _ := pageHandler(m, true)
	return h
}

var hostilePaths = []func(text string) string{
	func(string) string { return "/" },
	func(string) string { return "/servers" },
	func(text string) string { return "/servers/" + url.PathEscape(text) },
	func(string) string { return "/catalog" },
	func(text string) string { return "/catalog?q=" + url.QueryEscape(text) },
	func(text string) string {
		return "/catalog?" + url.Values{"q": {text}, "server": {text}, "category": {text}, "tag": {text}, "state": {text}}.Encode()
	},
	func(text string) string { return "/tools/" + url.PathEscape(text) },
	func(string) string { return "/activity" },
	func(text string) string { return "/activity?" + url.Values{"text": {text}, "tool": {text}}.Encode() },
	func(string) string { return "/activity/9" },
	func(string) string { return "/activity/8" },
	func(string) string { return "/trust" },
	func(string) string { return "/config" },
}

// Every page, asset and problem has the headers that hold a browser back.
func TestS20Headers(t *testing.T) {
	h, _ := pageHandler(small(), true)
	paths := []string{"/login", "/static/page.css", "/static/none.css", "/tools/no.such", "/api/v1/none"}
	for _, path := range pagePaths {
		paths = append(paths, path)
	}
	for _, path := range paths {
		got := look(t, h, path).Header()
		for name, want := range map[string]string{
			"Content-Security-Policy":    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
			"X-Content-Type-Options":     "nosniff",
			"X-Frame-Options":            "DENY",
			"Referrer-Policy":            "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got.Get(name) != want {
				t.Errorf("%s of %s is %q, not %q", name, path, got.Get(name), want)
			}
		}
	}
}

// Whoever is not known is shown the way in, and comes back to the page that they wanted.
func TestPagesWantALogin(t *testing.T) {
	h := New(Options{Source: small(), Authenticate: func(r *http.Request) (Caller, error) {
		if r.Header.Get("Authorization") != "Bearer right" {
			return Caller{}, errors.New("wrong")
		}
		return Caller{Subject: "ada"}, nil
	}})
	w := look(t, h, "/catalog?q=a%26b")
	if want := "/login?next=%2Fcatalog%3Fq%3Da%2526b"; w.Code != http.StatusSeeOther || w.Header().Get("Location") != want {
		t.Errorf("a page is answered with %d to %q, not to %q", w.Code, w.Header().Get("Location"), want)
	}
	for path, want := range map[string]string{
		"/login?next=/trust":               `name="next" value="/trust"`,
		"/login?next=//evil.example":       `name="next" value="/"`,
		"/login?problem=unauthorized":      "not the gateway&#39;s token",
		"/login?problem=<b>&next=/servers": `value="/servers"`,
	} {
		if w := look(t, h, path); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s is %d without %q: %s", path, w.Code, want, w.Body)
		} else {
			skeleton(t, w.Body.String())
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/login?next=/trust", nil)
	r.Header.Set("Authorization", "Bearer right")
	w = httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Header().Get("Location") != "/trust" {
		t.Errorf("whoever is in already is sent to %q", w.Header().Get("Location"))
	}
}

// A browser keeps an asset until there is another one of its name.
func TestAssets(t *testing.T) {
	h, _ := pageHandler(empty(), false)
	for name := range h.pages.assets {
		w := look(t, h, h.pages.assetURL(name))
		if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Header().Get("Content-Type") == "" {
			t.Errorf("%s is %d with %v", name, w.Code, w.Header())
		}
		if w := look(t, h, "/static/"+name+"?v=old"); strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("another version of %s would be kept: %v", name, w.Header())
		}
	}
}
