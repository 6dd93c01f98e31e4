package probe

import (
	"strings"

	"toolcrib/internal/lazyre"
)

// A rule recognises one sort of failure by a line that says so. The order of the table is
// their precedence: a cause stands before what it causes, and what names the
// thing to repair before what does not.
type rule struct {
	kind    Kind
	running bool                                    // only of a server that did not exit
	when    func(s string) (target string, ok bool) // nil: see missingVariables
	reason  string                                  // {} stands for the target, {says} for the whole line
	next    string
}

// apply is the rule's diagnosis, if one of the lines is what it looks for.
func (r rule) apply(said []string, exit Exit) (Diagnosis, bool) {
	if r.running && exit.Exited {
		return Diagnosis{}, false
	}
	if r.when == nil {
		return missingVariables(said)
	}
	for _, s := range said {
		if target, ok := r.when(s); ok {
			says := show(s)
			if target == "" {
				target = s
			}
			fill := strings.NewReplacer("{}", clip(redactText(plain(target)), maxShownTarget), "{says}", says)
			return Diagnosis{Kind: r.kind, Reason: fill.Replace(r.reason), Next: fill.Replace(r.next), Says: says}, true
		}
	}
	return Diagnosis{}, false
}

// matches is a condition by regular expressions; the target is the first group
// that one of them captures.
func matches(expressions ...string) func(string) (string, bool) {
	var compiled []*lazyre.Pattern
	for _, e := range expressions {
		compiled = append(compiled, lazyre.New(e))
	}
	return func(s string) (string, bool) {
		for _, e := range compiled {
			m := e.FindStringSubmatch(s)
			if m == nil {
				continue
			}
			for _, group := range m[1:] {
				if group != "" {
					return group, true
				}
			}
			return "", true
		}
		return "", false
	}
}

const httpNext = "configure it by url, or give it the argument that makes it speak on stdio (often --stdio)"

