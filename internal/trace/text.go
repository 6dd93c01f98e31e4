package trace

import "strings"

// Bounds of what one span carries.
const (
	maxText    = 300     // bytes of a name, a query or a message
	maxContent = 8 << 10 // bytes of arguments or a result
	maxTop     = 5       // hits of a search
	maxNames   = 200     // tools of a discovery pass
)

// cut is at most most bytes of a text, and says where it was cut.
func cut(text string, most int) string {
	if len(text) <= most {
		return strings.ToValidUTF8(text, "\ufffd")
	}
	const mark = "..."
	return strings.ToValidUTF8(text[:most-len(mark)], "") + mark
}
