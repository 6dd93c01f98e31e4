package probe

import (
	"net/url"
	"path"
	"strings"

	"toolcrib/internal/lazyre"
)

// An Identity is what is known of a server without asking it. Of its environment
// only the names are part of it.
type Identity struct {
	Name      string   // in the configuration
	Command   string   // the program, empty of an HTTP server
	Args      []string // its arguments
	URL       string   // of an HTTP server
	Variables []string // names of the environment variables that its entry sets
}

const (
	hidden       = "***"
	maxArguments = 20
	maxArgument  = 200
)

// described is the identity as it may leave this machine: programs and files by
// their last name, addresses by their host, and nothing that may be a secret.
func (id Identity) described() describedIdentity {
	d := describedIdentity{
		Name:    clip(plain(id.Name), maxArgument),
		Command: clip(plain(lastName(id.Command)), maxArgument),
		URL:     withoutSecrets(id.URL),
	}
	d.Arguments = redactArguments(id.Args)
	for _, v := range id.Variables {
		if variableName.MatchString(v) && len(d.Variables) < maxArguments {
			d.Variables = append(d.Variables, v)
		}
	}
	return d
}

type describedIdentity struct {
	Name      string   `json:"name"`
	Command   string   `json:"command,omitempty"`
	Arguments []string `json:"arguments,omitempty"`
	URL       string   `json:"url,omitempty"`
	Variables []string `json:"environment_variables,omitempty"`
}

var (
	variableName = lazyre.New(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)
	optionName   = lazyre.New(`^(?:-[A-Za-z]|--[A-Za-z][A-Za-z0-9-]{0,40})$`)
	// An option with its value in the same argument.
	assigned = lazyre.New(`^(--?[A-Za-z][A-Za-z0-9-]{0,40})=`)
	// A name of a package or an image, with its scope and version.
	packageName = lazyre.New(`^@?[a-zA-Z][a-zA-Z0-9_.-]*(?:/[a-zA-Z][a-zA-Z0-9_.-]*)*(?:[@:][a-z0-9.^~-]+)?$`)
	// Words that belong to the program that launches another.
	launchWord = lazyre.New(`^(?:run|exec|dlx|x|tool|start|serve|server|mcp|stdio|http|sse)$`)
)

// redactArguments keeps of a command line what tells which server it is: the
// names of its options, the host of an address, and the one other argument that
// looks most like a package. Everything else is hidden: a password may look
// like any word.
func redactArguments(args []string) []string {
	args = args[:min(len(args), maxArguments)]
	var out []string
	named := packageAt(args)
	for i, a := range args {
		kept := hidden
		switch {
		case optionName.MatchString(a) && !looksSecret(a), launchWord.MatchString(a):
			kept = a
		case i == named:
			kept = lastPart(a)
		case assigned.MatchString(a):
			kept = assigned.FindStringSubmatch(a)[1] + "=" + hidden
		case strings.Contains(a, "://"):
			kept = withoutSecrets(a)
		}
		out = append(out, kept)
	}
	return out
}

// packageAt is the index of the argument that names the package, -1 if there is
// none: the first that speaks of MCP, else the first that looks like a path or a
// package with a scope, else the first.
func packageAt(args []string) int {
	best, at := 0, -1
	for i, a := range args {
		name := lastPart(a)
		if len(a) > maxArgument || launchWord.MatchString(a) || !packageName.MatchString(name) || looksSecret(name) {
			continue
		}
		if i > 0 && secretOption.MatchString(args[i-1]) {
			continue
		}
		score := 1
		switch {
		case strings.Contains(strings.ToLower(name), "mcp"):
			score = 3
		case strings.ContainsAny(name, "@/."):
			score = 2
		}
		if score > best {
			best, at = score, i
		}
	}
	return at
}

// secretOption is an option whose value is nobody's business.
var secretOption = lazyre.New(`(?i)^-(?:[ehpuask]|.*(?:key|token|secret|pass|pwd|auth|cred|cookie|session|bearer|header|dsn|conn|private|cert|env|user|account|mail|login).*)$`)

// lastPart is an argument without the folders in front of a file.
func lastPart(a string) string {
	if strings.HasPrefix(a, "/") || strings.HasPrefix(a, "~") || strings.HasPrefix(a, ".") || strings.Contains(a, `\`) {
		return lastName(a)
	}
	return a
}

// withoutSecrets is an address as scheme and host: user, path and query of one
// may be keys.
func withoutSecrets(address string) string {
	if address == "" {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme == "" || looksSecret(u.Hostname()) {
		return hidden
	}
	return u.Scheme + "://" + u.Host
}

// lastName is the last element of a path of any system.
func lastName(p string) string {
	p = strings.TrimRight(strings.ReplaceAll(p, `\`, "/"), "/")
	if p == "" {
		return ""
	}
	return path.Base(p)
}
