package login

import "testing"

// What a login adds to every request of a server, and to those of one without.
func BenchmarkTokenSource(b *testing.B) {
	for name, login := range map[string]bool{"login": true, "none": false} {
		b.Run(name, func(b *testing.B) {
			s, store := Server{Name: "a", URL: "http://127.0.0.1:9/mcp"}, NewStore(b.TempDir())
			if login {
				g := &Grant{Server: s.URL, Issuer: "https://login.example.com", Access: "access"}
				if err := store.Save(g); err != nil {
					b.Fatal(err)
				}
			}
			h := NewHandler(s, store, nil)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.TokenSource(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
