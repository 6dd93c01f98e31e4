package trace

import (
	"strings"
	"sync"

	"toolcrib/internal/wire"
)

// clients remembers what agents call themselves, so that it is read once for each and
// no request is kept in memory for it.
type clients struct {
	mu   sync.RWMutex
	said map[string]string
}

// maxClients bounds what is remembered, and maxClientInfo what of it.
const (
	maxClients    = 256
	maxClientInfo = 1 << 10
	maxClientName = 80
)

// of is the name and version in what a client says of itself.
func (c *clients) of(info []byte) string {
	if len(info) == 0 || len(info) > maxClientInfo {
		return ""
	}
	c.mu.RLock()
	name, known := c.said[string(info)]
	c.mu.RUnlock()
	if known {
		return name
	}
	name, _ = wire.Text(wire.Find(info, "name"))
	version, _ := wire.Text(wire.Find(info, "version"))
	name = cut(strings.TrimSpace(name+" "+version), maxClientName)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.said == nil || len(c.said) >= maxClients {
		c.said = map[string]string{}
	}
	c.said[string(info)] = name
	return name
}
