package upstream

import "time"

// updateState says what the server is doing, from what it has. s.mu is held.
func (s *server) updateState() {
	now := Idle
	if s.broken {
		now = Failed
		if s.login != "" {
			now = NeedsLogin
		}
	}
	for _, sl := range s.slots {
		if sl.conn == nil {
			now = Starting
			continue
		}
		if !sl.conn.unreachable.Load() {
			now = Ready
			break
		}
	}
	if s.state != now {
		s.state, s.since = now, time.Now()
	}
}

func (s *server) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := Status{Name: s.spec.Name, State: s.state, Since: s.since, Restarts: max(0, s.starts-1)}
	switch s.state {
	case Failed:
		st.Reason, st.Retry = s.gate.reason, s.gate.retry
	case NeedsLogin:
		st.Reason = s.login
	}
	if s.stderr != nil {
		st.Stderr = s.stderr.text()
	}
	return st
}

// Status of every server, in the order of the specs.
func (p *Pool) Status() []Status {
	set := p.set.Load()
	out := make([]Status, len(set.order))
	for i, s := range set.order {
		out[i] = s.status()
	}
	return out
}
