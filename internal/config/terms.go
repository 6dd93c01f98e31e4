package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Term is one thing that an entry says, for whoever is to agree to it.
type Term struct {
	What    string // command, argument, cwd, variable, variables of, url, header, client
	Name    string // of a variable or header
	Text    string // as it is written, without what looks like a secret
	From    string // where its value comes from; "" if it is written
	Caution string // what one should know of it
}

// Terms are all that decides what an entry starts or reaches, in order.
func (s Server) Terms() []Term {
	masked := s.Masked()
	var out []Term
	add := func(what, name, raw, shown string) {
		if raw != "" || name != "" {
			out = append(out, Term{What: what, Name: name, Text: shown, From: origins(raw)})
		}
	}
	add("command", "", s.Command, masked.Command)
	for i, arg := range s.Args {
		out = append(out, Term{What: "argument", Text: masked.Args[i], From: origins(arg)})
	}
	add("cwd", "", s.Dir, s.Dir)
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		add("variable", name, s.Env[name], maskNamed(name, s.Env[name]))
		out[len(out)-1].Caution = loaders[strings.ToUpper(name)]
	}
	add("variables of", "", s.EnvFile, s.EnvFile)
	add("url", "", s.URL, masked.URL)
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		add("header", name, s.Headers[name], maskNamed(name, s.Headers[name]))
	}
	if l := s.OAuth; l.ClientID != "" || l.AllowPrivate {
		text := secretText.ReplaceAllString(l.ClientID, Masked)
		if l.AllowPrivate {
			text = strings.TrimSpace(text + " (may sign in by a private network)")
		}
		out = append(out, Term{What: "client", Text: text, From: origins(l.ClientID + l.ClientSecret)})
	}
	return out
}

// TermsOfFile are the variables that a file of NAME=value lines sets, none of anything
// else, as far as they can be shown.
func TermsOfFile(path string) []Term {
	text, err := readSmall(path, mostDotenv)
	if err != nil {
		return nil
	}
	pairs, bad := parseDotenv(text)
	if len(bad) > 0 {
		return nil
	}
	var out []Term
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		out = append(out, Term{What: "variable", Name: name, Text: maskNamed(name, pairs[name]), Caution: loaders[strings.ToUpper(name)]})
	}
	return out
}

// maskNamed is a value that is shown unless its name or its looks say that it is a
// secret. A value that a project's file writes out decides what runs as much as an
// argument does, so that it is not hidden for being a value.
func maskNamed(name, value string) string {
	switch masked := maskArg(name + "=" + value); {
	case origins(value) != "":
		return secretText.ReplaceAllString(value, Masked)
	case masked == name+"="+Masked:
		return Masked
	case strings.Contains(value, "://"):
		return maskURL(value)
	}
	return secretText.ReplaceAllString(value, Masked)
}

// variable is one in the words of any client.
var variable = regexp.MustCompile(`\$?\{(env|file|keyring|input):([^}]*)\}|\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}|\$([A-Z_][A-Z0-9_]*)`)

// origins say where a text gets its variables from, once each.
func origins(text string) string {
	var out []string
	for _, m := range variable.FindAllStringSubmatch(text, -1) {
		from := ""
		switch {
		case m[1] == "file":
			from = "the file " + m[2]
		case m[1] == "keyring":
			from = fmt.Sprintf("%s of your keyring", m[2])
		case m[1] == "input":
			from = "an input of the editor"
		default:
			from = fmt.Sprintf("%s of your environment", m[2]+m[3]+m[4])
		}
		if !slices.Contains(out, from) {
			out = append(out, from)
		}
	}
	return strings.Join(out, ", ")
}

// loaders are variables by which other code gets into a program.
var loaders = func() map[string]string {
	out := map[string]string{"PATH": "it decides which programs are found"}
	for _, name := range []string{
		"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "NODE_OPTIONS", "NODE_PATH", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME",
		"RUBYOPT", "RUBYLIB", "PERL5OPT", "PERL5LIB", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "BASH_ENV", "ENV", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "NPM_CONFIG_REGISTRY", "UV_INDEX_URL", "PIP_INDEX_URL",
	} {
		out[name] = "it decides what code is loaded"
	}
	return out
}()
