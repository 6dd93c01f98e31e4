package probe

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// A variable of the environment: capitals with an underscore.
	variable = regexp.MustCompile(`\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b`)
	// One of a single word, where the text says that it is one.
	shortVariable = regexp.MustCompile(`\b([A-Z][A-Z0-9]{2,})\b(?:["'` + "`" + `]?\s+(?:environment|env)\b)|(?:export\s+|(?:environment|env) variable:?\s+["'` + "`" + `]?)([A-Z][A-Z0-9]{2,})\b`)
	// Codes of errors have the same form, and variables that no server needs.
	errorCode = regexp.MustCompile(`^(?:ERR_|E[A-Z]+_|DEP\d|GLIBC|GLIBCXX|CXXABI|HTTP_|SSL_|MODULE_NOT_FOUND|UND_ERR|UNABLE_TO|CERT_|SELF_SIGNED|DEPTH_ZERO|STATUS_|HPE_|NODE_ENV$|NODE_OPTIONS$|NODE_MODULE_VERSION|DO_NOT_TRACK|UTF_|MCP_LIST_|MCP_DISCOVERY|MCP_REQUIRE|FUNCTIONS_DISC)|(?:^|_)(?:LOG_LEVEL|DEBUG|TELEMETRY|NO_COLOR)`)

	// A line asks for what it names,
	demand = regexp.MustCompile(`(?i)\b(?:requires?|required|missing|not set|isn't set|unset|not (?:found|provided|defined|configured|specified|available|present|given)|undefined|must|need(?:s|ed)?|please|provide|provided|without|no .{1,40}(?:found|provided|set|configured|given|specified)|empty|export|set|configure|specify|define|either|environment variables?)\b`)
	// unless it need not be given.
	optional = regexp.MustCompile(`(?i)\boptional(?:ly)?\b|\bto (?:limit|use a custom|customi[sz]e|override|disable|enable)\b|\bdisable[d]?:|\bdefaults? to\b|\(source: default\)|\btelemetry\b|\bdeprecated\b`)
	// What follows such a word is one of several ways.
	alternative = regexp.MustCompile(`(?i)\b(?:or|either|one of)\b|/`)
)

// demanded are the variables that a line says must be set.
func demanded(s string) []string {
	if optional.MatchString(s) {
		return nil
	}
	names := variable.FindAllString(s, maxVariables)
	for _, m := range shortVariable.FindAllStringSubmatch(s, maxVariables) {
		names = append(names, m[1]+m[2])
	}
	names = slices.DeleteFunc(names, errorCode.MatchString)
	if len(names) == 0 || !demand.MatchString(variable.ReplaceAllString(s, "")) {
		return nil
	}
	return names
}

// addVariables gathers the variables of all lines that ask for some: many
// servers name one a line.
func (d *Diagnosis) addVariables(said []string) {
	either := false
	for _, s := range said {
		for _, v := range demanded(s) {
			if !slices.Contains(d.Variables, v) && len(d.Variables) < maxVariables {
				d.Variables = append(d.Variables, v)
			}
		}
		either = either || len(d.Variables) > 1 && alternative.MatchString(s)
	}
	switch n := len(d.Variables); {
	case n == 0:
		d.Reason = "it asks for a credential or setting: " + d.Says
		d.Next = "look up the variable's name in the server's documentation and set it under env in its entry"
		return
	case n == 1:
		d.Reason = "the environment variable " + d.Variables[0] + " is not set"
	case either:
		d.Reason = "environment variables are not set: one or more of " + strings.Join(d.Variables, ", ")
	default:
		d.Reason = "the environment variables " + list(d.Variables, "and") + " are not set"
	}
	d.Next = "set it under env in the server's entry"
	if len(d.Variables) > 1 {
		d.Next = "set them under env in the server's entry"
	}
}
