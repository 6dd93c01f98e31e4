package trace

import "toolcrib/internal/wire"

// content is what was in a call, as far as the options ask for it and without
// what must not be seen.
type content struct {
	arguments, result string
	hasArguments      bool
	hasResult         bool
}

func (t *Trace) content(method string, params, result []byte, err error) (c content) {
	if method != wire.MethodToolsCall {
		return c
	}
	if t.o.Arguments {
		c.arguments, c.hasArguments = t.excerpt(wire.Find(params, "arguments")), true
	}
	if t.o.Results && err == nil {
		c.result, c.hasResult = t.excerpt(result), true
	}
	return c
}

func (c *content) marks(to record) record {
	if c.hasArguments {
		to = to.text(keyArguments, c.arguments)
		to = to.text(keyLangfuseInput, c.arguments)
	}
	if c.hasResult {
		to = to.text(keyResult, c.result)
		to = to.text(keyLangfuseOutput, c.result)
	}
	return to
}

// excerpt is what may be seen of arguments or a result.
func (t *Trace) excerpt(raw []byte) string {
	// Redacted before the final cut: half a secret may not look like one.
	return cut(t.redact(string(raw[:min(len(raw), 2*maxContent)])), maxContent)
}

func (t *Trace) redact(text string) string {
	if t.o.Redact == nil {
		return text
	}
	return t.o.Redact(text)
}
