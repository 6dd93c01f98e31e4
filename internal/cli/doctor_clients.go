package cli

import (
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strings"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// checkClients looks at the clients that have this gateway in their files.
func (d *doctor) checkClients() {
	var good []string
	bad := 0
	for _, s := range d.reader().Installed() {
		fault, fix := d.faultOf(s)
		level := isProblem
		if s.Command == "" && strings.HasPrefix(fix, "toolcrib serve") {
			level = isWarning // a gateway may be meant to run only at times
		}
		if fault == "" {
			if !slices.Contains(good, s.Client) {
				good = append(good, s.Client)
			}
			continue
		}
		bad++
		d.add(check{Area: "client", About: s.Client, Level: level, Text: fault, Fix: fix, File: s.Source, Line: s.At.Line, Column: s.At.Column})
	}
	switch {
	case len(good) > 0:
		d.ok("client", "this gateway is installed in %s", strings.Join(good, ", "))
	case bad == 0:
		d.ok("client", "none has this gateway in its file; toolcrib install CLIENT puts it there")
	}
}

// faultOf is what keeps a client from reaching this gateway by its entry.
func (d *doctor) faultOf(s config.Server) (fault, fix string) {
	again := "toolcrib install " + s.Client
	switch {
	case s.Disabled:
		return fmt.Sprintf("it has this gateway in %s:%s, switched off", s.Source, s.At), "switch it on there"
	case s.Command == "":
		return d.addressFault(s)
	}
	if _, err := exec.LookPath(s.Command); err != nil {
		return fmt.Sprintf("it starts %s, which is not there (%s:%s)", s.Command, s.Source, s.At), again
	}
	if n := slices.IndexFunc(s.Args, func(arg string) bool { return arg == "--config" || arg == "-c" }); n >= 0 && n+1 < len(s.Args) && !exists(s.Args[n+1]) {
		return fmt.Sprintf("it starts this gateway with %s, which is not there (%s:%s)", s.Args[n+1], s.Source, s.At), again + " --config FILE"
	}
	return "", ""
}

// addressFault is what keeps a client from reaching a gateway of this machine.
func (d *doctor) addressFault(s config.Server) (fault, fix string) {
	u, err := url.Parse(s.URL)
	if err != nil || !app.IsLoopback(u.Host) {
		return "", ""
	}
	where := fmt.Sprintf("%s:%s", s.Source, s.At)
	sent, written := strings.CutPrefix(s.Headers["Authorization"], "Bearer ")
	if written && !strings.Contains(sent, "$") {
		if token, err := app.ReadToken(stateDir(d.getenv)); err == nil && token != sent {
			return fmt.Sprintf("it sends another token than the one of this gateway (%s)", where), fmt.Sprintf("toolcrib install %s --http %s", s.Client, u.Host)
		}
	}
	if app.LookAtPort(d.ctx, u.Host, u.Scheme == "https").Gateway {
		return "", ""
	}
	return fmt.Sprintf("it reaches for %s, where no gateway listens (%s)", u.Host, where), "toolcrib serve --http " + u.Host
}
