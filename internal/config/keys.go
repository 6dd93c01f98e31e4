package config

import (
	"slices"
	"strings"
)

// A Key is what there is to say of a key of our file.
type Key struct {
	Meaning string
	Default string // as it would be written; "" if there is none
}

// keyTable is the one place where keys are explained and their defaults written
// down: editors show it by the schema, people by "toolcrib config show --defaults".
var keyTable = map[string]Key{
	"servers":    {"the servers, by name", ""},
	"mcpServers": {"the same under the name that most clients use; with both, the entries are merged", ""},
	"disclosure": {"what agents see, and how much of it", ""},
	"discovery":  {"how the gateway learns what servers offer", ""},
	"categories": {"rules that put tools into categories; the first that fits wins", ""},
	"http":       {"the listener of serve --http", ""},
	"include":    {"clients whose servers are served too: their names, or auto for all that there are", ""},
	"scripts":    {"Lua scripts that run by name", ""},
	"search":     {"how tools are found, beyond what the gateway knows by itself", ""},
	"execute":    {"what scripts of agents may do", ""},
	"tracing":    {"what traces carry; where they are sent is for the OTEL_* variables to say", ""},
	"$schema":    {"the schema of this file, for editors", ""},

	"servers.*.command":             {"program to start; looked up on PATH, no shell", ""},
	"servers.*.args":                {"its arguments", ""},
	"servers.*.env":                 {"variables for it", ""},
	"servers.*.envFile":             {"file of NAME=value lines with more variables for it; those of env win", ""},
	"servers.*.cwd":                 {"its working directory", ""},
	"servers.*.url":                 {"address of a server that runs already", ""},
	"servers.*.headers":             {"sent with every request to url", ""},
	"servers.*.oauth":               {"how the gateway signs in to url, where that wants OAuth; see toolcrib login", ""},
	"servers.*.oauth.client_id":     {"a client that was registered before, or the https address of a client's metadata; without it one is registered", ""},
	"servers.*.oauth.client_secret": {"of that client, if it has one", ""},
	"servers.*.oauth.scopes":        {"to ask for; without it those that the server names", ""},
	"servers.*.oauth.allow_private": {"true: who signs in for the server may be in a private network", ""},
	"servers.*.oauth.redirect_port": {"of the loopback address that a login comes back to; without it any", ""},
	"servers.*.type":                {"how it is reached; follows from command or url", ""},
	"servers.*.disabled":            {"true leaves the server out", "false"},
	"servers.*.era":                 {"protocol generation", "auto"},
	"servers.*.sessions":            {"whether agents share one connection", "shared"},
	"servers.*.max_in_flight":       {"requests at the server at once; more wait", "64"},
	"servers.*.start_timeout":       {"from start to the first answer", "1m0s"},
	"servers.*.probe_timeout":       {"how long it may leave the question for its era unanswered", "10s"},
	"servers.*.call_timeout":        {"one request", "5m0s"},
	"servers.*.timeout":             {"another name of call_timeout", ""},
	"servers.*.queue_timeout":       {"waiting for one of max_in_flight", "10s"},
	"servers.*.idle_timeout":        {"unused for so long, it is stopped; never", "10m0s"},
	"servers.*.ttl":                 {"how long what it listed holds, if it does not say itself; without it discovery.ttl", ""},
	"servers.*.category":            {"of its tools, where nothing else tells one", ""},
	"servers.*.tags":                {"that all its tools get", ""},
	"servers.*.disabledTools":       {"tools that nobody sees or calls, with * and ?", ""},
	"servers.*.excludeTools":        {"as disabledTools", ""},
	"servers.*.disabled_tools":      {"as disabledTools", ""},
	"servers.*.autoApprove":         {"tools that another client approves; they name tools of a server that cannot be asked", ""},
	"servers.*.alwaysAllow":         {"as autoApprove", ""},
	"servers.*.includeTools":        {"as autoApprove", ""},
	"servers.*.enabled_tools":       {"as autoApprove", ""},

	"disclosure.surface":       {"the tools that agents see", "standard"},
	"disclosure.auto_tokens":   {"of the surface auto: what all definitions may take to be shown as they are", "4000"},
	"disclosure.first_call":    {"what comes with a caller's first call", "brief"},
	"disclosure.max_result":    {"characters of a result that is handed on in one piece", "40000"},
	"disclosure.essential":     {"words of the tools that the summary names", ""},
	"disclosure.caller_header": {"HTTP header that tells one conversation from another", ""},

	"discovery.ttl":             {"how long a listing holds, if neither the server nor its entry says", "5m0s"},
	"discovery.parallel":        {"servers that are started and listed at once", "4"},
	"discovery.probe":           {"false: a server that does not answer the protocol is not looked at in other ways", "true"},
	"discovery.enabled":         {"another name of probe", ""},
	"discovery.cache":           {"false: what servers listed is not kept for the next start", "true"},
	"discovery.timeout":         {"how long each of those other ways may take", "10s"},
	"discovery.predict":         {"a model that guesses the tools of servers that tell nothing; without it nothing is guessed", ""},
	"discovery.predict.url":     {"its OpenAI-compatible interface", ""},
	"discovery.predict.model":   {"its name there", ""},
	"discovery.predict.key_env": {"the variable of the gateway's environment that holds the key", ""},

	"search.learn":            {"false: which tools are called together, and after a search, is not counted", "true"},
	"search.embedder":         {"a model of your own that tells what texts mean; without it the gateway's own table does", ""},
	"search.embedder.url":     {"its OpenAI-compatible interface", ""},
	"search.embedder.model":   {"its name there", ""},
	"search.embedder.key_env": {"the variable of the gateway's environment that holds the key", ""},

	"execute.time":                    {"how long it may take, waiting for calls included", "1m0s"},
	"execute.work":                    {"milliseconds of a processor that it may take, about", "2000"},
	"execute.memory":                  {"megabytes that it may use", "64"},
	"execute.calls":                   {"tools that it may call", "100"},
	"execute.calls_at_once":           {"calls under way at a time; more wait", "8"},
	"execute.printed":                 {"kilobytes that it may print", "64"},
	"execute.read_only":               {"true: only scripts that can be seen to call nothing but read-only tools", "false"},
	"execute.callers":                 {"limits of some callers, in place of those above; the first that fits counts", ""},
	"execute.callers[].who":           {"patterns of who is authenticated, with *", ""},
	"execute.callers[].time":          {"how long it may take, waiting for calls included", ""},
	"execute.callers[].work":          {"milliseconds of a processor that it may take, about", ""},
	"execute.callers[].memory":        {"megabytes that it may use", ""},
	"execute.callers[].calls":         {"tools that it may call", ""},
	"execute.callers[].calls_at_once": {"calls under way at a time; more wait", ""},
	"execute.callers[].printed":       {"kilobytes that it may print", ""},

	"categories[].category": {"its name", ""},
	"categories[].server":   {"a name of servers with * and ?; without it all", ""},
	"categories[].tools":    {"names of tools with * and ?", ""},
	"categories[].words":    {"whole words of a tool's name, title or description", ""},

	"scripts.*.file":                     {"where its text is; a relative path starts at the configuration's directory", ""},
	"scripts.*.source":                   {"its text, instead of a file", ""},
	"scripts.*.description":              {"what it does", ""},
	"scripts.*.parameters":               {"its arguments, by name", ""},
	"scripts.*.parameters.*.type":        {"of JSON; without it any", ""},
	"scripts.*.parameters.*.description": {"what it means", ""},
	"scripts.*.parameters.*.required":    {"true: it must be given", "false"},
	"scripts.*.parameters.*.default":     {"its value if it is not given", ""},
	"scripts.*.parameters.*.enum":        {"all values that it may have", ""},

	"tracing.arguments": {"true: the arguments of calls are in traces, without what looks like a secret", "false"},
	"tracing.results":   {"true: the results of calls are, likewise", "false"},

	"http.auth":             {"token: agents send the bearer token of this gateway; oauth: they send one of an issuer; none: loopback addresses alone are served", "token"},
	"http.oauth":            {"whose tokens are taken with auth: oauth", ""},
	"http.oauth.issuer":     {"who makes them, as they say it themselves", ""},
	"http.oauth.resource":   {"the address at which agents reach this gateway, such as https://tools.example.com/mcp", ""},
	"http.oauth.audience":   {"whom tokens must be for; without it resource", ""},
	"http.oauth.jwks_url":   {"where the issuer's keys are; without it the issuer's metadata tells", ""},
	"http.oauth.scopes":     {"that every token must have", ""},
	"http.oauth.algorithms": {"of signatures that are accepted, out of RS256 to RS512, PS256 to PS512, ES256 to ES512 and EdDSA; without it all of them", ""},
	"http.tls":              {"serve https with this certificate; read again when its files change", ""},
	"http.tls.cert":         {"file of the certificate and those above it, PEM", ""},
	"http.tls.key":          {"file of its private key, PEM", ""},
	"http.allowed_hosts":    {"names that the Host header may have besides loopback ones", ""},
	"http.allowed_origins":  {"origins that browsers may call from besides loopback ones", ""},
	"http.page":             {"the page and the API at the listener; actions: tools can be called there, servers listed anew and, with the key of the page, definitions approved", "read-only"},
}

// keyAt is the Key of a path. Both names of the servers have the same keys.
func keyAt(path string) (Key, bool) {
	if rest, ok := strings.CutPrefix(path, "mcpServers."); ok {
		path = "servers." + rest
	}
	k, ok := keyTable[path]
	return k, ok
}

// Keys are all keys, with what they mean, in the order of the decoder.
func Keys() []DefaultKey {
	var out []DefaultKey
	FileSchema().walk("", func(path string, s *Schema) {
		if !strings.HasPrefix(path, "mcpServers.") { // which would say the same again
			out = append(out, DefaultKey{path, s.Default, s.About})
		}
	})
	return out
}

// Defaults are the keys that have one.
func Defaults() []DefaultKey {
	return slices.DeleteFunc(Keys(), func(k DefaultKey) bool { return k.Default == "" })
}

// A DefaultKey is a key and what holds where a file leaves it out.
type DefaultKey struct{ Path, Default, Meaning string }
