package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// mostDotenv is how large a file of variables may be.
const mostDotenv = 1 << 20

// readSmall reads a file that must not be larger than most.
func readSmall(path string, most int64) ([]byte, error) {
	// Opening a pipe or a terminal would wait for somebody.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("it is larger than %d KiB", most>>10)
	}
	return text, nil
}

// loadDotenv reads a file of NAME=value lines that the configuration names.
func (d *decoder) loadDotenv(path string) map[string]string {
	pairs, bad := d.readDotenv(path)
	d.problems = append(d.problems, bad...)
	return pairs
}

// besideDotenv reads the file that may stand beside the configuration. Others use
// it too, and may write it in their own way, so nothing in it is an error; and it
// may be something else by that name.
func (d *decoder) besideDotenv() map[string]string {
	path := filepath.Join(d.variables.dir, ".env")
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		d.use(path)
		return nil
	}
	pairs, bad := d.readDotenv(path)
	d.warnings = append(d.warnings, bad...)
	return pairs
}

func (d *decoder) readDotenv(path string) (map[string]string, []Problem) {
	d.use(path)
	text, err := readSmall(path, mostDotenv)
	if err != nil {
		return nil, []Problem{{File: path, Text: fmt.Sprintf("cannot be read: %v", reason(err))}}
	}
	pairs, bad := parseDotenv(text)
	for i := range bad {
		bad[i].File = path
	}
	return pairs, bad
}

// parseDotenv understands what shells and dotenv libraries agree on: comments, an
// export in front, single quotes for text as it stands, double quotes with
// \n, \t, \" and \\. Lines are not shown in problems: they hold secrets.
func parseDotenv(text []byte) (map[string]string, []Problem) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	pairs := map[string]string{}
	var bad []Problem
	number := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		number++
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "export "); ok {
			line = strings.TrimSpace(rest)
		}
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || leadingName(name) != name {
			bad = append(bad, Problem{At: Position{number, 1}, Text: "no NAME=value"})
			continue
		}
		value, ok = dotenvValue(strings.TrimSpace(value))
		if !ok {
			bad = append(bad, Problem{At: Position{number, 1}, Text: fmt.Sprintf("the quotes of %s are not closed on its line", name)})
			continue
		}
		pairs[name] = value
	}
	return pairs, bad
}

func dotenvValue(text string) (string, bool) {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		if i := strings.Index(text, " #"); i >= 0 {
			text = strings.TrimRight(text[:i], " \t")
		}
		return text, true
	}
	quote, rest := text[0], text[1:]
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		switch {
		case c == quote:
			after := strings.TrimSpace(rest[i+1:])
			return b.String(), after == "" || after[0] == '#'
		case c == '\\' && quote == '"' && i+1 < len(rest):
			i++
			switch rest[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'r':
				b.WriteByte('\r')
			default:
				b.WriteByte(rest[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
