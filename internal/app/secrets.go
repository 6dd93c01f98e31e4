package app

import (
	"slices"

	"toolcrib/internal/config"
	"toolcrib/internal/guard"
	"toolcrib/internal/probe"
)

// redact has everything that is logged and told do without the secrets of c.
func (o *Options) redact(c config.Config) {
	if o.secrets == nil {
		o.secrets = guard.NewRedactor(config.MaskText)
	}
	o.secrets.Add(secretsOf(c)...)
	o.Log, o.ServerLog = o.secrets.Logger(o.Log), o.secrets.Logger(o.ServerLog)
}

// secretsOf are all values of a configuration that nobody else is to see.
func secretsOf(c config.Config) []string {
	var out []string
	for _, s := range c.Servers {
		if s.Untrusted {
			continue // nobody's, and they could be words that are to be read
		}
		out = append(out, s.Secrets()...)
	}
	return out
}

// diagnosed is what a server wrote, and what was made of it, without secrets.
func (o *Options) diagnosed(r probe.Result) probe.Result {
	for _, written := range []*[]byte{&r.Stdout, &r.Stderr} {
		if *written != nil {
			*written = []byte(o.secrets.Text(string(*written)))
		}
	}
	if r.Diagnosis != nil {
		d := *r.Diagnosis
		d.Reason, d.Says, d.Next = o.secrets.Text(d.Reason), o.secrets.Text(d.Says), o.secrets.Text(d.Next)
		r.Diagnosis = &d
	}
	r.Notes = slices.Clone(r.Notes)
	for i := range r.Notes {
		r.Notes[i].Text = o.secrets.Text(r.Notes[i].Text)
	}
	return r
}
