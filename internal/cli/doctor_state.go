package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strconv"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// checkPrivate looks at who can read the files that hold secrets.
func (d *doctor) checkPrivate() {
	good := 0
	for _, path := range d.c.Private {
		switch open, err := othersRead(path); {
		case err != nil: // it is not there, or was told of already
		case open:
			d.add(check{
				Area: "secrets", About: path, Level: isWarning, Text: "it holds secrets, and other users can read it",
				Fix: "chmod 600 " + quoted(path), File: path,
			})
		default:
			good++
		}
	}
	if good > 0 {
		d.ok("secrets", "%s can be read by you alone", count(good, "file"))
	}
}

// checkCache looks at what is saved.
func (d *doctor) checkCache() {
	if d.loaded && d.c.Discovery.NoCache {
		d.ok("cache", "it is switched off (discovery.cache)")
		return
	}
	c, err := d.cache()
	if err != nil {
		d.add(check{Area: "cache", Level: isWarning, Text: err.Error(), Fix: "set HOME, or XDG_STATE_HOME to a directory that is yours"})
		return
	}
	survey := c.Survey()
	if survey.Err != nil {
		d.add(check{Area: "cache", About: survey.Dir, Level: isProblem, Text: "it cannot be read: " + survey.Err.Error(), Fix: "make the directory yours: chmod u+rwx " + quoted(survey.Dir)})
		return
	}
	if err := writable(survey.Dir); err != nil {
		d.add(check{Area: "cache", About: survey.Dir, Level: isProblem, Text: "it cannot be written: " + err.Error(), Fix: "make the directory yours: chmod u+rwx " + quoted(survey.Dir)})
	}
	if n := len(survey.Damaged); n > 0 {
		d.add(check{Area: "cache", About: survey.Dir, Level: isWarning, Text: fmt.Sprintf("%s not what was written, and ignored", isAre(n, "file")), Fix: "toolcrib cache clear; if it happens again, see whether the disk is sound"})
	}
	if n := len(survey.Foreign); n > 0 {
		d.add(check{Area: "cache", About: survey.Dir, Level: isWarning, Text: fmt.Sprintf("%s not of this program: %s", isAre(n, "file"), several(survey.Foreign)), Fix: "move them elsewhere, if they are yours"})
	}
	text := fmt.Sprintf("%s, %s", count(len(survey.Saved), "listing"), size(survey.Total()))
	if n := len(survey.Others); n > 0 {
		text += fmt.Sprintf("; %s of other versions of this program", count(n, "file"))
	}
	if len(survey.Locked) > 0 {
		text += "; another gateway is listing " + several(survey.Locked) + " just now"
	}
	d.ok("cache", "%s", text)
}

// checkApprovals looks at what was approved of projects' files.
func (d *doctor) checkApprovals() {
	all := app.OpenApprovals(stateDir(d.getenv)).All()
	for _, a := range all {
		if a.Err != nil {
			d.add(check{
				Area: "approvals", About: a.Kept, Level: isWarning, Text: "it cannot be read, and counts for nothing: " + clean(a.Err.Error()),
				Fix: "rm " + quoted(a.Kept) + ", and toolcrib trust in the project, which asks again", File: a.Kept,
			})
		}
	}
	d.ok("approvals", "%s", approvalsText(all))
}

// isAre is a number of things with its verb.
func isAre(n int, thing string) string {
	if n == 1 {
		return count(n, thing) + " is"
	}
	return count(n, thing) + " are"
}

// checkToken looks at the secret that agents send to the listener.
func (d *doctor) checkToken() {
	if d.loaded && d.c.HTTP.Auth != "" && d.c.HTTP.Auth != config.AuthToken {
		d.ok("token", "none is used: http.auth is %s", d.c.HTTP.Auth)
		return
	}
	d.checkSecret("token", app.CheckToken)
}

// checkPageKey looks at the secret by which people decide on the page.
func (d *doctor) checkPageKey() {
	if d.loaded && d.c.HTTP.Page == config.PageActions {
		d.checkSecret("page key", app.CheckPageKey)
	}
}

// checkSecret looks at a file that serve --http makes.
func (d *doctor) checkSecret(area string, look func(stateDir string) (path string, made bool, err error)) {
	path, made, err := look(stateDir(d.getenv))
	switch {
	case err != nil:
		text, fix := firstLine(err.Error()), "set HOME, or XDG_STATE_HOME to a directory that is yours"
		if open, _ := othersRead(path); open {
			text, fix = "other users can read it", "chmod 600 "+quoted(path)
		} else if path != "" {
			fix = "rm " + quoted(path) + "; the next start of serve --http makes another one"
		}
		d.add(check{Area: area, About: path, Level: isProblem, Text: text, Fix: fix, File: path})
	case !made:
		d.ok(area, "serve --http makes it at its first start, in %s", path)
	default:
		d.ok(area, "%s can be read by you alone", path)
	}
}

// checkPort looks at who listens where a gateway would.
func (d *doctor) checkPort() {
	https := d.loaded && d.c.HTTP.TLS.Cert != ""
	port := app.LookAtPort(d.ctx, d.flags.http, https)
	switch {
	case port.Free:
		d.ok("port", "%s is free for serve --http", d.flags.http)
	case port.Gateway && port.Open:
		d.add(check{
			Area: "port", About: d.flags.http, Level: isProblem, Text: "the gateway there answers to names and origins of strangers, so that a page in a browser could call tools",
			Fix: "remove strangers from http.allowed_hosts and http.allowed_origins, and start it again",
		})
	case port.Gateway:
		text := fmt.Sprintf("a gateway serves %s, with %s", d.flags.http, count(port.Servers, "server"))
		if port.Down > 0 {
			text += fmt.Sprintf(", %d of them down", port.Down)
		}
		d.ok("port", "%s", text)
	case port.Err != nil:
		d.add(check{Area: "port", About: d.flags.http, Level: isWarning, Text: "serve --http cannot use it: " + clean(port.Err.Error()), Fix: "serve somewhere else: toolcrib serve --http " + nextPort(d.flags.http)})
	default:
		d.add(check{Area: "port", About: d.flags.http, Level: isWarning, Text: "another program listens there, and it is no gateway", Fix: "serve somewhere else: toolcrib serve --http " + nextPort(d.flags.http)})
	}
}

// nextPort is the address behind one that is taken.
func nextPort(addr string) string {
	host, port, _ := net.SplitHostPort(addr)
	n, _ := strconv.Atoi(port)
	if n < 1023 || n >= 65535 {
		n = 7332
	}
	return net.JoinHostPort(host, strconv.Itoa(n+1))
}

// writable tries to make a file in a directory, if there is one.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".toolcrib-*.tmp")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
