package upstream

import "toolcrib/internal/wire"

// Known is what a server said of itself when it was last connected to, nil if
// it never was. It starts nothing.
func (p *Pool) Known(name string) *wire.Hello {
	s, err := p.server(name)
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hello
}
