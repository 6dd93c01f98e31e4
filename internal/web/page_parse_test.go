package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// skeleton is the elements of a page with the names of their attributes, by which two
// pages are compared that differ in texts alone. On its way it looks for what no page
// may have.
func skeleton(t *testing.T, page string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for n := range root.Descendants() {
		if n.Type == html.TextNode && strings.ContainsFunc(n.Data, unseen) {
			t.Errorf("a text of the page has what cannot be seen: %q", n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		var names []string
		for _, a := range n.Attr {
			names = append(names, a.Key)
			if why := forbidden(n.Data, a.Key, a.Val); why != "" {
				t.Errorf("<%s %s=%q>: %s", n.Data, a.Key, a.Val, why)
			}
		}
		if text := n.FirstChild; n.Data == "style" || n.Data == "iframe" || n.Data == "object" || n.Data == "embed" || n.Data == "base" || n.Data == "script" && text != nil {
			t.Errorf("the page has <%s> written in it", n.Data)
		}
		slices.Sort(names)
		out = append(out, n.Data+" "+strings.Join(names, " "))
	}
	return out
}

// forbidden says why a page may not have an attribute, "" if it may.
func forbidden(element, name, value string) string {
	switch {
	case strings.HasPrefix(name, "on"):
		return "a handler"
	case name == "style" || name == "srcdoc":
		return "written inline"
	case name == "src" && !strings.HasPrefix(value, "/static/"):
		return "comes from elsewhere"
	case (name == "href" || name == "action") && (!strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "#") || strings.HasPrefix(value, "//") || strings.Contains(value, "\\")):
		return "leads elsewhere"
	case element == "meta" && name == "http-equiv":
		return "what headers say is said by headers"
	}
	return ""
}

func firstDifference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%q in place of %q", b[i], a[i])
		}
	}
	return fmt.Sprintf("%d in place of %d", len(b), len(a))
}

// unseen are characters of the attacks that leave no mark.
func unseen(r rune) bool { return r == 0x1b || r == 0x202e || r == 0x200b || r == 0xe0041 || r == 0 }
