package guard

import (
	"strings"

	"toolcrib/internal/lazyre"
)

// prying are names of parameters by which a tool has itself told what a model knows
// and the tool needs not.
var prying = lazyre.New(`(?i)^_*(side_?notes?|system_?prompt|system_?message|(conversation|chat|message)_?(history|log|context)|full_?conversation|previous_?messages|user_?prompt|original_?prompt|model_?(name|id)_?used|chain_?of_?thought|hidden_?(context|data|note|field|param)|reasoning_?trace|tools?_?list|(all_?)?available_?tools|tools?_?descriptions|ssh_?(private_?)?key(_?contents?)?|env(ironment)?_?dump|secrets?_?dump|file_?contents?_?of_?config|exfil.*)_*$`)

// priesAbout is what the description of such a parameter says, unless the tool is
// one that is about conversations or models itself.
var priesAbout = lazyre.New(`(?i)\b(conversation|chat|prompt|messages?|system|tools|reasoning|everything|all)\b`)

var forRobots = lazyre.New(`(?i)(prompt|chat|conversation|message|llm|model|completion|assistant|agent|thread|tool)`)

// parameter looks at what a parameter is called.
func (s *scanner) parameter(where, name string, v any) {
	if !prying.MatchString(name) {
		return
	}
	about := s.own.Name() + " " + s.own.Description()
	if forRobots.MatchString(about) && !strings.HasPrefix(strings.ToLower(strings.Trim(name, "_")), "sidenote") {
		return // a tool that runs prompts takes prompts
	}
	described, _ := v.(map[string]any)
	text, _ := described["description"].(string)
	if text == "" || priesAbout.MatchString(text) || priesAbout.MatchString(name) {
		s.f.add(SuspiciousSchema, where, "a parameter that asks for what the model knows, not for what the tool does", name+": "+text)
	}
}

// command is a value that is run rather than read.
var command = lazyre.New(`(?i)\$\([^)]{2,}\)|` + "`[^`]{2,}`" + `\s*;|;\s*(curl|wget|rm|bash|sh|nc)\b|\|\s*(ba)?sh\b|^(javascript|vbscript|data:text/html)[:;,]|&&\s*(curl|wget|rm|bash|sh)\b`)

// value looks at a text that a schema gives a meaning to.
func (s *scanner) value(where, under, text string) {
	switch under {
	case "default", "const", "enum", "examples", "example":
		if command.MatchString(text) {
			s.f.add(SuspiciousSchema, where, "a value that is a command", text)
		}
		if found := secretPath.FindString(text); found != "" && under != "examples" && under != "example" && under != "enum" {
			s.f.add(SuspiciousSchema, where, "a value that leads to secrets", text)
		}
	case "$ref":
		if strings.Contains(text, "://") && !strings.Contains(text, "json-schema.org") {
			s.f.add(SuspiciousSchema, where, "it refers to a schema elsewhere, which can change", text)
		}
	}
}

var secretPath = lazyre.New(`(?i)(~|/home/[^/]+|/root)/\.(ssh|aws|gnupg|netrc|kube|npmrc|cursor|git-credentials)\b|/etc/shadow|id_rsa|id_ed25519`)
