package guard

// Counted is how many counts are kept of calls.
func (g *Gate) Counted() int {
	g.limits.mu.Lock()
	defer g.limits.mu.Unlock()
	return len(g.limits.due) + len(g.limits.running)
}
