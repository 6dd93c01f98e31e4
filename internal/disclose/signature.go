package disclose

import (
	"encoding/json"
	"strconv"
	"strings"

	"toolcrib/internal/catalog"
)

// signature is how a tool is called, in little space:
//
//	create_issue(owner*: str, repo*: str, labels: [str], +3)
//
// Required parameters have a star and are never dropped; optional ones are when
// there is no room for them, and their number is told.
func signature(t *catalog.Tool, tokens int) string {
	if t.InputSchema() == nil && !t.Callable() {
		return "" // nobody told how it is called
	}
	return signatureOf(t.LuaName(), t.InputSchema(), tokens)
}

func signatureOf(name string, schema json.RawMessage, tokens int) string {
	list, _ := Parameters(schema)
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('(')
	for i, p := range list {
		part := p.Name
		if p.Required {
			part += "*"
		}
		part += ": " + p.Type
		if i > 0 {
			part = ", " + part
		}
		if !p.Required && Tokens(b.String()+part)+4 > tokens {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString("+" + strconv.Itoa(len(list)-i))
			break
		}
		b.WriteString(part)
	}
	b.WriteByte(')')
	return b.String()
}
