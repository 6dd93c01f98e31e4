package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"toolcrib/internal/disclose"
)

// argumentFlags are the arguments of a tool or a script.
type argumentFlags struct {
	pairs []string
	json  string
}

// maxArguments is how many bytes of them are read.
const maxArguments = 16 << 20

func (f *argumentFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.pairs, "arg", nil, "an argument, `NAME=VALUE`; several of one name make a list")
	cmd.Flags().StringVar(&f.json, "json-args", "", "all arguments as a JSON `OBJECT`, @FILE, or - for standard input; --arg adds to it")
}

// readsInput tells whether they come from standard input.
func (f *argumentFlags) readsInput() bool { return f.json == "-" }

// object is the arguments as JSON. schema tells what types they are of; it may be nil.
func (f *argumentFlags) object(in io.Reader, schema json.RawMessage) (json.RawMessage, error) {
	all, err := f.base(in)
	if err != nil || len(f.pairs) == 0 {
		return all, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(all, &members); err != nil {
		return nil, err
	}
	names, values, err := f.values()
	if err != nil {
		return nil, err
	}
	types := readTypes(schema)
	for _, name := range names {
		value, ok := types.value(name, values[name])
		if !ok {
			return nil, usageError{fmt.Errorf("--arg %s is given %d times, and it takes no list: give it once", clean(name), len(values[name]))}
		}
		members[name] = value
	}
	return disclose.JSON(members), nil
}

// base is what --json-args says.
func (f *argumentFlags) base(in io.Reader) (json.RawMessage, error) {
	text := []byte(f.json)
	var err error
	switch {
	case f.json == "":
		return json.RawMessage("{}"), nil
	case f.json == "-":
		text, err = io.ReadAll(io.LimitReader(in, maxArguments+1))
	case f.json[0] == '@':
		text, err = readFile(f.json[1:])
	}
	switch {
	case err != nil:
		return nil, usageError{fmt.Errorf("--json-args: %w", err)}
	case len(text) > maxArguments:
		return nil, usageError{fmt.Errorf("--json-args: more than %d MiB", maxArguments>>20)}
	}
	text = bytes.TrimSpace(text)
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return nil, usageError{fmt.Errorf("--json-args must be a JSON object such as '{\"name\":\"value\"}': %s", jsonMistake(text, err))}
	}
	return text, nil
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxArguments+1))
}

// jsonMistake says what is wrong with text that is no JSON object, and where.
func jsonMistake(text []byte, err error) string {
	var syntax *json.SyntaxError
	switch {
	case len(text) == 0:
		return "it is empty"
	case errors.As(err, &syntax):
		before := text[:min(max(int(syntax.Offset)-1, 0), len(text))]
		line := bytes.Count(before, []byte("\n")) + 1
		column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
		return fmt.Sprintf("%v at %d:%d", syntax, line, column)
	}
	return fmt.Sprintf("it is %s", kindOf(text).words())
}

// values are those of --arg by name, and the names in their order.
func (f *argumentFlags) values() (names []string, values map[string][]string, err error) {
	values = map[string][]string{}
	for _, pair := range f.pairs {
		name, value, ok := strings.Cut(pair, "=")
		switch {
		case !ok || name == "":
			return nil, nil, usageError{fmt.Errorf("--arg %s: write NAME=VALUE", quoted(clean(pair)))}
		case !utf8.ValidString(pair):
			return nil, nil, usageError{fmt.Errorf("--arg %s: the value is no UTF-8", clean(name))}
		}
		if values[name] == nil {
			names = append(names, name)
		}
		values[name] = append(values[name], value)
	}
	return names, values, nil
}
