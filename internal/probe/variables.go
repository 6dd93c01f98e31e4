package probe

import (
	"slices"
	"strings"

	"toolcrib/internal/lazyre"
)

var (
	// A variable of the environment: capitals with an underscore.
	variable = lazyre.New(`\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b`)
	// One of a single word, where the text says that it is one.
	shortVariable = lazyre.New(`\b([A-Z][A-Z0-9]{2,})\b(?:["'` + "`" + `]?\s+(?:environment|env)\b)|(?:export\s+|(?:environment|env) variable:?\s+["'` + "`" + `]?)([A-Z][A-Z0-9]{2,})\b`)
	// Codes of errors have the same form, and variables that no server needs.
	errorCode = lazyre.New(`^(?:ERR_|EAI_|DEP\d|GLIBC|GLIBCXX|CXXABI|HTTP_|SSL_|MODULE_NOT_FOUND|UND_ERR|UNABLE_TO|CERT_|SELF_SIGNED|DEPTH_ZERO|STATUS_|HPE_|NODE_ENV$|NODE_OPTIONS$|NODE_MODULE_VERSION|DO_NOT_TRACK|UTF_|MCP_LIST_|MCP_DISCOVERY|MCP_REQUIRE|FUNCTIONS_DISC)|(?:^|_)(?:LOG_LEVEL|DEBUG|TELEMETRY|NO_COLOR)`)

	// A line asks for what it names,
	demand = lazyre.New(`(?i)\b(?:requires?|required|missing|not set|isn't set|unset|not (?:found|provided|defined|configured|specified|available|present|given)|undefined|must|need(?:s|ed)?|please|provide|provided|without|no .{1,40}(?:found|provided|set|configured|given|specified)|empty|export|set|configure|specify|define|either|pass|environment variables?)\b`)
	// unless it need not be given.
	optional = lazyre.New(`(?i)\boptional(?:ly)?\b|\bto (?:limit|use a custom|customi[sz]e|override|disable|enable)\b|\bdisable[d]?:|\bdefaults? to\b|\(source: default\)|\btelemetry\b|\bdeprecated\b`)
	// What follows such a word is one of several ways.
	alternative = lazyre.New(`(?i)\b(?:or|either|one of)\b|\s/\s`)
)

// demanded are the variables that a line says must be set. In a list the line
// above it has said so.
func demanded(s string, inList bool) []string {
	if optional.MatchString(s) {
		return nil
	}
	names := variable.FindAllString(s, maxVariables)
	for _, m := range shortVariable.FindAllStringSubmatch(s, maxVariables) {
		names = append(names, m[1]+m[2])
	}
	names = slices.DeleteFunc(names, errorCode.MatchString)
	if len(names) == 0 || !inList && !demand.MatchString(variable.ReplaceAllString(s, "")) {
		return nil
	}
	return names
}

// missingVariables diagnoses a server that names what is to be set.
func missingVariables(said []string) (Diagnosis, bool) {
	d := Diagnosis{Kind: MissingSetting, Next: "set them under env in the server's entry"}
	var choice bool
	d.Variables, d.Says, choice = demands(said)
	switch n := len(d.Variables); {
	case n == 0:
		return Diagnosis{}, false
	case n == 1:
		d.Reason = "it asks for the environment variable " + d.Variables[0]
		d.Next = "set it under env in the server's entry"
	case choice:
		d.Reason = "it asks for one or more of the environment variables " + strings.Join(d.Variables, ", ")
	default:
		d.Reason = "it asks for the environment variables " + strings.Join(d.Variables[:n-1], ", ") + " and " + d.Variables[n-1]
	}
	return d, true
}

// demands are the variables that lines ask for, the first line that does, and
// whether not all of them are needed. All lines are read, because many servers
// name one a line; but not a manual that follows: it lists all that can be set.
func demands(said []string) (variables []string, says string, choice bool) {
	heading := "" // of a list that the line belongs to
	for _, s := range said {
		if len(variables) > 0 && usage.MatchString(s) {
			break
		}
		names := demanded(s, heading != "")
		for _, v := range names {
			if !slices.Contains(variables, v) && len(variables) < maxVariables {
				variables = append(variables, v)
			}
		}
		if len(names) > 0 && says == "" {
			says = show(strings.TrimSpace(heading + " " + s))
		}
		choice = choice || len(names) > 0 && (heading != "" || alternative.MatchString(s))
		if len(names) == 0 {
			heading = ""
		}
		if strings.HasSuffix(s, ":") && demand.MatchString(s) {
			heading = s
		}
	}
	return variables, says, choice
}
