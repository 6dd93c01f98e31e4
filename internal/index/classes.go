package index

import "strings"

// A class is a kind of thing that verbs in names do. Names with another verb of
// the same class than the query's are nearly what was asked for.
type class uint16

const (
	reads class = 1 << iota
	lists
	makes
	deletes
	updates
	sends
	runs
)

// verbs are the words of each class. set both makes and updates.
var verbs = map[string]class{}

func init() {
	for c, words := range map[class]string{
		reads:   "get show fetch retrieve display view read list find search lookup check query obtain see describe details information",
		lists:   "list all",
		makes:   "create add new make generate insert build register open start set",
		deletes: "delete remove destroy drop clear cancel",
		updates: "update edit modify change rename set patch",
		sends:   "send post publish share email message notify deliver reply",
		runs:    "run execute invoke launch trigger call",
	} {
		for word := range strings.FieldsSeq(words) {
			verbs[word] |= c
		}
	}
}
