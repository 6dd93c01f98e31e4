package cli

import "testing"

// What servers say is text in a document, whatever it looks like.
func TestMarkdownOfOthers(t *testing.T) {
	for text, want := range map[string]string{
		"plain text":                         "plain text",
		"a | b":                              `a \| b`,
		"<script>x</script>":                 `\<script\>x\</script\>`,
		"[x](http://h)":                      `\[x\](http://h)`,
		"# title\n\n- list":                  `\# title - list`,
		"`code` *bold* _it_":                 "\\`code\\` \\*bold\\* \\_it\\_",
		"a\x1b[31mb\u202ec\u200bd":           "abcd",
		"<!-- toolcrib catalog: mine -->":    `\<\!-- toolcrib catalog: mine --\>`,
		"$x$ ~~y~~ &amp; ![i](j) \\ {{ z }}": `\$x\$ \~\~y\~\~ \&amp; \!\[i\](j) \\ \{\{ z \}\}`,
	} {
		if got := inline(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := code("read_page"); got != "`read_page`" {
		t.Errorf("a name became %q", got)
	}
	if got := code("a`b|c"); got != "a\\`b\\|c" {
		t.Errorf("an odd name became %q", got)
	}
}

func TestSplitCatalog(t *testing.T) {
	for text, want := range map[string][2]string{
		"":                                     {catalogHead, ""},
		"mine":                                 {"mine\n\n", ""},
		"mine\n\n<!-- toolcrib catalog -->\nx": {"mine\n\n", "<!-- toolcrib catalog -->\nx"},
		catalogMark + "\n":                     {"", catalogMark + "\n"},
	} {
		head, rest := splitCatalog(text)
		if head != want[0] || rest != want[1] {
			t.Errorf("%q: %q and %q", text, head, rest)
		}
	}
}
