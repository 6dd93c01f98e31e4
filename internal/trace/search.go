package trace

import (
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"

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
func (f *requestFacts) searchMarks(to []attribute.KeyValue) []attribute.KeyValue {
	if f.hasArguments {
		to = append(to, keyArguments.String(f.arguments))
	}
	if f.hasResult {
		to = append(to, keyResult.String(f.result))
	}
	to = append(to, keyQuery.String(f.query), keyLangfuseInput.String(f.query))
	if s := f.found; s != nil {
		to = append(to, keyVerdict.String(s.verdict), keyFound.Int(s.found), keyTop.StringSlice(s.top),
			keyLangfuseOutput.String(strings.TrimSpace(s.verdict+" "+strings.Join(s.top, ", "))))
	}
	return to
}
