package config

import "fmt"

// withHidden makes rules of the tools that entries hide. They come last: a rule that
// the user wrote counts before them.
func (c Config) withHidden() Config {
	for _, s := range c.Servers {
		if len(s.Hidden) == 0 || s.Untrusted {
			continue
		}
		why := fmt.Sprintf("it is among the disabled tools of server %s", s.Name)
		if s.Source != "" {
			why += " in " + s.Source
		}
		c.Policy.Rules = append(c.Policy.Rules, PolicyRule{Terms: Terms{Servers: []string{s.Name}, Tools: s.Hidden}, Verdict: "deny", Why: why})
	}
	return c
}
