package index

import "strings"

// An action is whether something is looked at or changed.
type action int8

const (
	unclear action = iota
	looks
	changes
)

var actions = map[string]action{}

func init() {
	for word := range strings.FieldsSeq(`get show fetch retrieve display view read list find search lookup check query obtain see describe what which
		who when where how is are does do did has have was were can count compare calculate compute analyze analyse inspect explain summarize summarise
		monitor track preview browse look tell give verify validate diff detect identify recommend suggest estimate measure print any translate convert`) {
		actions[word] = looks
	}
	for word := range strings.FieldsSeq(`create add new make generate insert build register open start set delete remove destroy drop clear cancel update
		edit modify change rename patch send post publish share email message notify deliver reply run execute invoke launch trigger call upload invite
		schedule order buy book submit enable disable move copy import play pause stop reset restart approve merge close archive assign subscribe
		unsubscribe pay transfer put write save store record enrol enroll sign install deploy turn switch lock unlock mute ban kick block follow like
		upvote comment attach apply revoke grant refund charge issue mark pin reserve rent renew ship print water heat cool go warm dial ring reject
		accept draft log clone fork rebase commit push stage restore scale rotate resize crop crosspost repost rate review file book mint`) {
		actions[word] = changes
	}
}

// wanted is what a query is out for: mostly its first word tells.
func wanted(text string) action {
	seen := 0
	did := unclear
	eachWord(text, func(word string) bool {
		did = actions[word]
		seen++
		return did == unclear && seen < 6
	})
	return did
}

// does is what a tool does by its name, or the first word of its description.
func (x *Index) does(p *placed, d *document) action {
	for _, id := range p.words[d.name.from:d.name.to] {
		if a := actions[x.words.words[id].text]; a != unclear {
			return a
		}
	}
	if d.lead.from < d.lead.to {
		first := &x.words.words[p.words[d.lead.from]]
		if a := actions[first.text]; a != unclear {
			return a
		}
		return actions[strings.TrimSuffix(first.text, "s")]
	}
	return unclear
}
