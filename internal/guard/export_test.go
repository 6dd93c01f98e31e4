package guard

// CountAtMost bounds how many counts are kept.
func (g *Gate) CountAtMost(n int) { g.limits.most = n }

// Counted is how many counts are kept of calls.
func (g *Gate) Counted() int {
	g.limits.mu.Lock()
	defer g.limits.mu.Unlock()
	return len(g.limits.due) + len(g.limits.running)
}
