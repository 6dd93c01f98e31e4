package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A form is a way to write a variable that some program understands.
type form uint8

const (
	plainForm   form = 1 << iota // ${NAME} and ${NAME:-default}
	envForm                      // ${env:NAME}
	secretForms                  // ${file:PATH}, ${keyring:NAME}; $${ for what is no variable
	editorForms                  // ${workspaceFolder}, ${userHome}, ${input:ID}
	dollarForm                   // $NAME
	braceForms                   // {env:NAME}, {file:PATH}
)

// ownForms are those of our own file.
const ownForms = plainForm | envForm | secretForms

// variables replace what stands for a value elsewhere.
type variables struct {
	*Reader
	forms  form
	dir    string            // where relative paths start
	dotenv map[string]string // behind the environment
	read   func(path string) // told of every file

	translate bool // write variables as our own file does, instead of replacing them
}

// replace puts values into text. Its error names variables, never values.
func (v *variables) replace(text string) (string, error) {
	var b strings.Builder
	for text != "" {
		i := strings.IndexAny(text, "${")
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i:]
		value, used, err := v.at(text)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		text = text[used:]
	}
	b.WriteString(text)
	return b.String(), nil
}

// at reads what stands at the beginning of text, which is $ or {, and says how
// much of it that was.
func (v *variables) at(text string) (value string, used int, err error) {
	switch {
	case strings.HasPrefix(text, "$${") && v.forms&secretForms != 0:
		return v.literal("${"), len("$${"), nil
	case strings.HasPrefix(text, "${"):
		end := closing(text)
		if end < 0 {
			if v.forms == ownForms {
				return "", 0, fmt.Errorf("${ has no }: close it, or write $${ for the characters themselves")
			}
			return v.literal(text[:2]), 2, nil
		}
		value, known, err := v.inside(text[2:end])
		if !known {
			return v.literal(text[:end+1]), end + 1, err
		}
		return value, end + 1, err
	case text[0] == '$' && v.forms&dollarForm != 0:
		if name := leadingName(text[1:]); name != "" {
			value, err := v.named(name, "$"+name)
			return value, 1 + len(name), err
		}
	case text[0] == '{' && v.forms&braceForms != 0:
		if end := strings.IndexByte(text, '}'); end > 0 {
			if kind, rest, _ := strings.Cut(text[1:end], ":"); kind == "env" || kind == "file" {
				value, err := v.of(kind, rest)
				return value, end + 1, err
			}
		}
	}
	return text[:1], 1, nil
}

// literal is text that is no variable in its file.
func (v *variables) literal(text string) string {
	if v.translate {
		return "$" + text
	}
	return text
}

// closing is where the brace of ${ closes, -1 if it does not.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch {
		case text[i] == '{' && i > 0 && text[i-1] == '$':
			depth++
		case text[i] == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// inside reads what stands between the braces; known is false if this program
// does not understand it, in which case it may be meant for another.
func (v *variables) inside(inner string) (value string, known bool, err error) {
	name := leadingName(inner)
	rest := inner[len(name):]
	switch {
	case name != "" && rest == "" && v.forms&editorForms != 0 && v.folder(name) != "":
		return v.folder(name), true, nil
	case name != "" && rest == "" && v.forms&(plainForm|dollarForm) != 0:
		value, err := v.named(name, "${"+name+":-default}")
		return value, true, err
	case name != "" && strings.HasPrefix(rest, ":-") && v.forms&plainForm != 0:
		if v.translate {
			value, err := v.replace(rest[2:])
			return "${" + name + ":-" + value + "}", true, err
		}
		if value := v.lookup(name); value != "" {
			return value, true, nil
		}
		value, err := v.replace(rest[2:])
		return value, true, err
	case name == "input" && strings.HasPrefix(rest, ":") && v.forms&editorForms != 0:
		if v.translate { // the nearest that our own file has
			return "${" + variableName(rest[1:]) + "}", true, nil
		}
		return "", true, fmt.Errorf("${%s} is asked for by the editor alone: put the value into the environment and this server into your own file", clip(inner))
	case name == "env" && strings.HasPrefix(rest, ":") && v.forms&envForm != 0,
		(name == "file" || name == "keyring") && strings.HasPrefix(rest, ":") && v.forms&secretForms != 0:
		value, err := v.of(name, rest[1:])
		return value, true, err
	case v.forms&secretForms != 0:
		return "", true, fmt.Errorf("${%s} is no variable: use ${NAME}, ${NAME:-default}, ${env:NAME}, ${file:PATH} or ${keyring:NAME}, or $${ for the characters themselves", clip(inner))
	}
	return "", false, nil
}

// of reads a variable that says where it is kept.
func (v *variables) of(kind, name string) (string, error) {
	if v.translate {
		if kind == "file" {
			name = v.path(name, v.dir)
		}
		return "${" + kind + ":" + name + "}", nil
	}
	switch kind {
	case "file":
		return v.file(name)
	case "keyring":
		return v.keyring(name)
	}
	if leadingName(name) != name || name == "" {
		return "", fmt.Errorf("%q cannot be the name of a variable", clip(name))
	}
	return v.named(name, "${"+name+":-default}")
}

func (v *variables) named(name, otherwise string) (string, error) {
	if v.translate {
		return "${" + name + "}", nil
	}
	if value := v.lookup(name); value != "" {
		return value, nil
	}
	if v.forms != ownForms {
		return "", fmt.Errorf("the variable %s is not set", name)
	}
	return "", fmt.Errorf("the variable %s is not set: set it, put it into .env beside this file, or write %s", name, otherwise)
}

func (v *variables) lookup(name string) string {
	if value := v.getenv(name); value != "" {
		return value
	}
	return v.dotenv[name]
}

// mostSecret is how long the text of a ${file:...} may be.
const mostSecret = 64 << 10

func (v *variables) file(name string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("${file:} needs the path of a file")
	}
	path := v.path(name, v.dir)
	if v.read != nil {
		v.read(path)
	}
	text, err := readSmall(path, mostSecret)
	if err != nil {
		return "", fmt.Errorf("the file %s of a variable cannot be read: %w", path, reason(err))
	}
	return strings.TrimRight(string(text), "\r\n"), nil
}

// folder is the value of an editor's word, "" for any other word.
func (v *variables) folder(word string) string {
	switch word {
	case "workspaceFolder":
		return v.project()
	case "workspaceFolderBasename":
		return filepath.Base(v.project())
	case "userHome":
		return v.home()
	case "pathSeparator":
		return string(os.PathSeparator)
	}
	return ""
}

// variableName makes the name of a variable of that of an editor's input.
func variableName(id string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && leadingName("_"+string(r)) == "_"+string(r) {
			return r
		}
		return '_'
	}, strings.ToUpper(id))
	if leadingName(name) != name || name == "" {
		return "_" + name
	}
	return name
}

// leadingName is what of text can be the name of a variable.
func leadingName(text string) string {
	for i := range len(text) {
		c := text[i]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return text[:i]
		}
	}
	return text
}
