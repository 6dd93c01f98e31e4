package guard

import (
	"strings"

	"toolcrib/internal/lazyre"
)

// nameLike are words that can be the name of a tool: of several parts.
var nameLike = lazyre.New(`[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+`)

// meddling is what a text says of a tool that it wants used otherwise, before it or
// behind it.
var (
	meddlingBefore = lazyre.New(`\b(instead of|rather than|in place of|replaces?|supersedes?|do not (use|call)|don't (use|call)|never (use|call)|avoid|stop using|deprecated in favou?r|before (using|calling|running|invoking)|after (using|calling|running|invoking)|when(ever)? (using|calling|you (use|call))|prior to|(change|modify|alter|override|intercept|redirect) (the )?(behaviou?r|recipient|arguments?|parameters?|output|results?)( of| to| for)?|must (also )?(call|use|run)|always (call|use|run)|first (call|use|run)|then (call|use|run)|secretly (call|use|run)|to the)( the)?( tools?)? ?["'(]?$`)
	meddlingAfter  = lazyre.New(`^["')]?( tool| function| from [a-z0-9_-]+)?( is| are| must| should| has| have| tool is)?( being)? ?(called|used|invoked|available|present|deprecated|broken|insecure|unsafe|compromised|disabled|must|should|always|no longer|has been (replaced|deprecated)|only|requires? (you|that)|first\b)`)
)

// crossServer finds a text that tells how another server's tool is to be used.
func (s *scanner) crossServer(where, text, folded string) {
	if s.others == nil || where == "name" || where == "title" {
		return
	}
	for _, name := range nameLike.FindAllString(text, 200) {
		if len(name) < 6 || !s.others(name) {
			continue
		}
		low := strings.ToLower(strings.NewReplacer("`", "", "*", "").Replace(name))
		for at, rest := 0, folded; ; {
			i := strings.Index(rest, low)
			if i < 0 {
				break
			}
			start, end := at+i, at+i+len(low)
			if meddlingBefore.MatchString(folded[max(0, start-60):start]) || meddlingAfter.MatchString(folded[end:min(len(folded), end+60)]) {
				s.f.add(CrossServer, where, "it says how a tool of another server is to be used", folded[max(0, start-60):min(len(folded), end+60)])
				return
			}
			at, rest = end, folded[end:]
		}
	}
}
