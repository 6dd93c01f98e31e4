package web

import "net/http"

// trustBody is what waits for a person.
type trustBody struct {
	Trust
	Waiting  []Held // of Held, those that nobody has decided about
	Rejected []Held // the others
	Suspects []suspect
	Open     int // findings that nobody has approved
	Actions  bool
	Decides  bool
}

// A suspect is a tool in whose definition something was found.
type suspect struct {
	Tool, Server string
	Accepted     bool
	Findings     []Finding
}

func (p *pages) trust(_ *http.Request, who Caller, me Me) (string, any, *Problem) {
	b := trustBody{Trust: p.source.Trust(who), Actions: me.Actions, Decides: me.Decides}
	for _, h := range b.Held {
		if h.Rejected {
			b.Rejected = append(b.Rejected, h)
		} else {
			b.Waiting = append(b.Waiting, h)
		}
	}
	at := map[string]int{}
	for _, f := range b.Findings {
		i, known := at[f.Tool]
		if !known {
			i = len(b.Suspects)
			at[f.Tool] = i
			b.Suspects = append(b.Suspects, suspect{Tool: f.Tool, Server: f.Server, Accepted: f.Accepted})
		}
		b.Suspects[i].Findings = append(b.Suspects[i].Findings, f)
		if !f.Accepted {
			b.Open++
		}
	}
	return "Trust", b, nil
}

// configBody is what the gateway was told.
type configBody struct{ Config }

func (p *pages) config(_ *http.Request, who Caller, _ Me) (string, any, *Problem) {
	return "Configuration", configBody{p.source.Config(who)}, nil
}
