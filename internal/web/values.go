package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// values are the parameters of a request's URL, as its route describes them. The first
// that is wrong is kept as problem.
type values struct {
	of      url.Values
	route   *route
	problem *Problem
}

// maxParameter bounds one of them.
const maxParameter = 2000

// values reads the parameters. Those that the route does not have are a mistake
// that would otherwise go unseen: the answer would be to another question.
func (r *request) values() *values {
	v := &values{route: r.route}
	of, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		v.problem = badRequest("query", "the parameters cannot be read", "encode them as a URL wants it")
		return v
	}
	v.of = of
	var names []string
	for _, p := range r.route.query {
		names = append(names, p.name)
	}
	for name, list := range of {
		switch {
		case !slices.Contains(names, name):
			v.problem = badRequest(clip(name), "there is no such parameter", "use "+strings.Join(names, ", "))
		case len(list) > 1:
			v.problem = badRequest(name, "it is there more than once", "say it once")
		case len(list[0]) > maxParameter || !utf8.ValidString(list[0]):
			v.problem = badRequest(name, "it is too long, or no text", fmt.Sprintf("use text of at most %d bytes", maxParameter))
		}
		if v.problem != nil {
			v.problem.Nearest = names
			return v
		}
	}
	for _, p := range r.route.query {
		if p.required && strings.TrimSpace(of.Get(p.name)) == "" {
			v.problem = badRequest(p.name, "it is missing", "say "+p.about)
		}
	}
	return v
}

func (v *values) text(name string) string {
	text := v.of.Get(name)
	if p := v.parameter(name); text != "" && p.among != nil && !slices.Contains(p.among, text) && v.problem == nil {
		v.problem = badRequest(name, fmt.Sprintf("%q is none of its values", clip(text)), "use one of "+strings.Join(p.among, ", "))
	}
	return text
}

func (v *values) number(name string) int {
	text := v.of.Get(name)
	if text == "" || v.problem != nil {
		return 0
	}
	n, err := strconv.Atoi(text)
	switch most := v.parameter(name).most; {
	case err != nil || n < 0:
		v.problem = badRequest(name, fmt.Sprintf("%q is no whole number", clip(text)), "use one, from 1")
	case most > 0 && n > most:
		v.problem = badRequest(name, fmt.Sprintf("%d is too much", n), fmt.Sprintf("use at most %d", most))
	}
	return n
}

func (v *values) parameter(name string) parameter {
	for _, p := range v.route.query {
		if p.name == name {
			return p
		}
	}
	panic("web: route " + v.route.name + " does not describe its parameter " + name)
}

// clip keeps what somebody sent short enough to be said back.
func clip(text string) string {
	const most = 80
	text = strings.ToValidUTF8(text, "")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "..."
}
