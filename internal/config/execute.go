package config

import (
	"path"
	"time"
)

// Execute is what scripts of agents may do.
type Execute struct {
	ReadOnly bool // only scripts that can be seen to call nothing but read-only tools
	Limits   ScriptLimits
	Callers  []CallerLimits // the first that fits counts, in place of Limits
}

// ScriptLimits bound one script; a zero is the default of it.
type ScriptLimits struct {
	Time    time.Duration // waiting included
	Work    int           // milliseconds of a processor, about
	Memory  int           // megabytes
	Calls   int
	AtOnce  int // calls
	Printed int // kilobytes
}

// CallerLimits are the limits of some callers.
type CallerLimits struct {
	Who []string // patterns of who is authenticated
	ScriptLimits
}

// LimitsOf are the limits of whoever is authenticated under a name.
func (e Execute) LimitsOf(subject string) ScriptLimits {
	for _, c := range e.Callers {
		for _, pattern := range c.Who {
			if fits, err := path.Match(pattern, subject); err == nil && fits {
				return c.ScriptLimits
			}
		}
	}
	return e.Limits
}

func (d *decoder) execute(n *node) Execute {
	var out Execute
	d.fields(n, "execute", append(d.scriptLimits("execute", &out.Limits), []field{
		{"read_only", func(n *node) { out.ReadOnly = d.boolean(n, "execute.read_only") }},
		{"callers", func(n *node) {
			d.list(n, "execute.callers", func(item *node) {
				var c CallerLimits
				before := len(d.problems)
				d.fields(item, "limits of callers", append(d.scriptLimits("execute.callers", &c.ScriptLimits),
					field{"who", func(n *node) { c.Who = d.texts(n, "who") }}))
				switch {
				case len(d.problems) > before || item.about != nil:
				case len(c.Who) == 0:
					d.problem(item.at, "limits of callers need who they are for")
				default:
					out.Callers = append(out.Callers, c)
				}
			})
		}},
	}...))
	return out
}

func (d *decoder) scriptLimits(where string, to *ScriptLimits) []field {
	number := func(name string, most int, to *int) field {
		return field{name, func(n *node) { *to = d.integer(n, where+"."+name, 1, most) }}
	}
	return []field{
		{"time", func(n *node) { to.Time = d.duration(n, where+".time", 0) }},
		number("work", 30_000, &to.Work), number("memory", 256, &to.Memory), number("calls", 1000, &to.Calls),
		number("calls_at_once", 32, &to.AtOnce), number("printed", 256, &to.Printed),
	}
}

func (l ScriptLimits) pairs() []pair {
	return []pair{
		{"time", span(l.Time)},
		{"work", number(l.Work)},
		{"memory", number(l.Memory)},
		{"calls", number(l.Calls)},
		{"calls_at_once", number(l.AtOnce)},
		{"printed", number(l.Printed)},
	}
}

func (e Execute) node() *node {
	var callers *node
	for _, c := range e.Callers {
		callers = callers.and(part(append([]pair{{"who", texts(c.Who)}}, c.pairs()...)...))
	}
	return part(append(e.Limits.pairs(), pair{"read_only", truly(e.ReadOnly)}, pair{"callers", callers})...)
}
