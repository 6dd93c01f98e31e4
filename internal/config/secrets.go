package config

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Secrets are the values in an entry that nobody else is to see: all of env and
// headers, what its url carries besides the path, and arguments that are masked when
// they are shown.
func (s Server) Secrets() []string {
	out := slices.Concat(slices.Sorted(maps.Values(s.Env)), slices.Sorted(maps.Values(s.Headers)))
	if u, err := url.Parse(s.URL); err == nil {
		if password, ok := u.User.Password(); ok {
			out = append(out, password)
		}
		for _, values := range u.Query() {
			out = append(out, values...)
		}
		out = append(out, u.Fragment)
	}
	for i, masked := range s.Masked().Args {
		if masked == s.Args[i] {
			continue
		}
		arg := s.Args[i]
		if name, value, ok := strings.Cut(arg, "="); ok && masked == name+"="+Masked {
			arg = value
		}
		out = append(out, arg)
	}
	return append(out, s.OAuth.ClientSecret)
}
