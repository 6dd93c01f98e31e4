package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// lists are the scenarios that cannot be bridged, by the name of their list,
// with the reason for each.
type lists map[string]map[string]string

var (
	listHeading = regexp.MustCompile("^#+ .*`([a-z-]+)`")
	listRow     = regexp.MustCompile("^\\| *`([^`]+)` *\\|(.*)\\|\\s*$")
)

// readListed reads the tables of the document. That the document people read is
// the one the run obeys keeps it true.
func readListed(path string) (lists, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := lists{}
	name := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "#") {
			name = ""
			if m := listHeading.FindStringSubmatch(line); m != nil {
				name = m[1]
				all[name] = map[string]string{}
			}
			continue
		}
		m := listRow.FindStringSubmatch(line)
		if m == nil || name == "" {
			continue
		}
		reason := strings.TrimSpace(m[2])
		if reason == "" {
			return nil, fmt.Errorf("%s: %s is listed without a reason", path, m[1])
		}
		all[name][m[1]] = reason
	}
	return all, nil
}
