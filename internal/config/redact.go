package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Masked is what stands where a secret was.
const Masked = "***"

// Masked is s without what may be secret: all values of env and headers, what a
// url carries besides its path, and arguments that look like a secret or follow a
// flag that takes one. It is for showing, not for running.
func (s Server) Masked() Server {
	s.Env, s.Headers = maskValues(s.Env), maskValues(s.Headers)
	s.URL = maskURL(s.URL)
	s.Args = slices.Clone(s.Args)
	for i, arg := range s.Args {
		if i > 0 && secretFlag.MatchString(s.Args[i-1]) && !strings.HasPrefix(arg, "-") {
			s.Args[i] = Masked
			continue
		}
		s.Args[i] = maskArg(arg)
	}
	s.Command = secretText.ReplaceAllString(s.Command, Masked)
	return s
}

func maskValues(values map[string]string) map[string]string {
	if values == nil {
		return nil
	}
	out := make(map[string]string, len(values))
	for name := range values {
		out[name] = Masked
	}
	return out
}

var (
	// secretFlag is a flag whose value is nobody's business.
	secretFlag = regexp.MustCompile(`(?i)^--?([a-z0-9]+[-_])*(token|key|apikey|secret|password|passwd|pass|auth|authorization|credentials?|bearer|header)$`)

	// secretPair is the same in one word, also as NAME=value for a program such
	// as env or docker -e.
	secretPair = regexp.MustCompile(`(?i)^(-{0,2}[a-z0-9_.-]*(token|key|secret|password|passwd|auth|credential|bearer)[a-z0-9_.-]*)=.+`)

	// secretText is what well-known services' secrets look like, wherever it stands.
	secretText = regexp.MustCompile(`(?i)\b(sk-[a-z0-9_-]{16,}|gh[pousr]_[a-z0-9]{20,}|github_pat_[a-z0-9_]{20,}|glpat-[a-z0-9_-]{16,}|xox[abeoprs]-[a-z0-9-]{10,}|AKIA[0-9A-Z]{16}|AIza[0-9a-z_-]{30,}|eyJ[a-z0-9_-]{10,}\.[a-z0-9_-]{10,}\.[a-z0-9_-]*|(bearer|basic)\s+[a-z0-9._~+/=-]{8,})`)
)

func maskArg(arg string) string {
	if m := secretPair.FindStringSubmatch(arg); m != nil {
		return m[1] + "=" + Masked
	}
	if strings.Contains(arg, "://") {
		return maskURL(arg)
	}
	return secretText.ReplaceAllString(arg, Masked)
}

// maskURL keeps the scheme, the host and the path of an address.
func maskURL(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return Masked
	}
	if u.Host == "" {
		return secretText.ReplaceAllString(text, Masked)
	}
	if u.User != nil {
		u.User = url.User(Masked)
	}
	if u.RawQuery != "" {
		names := []string{}
		for pair := range strings.SplitSeq(u.RawQuery, "&") {
			name, _, _ := strings.Cut(pair, "=")
			names = append(names, name+"="+Masked)
		}
		u.RawQuery = strings.Join(names, "&")
	}
	if u.Fragment != "" {
		u.Fragment, u.RawFragment = Masked, ""
	}
	return secretText.ReplaceAllString(strings.ReplaceAll(u.String(), "%2A%2A%2A", Masked), Masked)
}
