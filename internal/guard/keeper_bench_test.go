package guard_test

import (
	"fmt"
	"strings"
	"testing"

	"toolcrib/internal/catalog"
	"toolcrib/internal/guard"
)

// BenchmarkKnown is what a start pays for pins of a server with 100 tools of the usual
// size.
func BenchmarkKnown(b *testing.B) {
	l := catalog.Listing{Server: "s", Identity: "i"}
	for i := range 100 {
		l.Tools = append(l.Tools, catalog.Found{Provenance: catalog.Protocol, Raw: fmt.Appendf(nil, `{"name":"tool_%d","description":%q,"inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`, i, strings.Repeat("does things ", 120))})
	}
	k := guard.NewKeeper(&memory{m: map[string][]byte{}}, nil)
	k.Learned(l)
	b.ReportAllocs()
	for b.Loop() {
		k.Known(l)
	}
}
