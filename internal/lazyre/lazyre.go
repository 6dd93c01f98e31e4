// Package lazyre holds regular expressions that are compiled when they are first
// used. Those that judge what a server prints or describes are many and long, and
// most starts of the program need none of them: compiling them all took a third of
// the time of a start.
package lazyre

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Pattern is a regular expression. Its methods are those of regexp.Regexp.
type Pattern struct {
	compiled func() *regexp.Regexp
}

// inTest has a mistake in an expression come to light in every test, not only in
// one that uses it.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New is a pattern by its expression, which panics at its first use if it is wrong.
func New(expression string) *Pattern {
	p := &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
	if inTest {
		p.compiled()
	}
	return p
}

// MatchString tells whether s has a match.
func (p *Pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

// Match tells whether b has a match.
func (p *Pattern) Match(b []byte) bool { return p.compiled().Match(b) }

// FindString is the first match in s.
func (p *Pattern) FindString(s string) string { return p.compiled().FindString(s) }

// FindIndex is where the first match in b is.
func (p *Pattern) FindIndex(b []byte) []int { return p.compiled().FindIndex(b) }

// FindStringIndex is where the first match in s is.
func (p *Pattern) FindStringIndex(s string) []int { return p.compiled().FindStringIndex(s) }

// FindStringSubmatch is the first match in s and its groups.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

// FindAllString is up to n matches in s.
func (p *Pattern) FindAllString(s string, n int) []string { return p.compiled().FindAllString(s, n) }

// FindAllStringIndex is where up to n matches in s are.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is up to n matches in s and their groups.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllSubmatchIndex is where up to n matches in b and their groups are.
func (p *Pattern) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return p.compiled().FindAllSubmatchIndex(b, n)
}

// ReplaceAllString puts something in the place of every match in s.
func (p *Pattern) ReplaceAllString(s, replacement string) string {
	return p.compiled().ReplaceAllString(s, replacement)
}

// ReplaceAllStringFunc puts what f makes of it in the place of every match in s.
func (p *Pattern) ReplaceAllStringFunc(s string, f func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, f)
}
