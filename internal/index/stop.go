package index

import "strings"

// stopWords say nothing about what is wanted. They are left out of scores, but
// for names: get_user and list_users differ in nothing else.
var stopWords = setOf(`a an and are as at be been being but by can could did do does doing for from had has have having he her
	here hers him his how if in into is it its itself just me my myself of on or our ours she should so some such than that
	the their theirs them then there these they this those to too us was we were what when where which while who whom why
	will with would you your yours please want need needs help also like let lets give tell using use used via am get
	don doesn didn isn aren wasn won ll ve im`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
