package upstream

import (
	"time"

	"toolcrib/internal/call"
)

// CallTimeout is how long a request to a server may take; 0 if there is no
// such server.
func (p *Pool) CallTimeout(server string) time.Duration {
	if s, err := p.server(server); err == nil {
		return s.spec.CallTimeout
	}
	return 0
}

// Limit is how many requests may be at a server at once.
func (p *Pool) Limit(server string) call.Limit {
	if s, err := p.server(server); err == nil {
		return call.Limit{InFlight: s.spec.MaxInFlight, Wait: s.spec.QueueTimeout}
	}
	return call.Limit{}
}
