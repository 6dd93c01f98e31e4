package catalog_test

import (
	"strings"
	"testing"
	"time"

	"toolcrib/internal/catalog"
)

func TestWithout(t *testing.T) {
	found := func(names ...string) (list []catalog.Found) {
		for _, name := range names {
			list = append(list, catalog.Found{Raw: []byte(`{"name":"` + name + `","description":"x"}`), Provenance: catalog.Protocol})
		}
		return list
	}
	s := catalog.Build([]catalog.Listing{
		{Server: "a", Tools: found("create_issue", "delete_issue", "odd name", "odd-name")},
		{Server: "b", Tools: found("create_issue")},
	}, catalog.Rules{}, time.Now())
	if s.Without(nil, nil, nil) != s || s.Without(func(*catalog.Tool) bool { return false }, nil, nil) != s {
		t.Error("a snapshot of which nothing is left out is another one")
	}
	less := s.Without(func(x *catalog.Tool) bool { return x.Name() == "odd name" || x.Name() == "delete_issue" }, nil, nil)
	if in := less.InCategory(less.Tools()[0].Category()); len(in) == 0 || less.Find("a", "odd-name") == nil || less.Find("a", "odd name") != nil {
		t.Error("what is left is not found, or what is not is")
	}
	var ids []string
	for _, x := range less.Tools() {
		ids = append(ids, string(x.ID()))
		if less.Tool(x.ID()) != x || s.Tool(x.ID()) == nil || x.Server() != less.Server(x.Server().Name()) {
			t.Errorf("%s is not found by its id, or has another server", x.ID())
		}
	}
	if got := strings.Join(ids, " "); !strings.Contains(got, "a.odd_name_") || strings.Contains(got, "delete") || len(ids) != 3 {
		t.Errorf("left: %s", got)
	}
	for _, f := range less.Server("a").Listing().Tools {
		if strings.Contains(string(f.Raw), "delete") || strings.Contains(string(f.Raw), "odd name") {
			t.Errorf("the listing still has %s", f.Raw)
		}
	}
	if less.Version() == s.Version() || len(s.Server("a").Listing().Tools) != 4 {
		t.Error("the same version, or the whole was changed")
	}
	if one := s.Without(nil, func(x *catalog.Server) bool { return x.Name() == "a" }, nil); one.Len() != 1 || one.Server("a") != nil {
		t.Errorf("%d tools are left without a", one.Len())
	}
}

func TestFingerprint(t *testing.T) {
	if catalog.Fingerprint([]byte(`{"name":"a","x":1}`)) != catalog.Fingerprint([]byte(` {"x":2,"name":"\u0061"}`)) {
		t.Error("it hangs on more than what a tool is")
	}
	if catalog.Fingerprint([]byte(`[]`)) != "" || catalog.Fingerprint([]byte(`{"name":"a"}`)) == catalog.Fingerprint([]byte(`{"name":"a","description":"b"}`)) {
		t.Error("what is no definition, or another one, has the same")
	}
}