var rules = []rule{
	{
		kind: PortInUse, when: matches(`EADDRINUSE[^\d]*(?:\S*:)?(\d+)?`, `(?i)address already in use\D*(\d+)?`, `(?i)port (\d+) is (?:already )?(?:in use|taken|occupied)`),
		reason: "the port that it listens on is in use: {}", next: "end the other process, or give the server another port",
	},
	{
		kind: WrongRuntime, when: matches(`(?i)(GLIBC\w*_[\d.]+)' not found`, `(?i)(?:requires?|needs?|expects?|unsupported|ensure|supports? only|minimum)\b.{0,40}?\b((?:node(?:\.?js)?|python|java|bun|deno|\.net)(?: version)?\s*v?[(>=<^~ ]*\d[\d.]*\S*)`, `(?i)\b(python \d[\d. or]*) not found`, `(?i)unsupported engine.*`, `NODE_MODULE_VERSION (\d+)`),
		reason: "it needs another version of what it runs on: {}", next: "install that version, or point command in the server's entry at one that fits",
	},
	{
		kind: MissingProgram, when: matches(`(?i)exec: "?([^":]+)"?: executable file not found`, `spawn (\S+) ENOENT`, `(?i)(\S+): command not found`, `(?i)'([^']+)' is not recognized as an internal`, `(?i)sh: \d+: (\S+): not found`, `(?i)fork/exec (\S+): no such file`),
		reason: "the program {} is not found", next: "install {}, or write its full path into command",
	},
	{
		kind: MissingModule, when: matches(`(?i)cannot find (?:module|package) ['"]([^'"]+)['"]`, `(?i)no module named ['"]?([\w.]+)`, `(?i)could not (?:locate|find) the (bindings file|native binding)`, `(?i)failed to load (\S+ native addon)`, `(?i)ImportError: (.*)`, `(?i)(?:ERR_DLOPEN_FAILED|cannot open shared object file)`, `(?i)could not determine (executable to run)`, `(?i)E404.*?'([^']+)'`, `(?i)no matching distribution found for (\S+)`),
		reason: "a part of it is not installed: {}", next: "install the server again, with its install scripts; if it stays, report it to the server's author",
	},
	{
		kind: NotStdio, running: true, when: matches(`(?i)(?:listening|started|running|available|endpoint|initiali[sz]ing|serving)\b.*?(https?://[^\s"')]+)`),
		reason: "it serves HTTP ({}) and does not speak on stdio", next: httpNext,
	},
	{
		kind: NotStdio, running: true, when: matches(`(?i)(?:listening|started|running|serving)\b.*?\b(?:on|at)\b.*?(port:? \d+)`, `(?i)(?:listening|started|running|initiali[sz]ing|serving)\b.*\b(HTTP mode|HTTP server)\b`),
		reason: "it serves HTTP ({}) and does not speak on stdio", next: httpNext,
	},
	{kind: MissingSetting},
	{
		kind: NeedsLogin, when: matches(`(?i)\bnot (?:authenticated|logged in|authorized)\b`, `(?i)\brun\b.{0,60}\b(?:log-?in|auth)\b`, `(?i)(?:authenticate|log ?in) first`, `(?i)credentials? (?:file )?not found`, `(?i)no (?:valid )?(?:credentials|authentication) found`),
		reason: "it needs a login first: {says}", next: "log in as its documentation says, in a terminal, with the server's own command",
	},
	{
		kind: MissingSetting, when: matches(`(?i)\b(?:api[- ]?key|auth ?key|access ?token|token|secret|credentials?|password|api token)s?\b.{0,40}\b(?:required|missing|not (?:set|found|provided|defined|configured)|must be|cannot be empty|is empty|needed|undefined)\b`, `(?i)\b(?:no|missing|without|provide|need|requires?)\b.{0,30}\b(?:api[- ]?key|auth ?key|access ?token|token|secret|credentials?|password|api token|environment variables?)\b`, `(?i)environment variables?\b.{0,40}\b(?:required|missing|not set)\b`, `(?i)\b(?:url|host|endpoint|domain|organi[sz]ation|account|project)\b cannot be empty`, `(?i)missing required configuration`),
		reason: "it asks for a credential or setting: {says}", next: "look up the variable's name in the server's documentation and set it under env in its entry",
	},
	{
		kind: BadArguments, when: matches(`(?i)^usage:?\s*(.*)`, `(?i)\b(?:missing|required|expected|unknown|unrecognized|invalid|unexpected|no)\b.{0,30}\b(?:argument|option|flag|command|parameter|subcommand)s?\b`, `(?i)\bnot enough\b.{0,30}\barguments`, `(?i)\bmust (?:specify|provide|be specified|pass)\b`, `(?i)(?:please )?(?:provide|specify|pass)\b.{0,60}\b(?:argument|path|director(?:y|ies)|url|connection|command|file|flag|option|parameter|uri|dsn|--?\w)`, `(?i)\b(?:url|uri|path|directory|connection string|vault|spec|file)s?\b.{0,20}\bis required\b`, `(?i)\bargument .{0,40}(?:required|expected)`, `(?i)configuration is required`),
		reason: "it was started with the wrong arguments, or without one that it needs: {says}", next: "add what it asks for to args in its entry",
	},
	{
		kind: MissingFile, when: matches(`ENOENT: no such file or directory,? \w+ '([^']+)'`, `(?i)no such file or directory: ['"]?([^'"\s]+)`),
		reason: "a file that it needs is not there: {}", next: "create it, or correct its path in args or env of the server's entry",
	},
	{
		kind: NotPermitted, when: matches(`(?:EACCES|EPERM)[^'"]*['"]?([^'"\s]*)`, `(?i)permission denied,?:?\s*['"]?([^'"\s]*)`, `(?i)operation not permitted`),
		reason: "it lacks a permission: {}", next: "give it the permission, or point it at a place where it has it",
	},
	{
		kind: Unreachable, when: matches(`(?:ECONNREFUSED|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH)\s+(\S+)`, `(?:EAI_AGAIN|ENOTFOUND)\s+(\S+)`, `connect ENOENT (\S+)`, `(?i)dial tcp:? (?:lookup )?(\S+?):? `, `(?i)(https?://[^\s"')]+).{0,40}\bunreachable`, `(?i)failed to (?:make request|connect) to (https?://[^\s"')]+)`),
		reason: "it does not reach {}", next: "start what listens there, or correct the address in its entry; check the network",
	},
	{
		kind: Unreachable, when: matches(`(?i)fetch failed|connection refused|could not connect|unreachable|network error|not accessible|connection (?:error|timed out)|getaddrinfo`),
		reason: "it does not reach a service that it depends on: {says}", next: "check the network and the address that it is given; see all that it wrote with toolcrib discover --raw",
	},
}
