package config

import "regexp"

// secretMember is a member of JSON, also of JSON inside a string, whose name says
// that its value is a secret.
var secretMember = regexp.MustCompile(`(?i)(\\*"[a-z0-9_.-]*(?:token|api_?key|apikey|private_?key|access_?key|secret|password|passwd|passphrase|authorization|credentials?|bearer|cookie)s?\\*"\s*:\s*)(\\*"(?:[^"\\]|\\[^"])*\\*"?|-?[0-9][0-9.eE+-]*)`)

// MaskText is a text without what looks like a secret: what well-known services'
// secrets look like, and values in JSON whose names say it. It is for showing.
func MaskText(text string) string {
	text = secretMember.ReplaceAllString(text, `${1}"`+Masked+`"`)
	return secretText.ReplaceAllString(text, Masked)
}
