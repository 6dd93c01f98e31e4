package config

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// MaxSize of a file. A server takes some hundred bytes.
const MaxSize = 4 << 20

// Example is the smallest useful file, shown where there is none.
const Example = `servers:
  everything:
    command: npx
    args: ["-y", "@modelcontextprotocol/server-everything"]
`

// Load reads a file, and the files of clients that it includes. Its error is an *Error.
func (r *Reader) Load(path string) (Config, error) {
	src, err := readFile(path)
	if err != nil {
		return Config{}, err
	}
	return r.Parse(path, src)
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, openError(path, err)
	case info.IsDir():
		return nil, fileError(path, "is a directory: name the file in it")
	case !info.Mode().IsRegular() && info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) == 0:
		return nil, fileError(path, "is no file")
	}
	src, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, fileError(path, "cannot be read: %v", reason(err))
	}
	return src, nil
}

// NoFile is the *Error of a file that cannot be opened because of err.
func NoFile(path string, err error) error { return openError(path, err) }

func openError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fileError(path, "there is no such file; a first one could be:\n%s", indent(Example))
	case errors.Is(err, fs.ErrPermission):
		return fileError(path, "may not be read by this user: change its permissions")
	}
	return fileError(path, "cannot be opened: %v", reason(err))
}

// reason leaves out the path, which the message already has.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Parse reads the text of a file, and the files of clients that it includes. Its error is an *Error.
func (r *Reader) Parse(file string, src []byte) (Config, error) {
	c, err := r.parse(file, src)
	if err != nil {
		return Config{}, err
	}
	return c.finished(), nil
}

// finished adds to what was read what follows from it.
func (c Config) finished() Config { return c.withAdvice().withHidden() }

// parse leaves out what finished adds.
func (r *Reader) parse(file string, src []byte) (Config, error) {
	d := r.decoder(file, src, ownForms)
	root, err := d.tree()
	if err != nil {
		return Config{}, err
	}
	if root.kind == nullNode {
		return Config{}, fileError(file, "holds only comments; a first configuration could be:\n%s", indent(Example))
	}
	d.variables.dotenv = d.besideDotenv()
	c := d.config(root)
	if len(d.problems) > 0 {
		return Config{}, &Error{d.problems}
	}
	return r.add(c), nil
}

// decoder is for a file whose variables are written in these forms.
func (r *Reader) decoder(file string, src []byte, forms form) *decoder {
	d := &decoder{Reader: r, file: file, src: bytes.TrimPrefix(src, []byte("\ufeff")), most: MaxSize}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		dir = filepath.Dir(file)
	}
	d.variables = &variables{Reader: r, forms: forms, dir: dir, read: d.use}
	return d
}

// tree makes values with positions of the text. Its error is an *Error.
func (d *decoder) tree() (*node, error) {
	file, src := d.file, d.src
	if len(src) > d.most {
		return nil, fileError(file, "is larger than %d MiB: this is no configuration", d.most>>20)
	}
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return nil, fileError(file, "is UTF-16: save it as UTF-8")
	}
	if at, ok := firstInvalid(src); !ok {
		d.problem(at, "not UTF-8: save the file as UTF-8")
		return nil, &Error{d.problems}
	}
	if len(bytes.TrimSpace(src)) == 0 {
		return nil, fileError(file, "is empty; a first configuration could be:\n%s", indent(Example))
	}
	kind := syntaxOf(file, src)
	if at, deep := tooDeep(src, kind); deep {
		d.problem(at, "nested too deep: this is no configuration")
		return nil, &Error{d.problems}
	}
	var root *node
	switch kind {
	case jsonSyntax:
		root = d.readJSON()
	case tomlSyntax:
		root = d.readTOML()
	default:
		root = d.readYAML()
	}
	if root == nil || len(d.problems) > 0 {
		return nil, &Error{d.problems}
	}
	return root, nil
}

type syntax uint8

const (
	yamlSyntax syntax = iota
	jsonSyntax
	tomlSyntax
)

// syntaxOf goes by the name, and where that says nothing by the first character:
// YAML may begin with a brace too, but such YAML is nearly always JSON.
func syntaxOf(file string, src []byte) syntax {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".json", ".jsonc":
		return jsonSyntax
	case ".toml":
		return tomlSyntax
	case ".yaml", ".yml":
		return yamlSyntax
	}
	if first := bytes.TrimSpace(src); len(first) > 0 && (first[0] == '{' || first[0] == '/') {
		return jsonSyntax
	}
	return yamlSyntax
}

func firstInvalid(src []byte) (Position, bool) {
	if utf8.Valid(src) {
		return Position{}, true
	}
	at := Position{1, 1}
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		if r == utf8.RuneError && n == 1 {
			break
		}
		at.Column++
		if r == '\n' {
			at = Position{at.Line + 1, 1}
		}
		src = src[n:]
	}
	return at, false
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
