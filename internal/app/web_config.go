package app

import (
	"errors"
	"os"

	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
	"toolcrib/internal/web"
)

// Config is what the gateway was told, and what is wrong with that.
func (l *looking) Config(who web.Caller) web.Config {
	out := web.Config{Files: []web.ConfigFile{}, Problems: []web.ConfigProblem{}}
	if !whole(l.eye(who)) {
		out.Withheld = "the policy tells callers apart, and the configuration tells of what is not for all of them: toolcrib config show shows it to whoever runs the gateway"
		return out
	}
	c := l.config()
	if c.File != "" {
		out.Files = append(out.Files, configFile(c.File, true))
	}
	for _, file := range c.Used {
		out.Files = append(out.Files, configFile(file, false))
	}
	for _, w := range c.Warnings {
		out.Problems = append(out.Problems, l.configProblem(w, false))
	}
	if f := l.problem.Load(); f != nil {
		var e *config.Error
		if errors.As(f.err, &e) {
			for _, p := range e.Problems {
				out.Problems = append(out.Problems, l.configProblem(p, true))
			}
		} else {
			out.Problems = append(out.Problems, web.ConfigProblem{File: c.File, Text: l.o.secrets.Text(f.err.Error()), Fatal: true})
		}
	}
	out.Effective = c.YAML()
	return out
}

func configFile(path string, main bool) web.ConfigFile {
	_, err := os.Stat(path)
	return web.ConfigFile{Path: path, Main: main, Exists: err == nil}
}

func (l *looking) configProblem(p config.Problem, fatal bool) web.ConfigProblem {
	return web.ConfigProblem{
		File: p.File, Line: p.At.Line, Column: p.At.Column, Text: l.o.secrets.Text(p.Text), Excerpt: l.o.secrets.Text(p.Line), Fatal: fatal,
	}
}

// Scripts are those that are stored in the configuration.
func (l *looking) Scripts(web.Caller) []web.Script {
	out := []web.Script{}
	for _, s := range l.stored {
		out = append(out, web.Script{Name: s.Name, Description: disclose.Line(s.Description), Schema: s.Schema})
	}
	return out
}
