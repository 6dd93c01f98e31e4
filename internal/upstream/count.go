package upstream

// Processes is how many children there are, those that are about to end included.
func (p *Pool) Processes() int {
	p.launcher.mu.Lock()
	defer p.launcher.mu.Unlock()
	return len(p.launcher.pids)
}
