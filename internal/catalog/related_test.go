package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func related(s *Snapshot, id ToolID, most int) string {
	var out []string
	for _, r := range s.Related(s.Tool(id), most) {
		out = append(out, fmt.Sprintf("%s (%s)", r.Tool.ID(), r))
	}
	return strings.Join(out, "\n")
}

func TestRelated(t *testing.T) {
	s := build(
		listing("mail",
			tool(`{"name":"send_email","_meta":{"related":["draft-email","send_email","nobody","book.find_person"],"often_used_with":"find_contact"}}`),
			named("draft-email"), named("list_mailboxes"), named("archive_email"), named("find_draft"), named("ping")),
		listing("book", named("find_person"), named("draft_letter"), named("draft-email")),
		listing("crm", named("find_contact")),
		listing("post", named("send_mailing"), named("read_email")),
	)
	want := `mail.draft_email (explicit)
book.find_person (explicit)
crm.find_contact (explicit)
mail.archive_email (same category)
mail.find_draft (same category)
mail.list_mailboxes (same category)
mail.ping (same category)
book.draft_email (same category)
post.read_email (same category)
book.draft_letter (same category)
post.send_mailing (shared tags: send)`
	if got := related(s, "mail.send_email", 50); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := related(s, "mail.send_email", 2); got != "mail.draft_email (explicit)\nbook.find_person (explicit)" {
		t.Errorf("got\n%s", got)
	}
	if got := strings.Count(related(s, "mail.send_email", 0), "\n"); got != DefaultRelated-1 {
		t.Errorf("%d lines", got)
	}
}

// That two tools fit no category relates them to nothing, nor does it that
// both only read.
func TestUnrelated(t *testing.T) {
	s := build(listing("srv",
		tool(`{"name":"frob","annotations":{"readOnlyHint":true}}`), tool(`{"name":"twiddle","annotations":{"readOnlyHint":true}}`)))
	if got := related(s, "srv.frob", 5); got != "" {
		t.Errorf("got %s", got)
	}
}

// A name that several servers have is nobody's in particular.
func TestRelatedNameIsAmbiguous(t *testing.T) {
	one := tool(`{"name":"frob","_meta":{"related_tools":["search"]}}`)
	s := build(listing("a", one), listing("b", named("search")), listing("c", named("search")))
	if got := related(s, "a.frob", 5); got != "" {
		t.Errorf("got %s", got)
	}
	s = build(listing("a", one), listing("b", named("search")))
	if got := related(s, "a.frob", 5); got != "b.search (explicit)" {
		t.Errorf("got %s", got)
	}
}

func TestRelatedIsBounded(t *testing.T) {
	l := listing("srv")
	for i := range 20_000 {
		l.Tools = append(l.Tools, named(fmt.Sprintf("send_email_%05d", i)))
	}
	s := build(l)
	x := s.Tool("srv.send_email_10000")
	first := s.Related(x, 1_000_000)
	if len(first) != MaxRelated {
		t.Fatalf("%d related", len(first))
	}
	again := func(a, b Relation) bool { return a.Tool == b.Tool && a.String() == b.String() }
	for range 3 {
		if !slices.EqualFunc(first, s.Related(x, MaxRelated), again) {
			t.Fatal("differs from one time to the next")
		}
	}
}
