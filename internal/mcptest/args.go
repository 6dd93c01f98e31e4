package mcptest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// args are a behaviour's key=value arguments.
type args map[string]string

func parseArgs(list, known []string) (args, error) {
	a := args{}
	for _, s := range list {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("argument %q is not of the form key=value", s)
		}
		if !slices.Contains(known, key) {
			return nil, fmt.Errorf("no argument %q: it knows %q", key, known)
		}
		a[key] = value
	}
	return a, nil
}

func (a args) text(key, fallback string) string {
	if v, ok := a[key]; ok {
		return v
	}
	return fallback
}

// num of a key that is not a number is its fallback: a test that mistypes one
// sees the wrong behaviour at once.
func (a args) num(key string, fallback int) int {
	if n, err := strconv.Atoi(a[key]); err == nil {
		return n
	}
	return fallback
}

func (a args) on(key string) bool { return a[key] == "true" || a[key] == "1" }

func (a args) ms(key string, fallback int) time.Duration {
	return time.Duration(a.num(key, fallback)) * time.Millisecond
}
