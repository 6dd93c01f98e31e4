package trace

import (
	"strconv"
	"strings"

	"toolcrib/internal/wire"
)

// searched is what an answer of search_tools says, as far as it is looked at.
type searched struct {
	verdict string
	found   int // how many there are
	top     []string
}

// verdicts are all there are.
var verdicts = map[string]bool{"found": true, "near": true, "withheld": true, "unavailable": true, "none": true}

// readSearch reads an answer of search_tools; nil if it is none, such as that of
// a server's own tool of that name.
func readSearch(result []byte) *searched {
	answer := wire.Find(result, "structuredContent")
	metadata := wire.Find(answer, "metadata")
	verdict, _ := wire.Text(wire.Find(metadata, "verdict"))
	if !verdicts[verdict] {
		return nil
	}
	s := &searched{verdict: verdict}
	s.found, _ = strconv.Atoi(string(wire.Find(metadata, "filtered_count")))
	tools, err := wire.Elements(wire.Find(answer, "tools"))
	if err != nil {
		return s
	}
	for _, hit := range tools[:min(len(tools), maxTop)] {
		if id, ok := wire.Text(wire.Find(hit, "name")); ok {
			s.top = append(s.top, cut(id, maxText))
		}
	}
	return s
}

// searchMarks say what was looked for, and what came of it.
func (r *request) searchMarks(to record, c content, s *searched) record {
	if c.hasArguments {
		to = to.text(keyArguments, c.arguments)
	}
	if c.hasResult {
		to = to.text(keyResult, c.result)
	}
	query := r.query()
	to = to.text(keyQuery, query)
	to = to.text(keyLangfuseInput, query)
	if s != nil {
		to = to.text(keyVerdict, s.verdict)
		to = to.number(keyFound, int64(s.found))
		to = to.texts(keyTop, s.top)
		to = to.text(keyLangfuseOutput, strings.TrimSpace(s.verdict+" "+strings.Join(s.top, ", ")))
	}
	return to
}
