package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// checkServers looks at every server: what starts it, whether it answers, and what it
// says of its tools. The command of an entry that is not approved is never started.
func (d *doctor) checkServers() error {
	in, err := app.Inspect(d.c, d.app)
	if err != nil {
		return err
	}
	startable := d.checkCommands()
	if len(startable) > 0 && d.flags.offline {
		d.tellStates(in, startable)
	} else if len(startable) > 0 {
		if err := d.askServers(in, startable); err != nil {
			return err
		}
	}
	d.checkDefinitions(in)
	return nil
}

// checkCommands looks for what would be started, and gives the servers that can be.
func (d *doctor) checkCommands() (startable []string) {
	commands, off := 0, 0
	for _, s := range d.c.Servers {
		switch {
		case s.Disabled:
			off++
			continue
		case s.Untrusted:
			d.add(check{
				Area: "server", About: s.Name, Level: isWarning, Text: fmt.Sprintf("it is from %s, a project's own file, and is not started before you approve it", s.Source),
				Fix: approvalFix(s), File: s.Source, Line: s.At.Line, Column: s.At.Column,
			})
			continue
		}
		file := d.fileOf(s)
		if f := app.CheckStart(s); f != nil {
			d.add(check{
				Area: "command", About: s.Name, Level: isProblem, Text: clean(f.Reason), Fix: commandFix(s, f),
				File: file, Line: s.At.Line, Column: s.At.Column,
			})
			continue
		}
		startable = append(startable, s.Name)
		if s.Command == "" {
			continue
		}
		commands++
		loose, ok := s.Unpinned()
		if !ok {
			continue
		}
		p := pin{loose}
		version := p.fetched(d.getenv)
		d.add(check{
			Area: "command", About: s.Name, Level: isWarning,
			Text: fmt.Sprintf("%s starts whatever version of %s is newest on that day", p.Launcher, p.Name),
			Fix:  fmt.Sprintf("pin it: write %s in place of %s in args of %s (%s:%s)%s", p.Pinned(version), p.Written, s.Name, file, s.At, p.hint(version)),
			File: file, Line: s.At.Line, Column: s.At.Column,
		})
	}
	if commands > 0 {
		d.ok("command", "%s found", count(commands, "command"))
	}
	if off > 0 {
		d.ok("server", "%s switched off in the configuration", isAre(off, "server"))
	}
	return startable
}

// fileOf is the file that a server is from.
func (d *doctor) fileOf(s config.Server) string {
	if s.Source != "" {
		return s.Source
	}
	return d.c.File
}

// approvalFix is how to have an entry of a project's own file started.
func approvalFix(s config.Server) string {
	return app.TrustCommand(s.Name) + " shows all that it says, and asks"
}

// commandFix is what to do about a command that cannot be started. Where the program
// is one of a kit, that is what has to be installed.
func commandFix(s config.Server, f *app.Failure) string {
	if kit := kits[config.ProgramName(s.Command)]; kit != "" && strings.Contains(f.Reason, "PATH") {
		return kit
	}
	if f.Next == "" {
		return "correct command in its entry"
	}
	return f.Next
}

// kits are what programs come with that servers are often started by.
var kits = map[string]string{
	"node": installNode, "npm": installNode, "npx": installNode,
	"uv": installUV, "uvx": installUV,
	"bun": installBun, "bunx": installBun,
	"pnpm":    "install pnpm (https://pnpm.io/installation)",
	"deno":    "install Deno (https://docs.deno.com/runtime)",
	"docker":  "install Docker (https://docs.docker.com/get-docker)",
	"python3": "install Python (https://www.python.org/downloads)",
	"python":  "install Python (https://www.python.org/downloads), or write python3 as command",
	"pipx":    "install pipx (https://pipx.pypa.io)",
}

const (
	installNode = "install Node.js, which has it (https://nodejs.org), or write its full path as command"
	installUV   = "install uv, which has it (https://docs.astral.sh/uv), or write its full path as command"
	installBun  = "install Bun, which has it (https://bun.sh), or write its full path as command"
)

// tellStates says what is known of servers that are not asked.
func (d *doctor) tellStates(in *app.Inspection, names []string) {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	listed, never := 0, 0
	for _, s := range in.Servers(in.Snapshot()) {
		if !wanted[s.Name] {
			continue
		}
		switch stateOf(s) {
		case stateNever:
			never++
		case stateListed:
			listed++
		case stateLogin:
			d.serverProblem(s.Name, describe(s, time.Now()), ownCommand(d.flags.config, "login", s.Name))
		default:
			d.serverProblem(s.Name, describe(s, time.Now()), refreshCommand(d.flags.config, s.Name)+" tries again, and tells more")
		}
	}
	text := fmt.Sprintf("%d of %s answered when last asked", listed, count(len(names), "server"))
	if never > 0 {
		text += fmt.Sprintf("; %d never asked yet", never)
	}
	if listed+never > 0 {
		d.ok("server", "%s", text)
	}
}

func (d *doctor) serverProblem(name, text, fix string) {
	if d.code == 0 {
		d.code = exitServer
	}
	d.add(check{Area: "server", About: name, Level: isProblem, Text: text, Fix: fix})
}

var errOutOfTime = errors.New("the time for all servers was over")

// askServers has servers list themselves.
func (d *doctor) askServers(in *app.Inspection, names []string) error {
	whole := d.ctx
	ctx, cancel := context.WithTimeoutCause(whole, d.flags.timeout, errOutOfTime)
	defer cancel()
	d.ctx = ctx
	outcomes, err := d.refresh(in, names, app.RefreshOptions{Timeout: d.flags.timeout / 2})
	d.ctx = whole
	if err != nil {
		return err
	}
	tools := 0
	for _, out := range outcomes {
		if out.Failure == nil {
			tools += out.Tools
			continue
		}
		fix := clean(out.Failure.Next)
		switch out.Failure.Kind {
		case app.NeedsLogin:
			if s, _ := d.c.Server(out.Server); s.URL != "" && strings.Contains(fix, "toolcrib login") {
				fix = ownCommand(d.flags.config, "login", out.Server)
			}
		case app.Unfinished:
			fix = "give them more time with --timeout"
		}
		d.serverProblem(out.Server, clean(out.Failure.Reason), fix)
	}
	if answered := len(outcomes) - failures(outcomes); answered > 0 {
		d.ok("server", "%d of %s, with %s", answered, answer(len(outcomes)), count(tools, "tool"))
	}
	return nil
}

func answer(n int) string {
	if n == 1 {
		return "1 server answers"
	}
	return fmt.Sprintf("%d servers answer", n)
}

// checkDefinitions looks for what waits to be approved, and what is suspicious.
func (d *doctor) checkDefinitions(in *app.Inspection) {
	waiting, suspects := map[string]int{}, map[string]int{}
	for _, w := range in.Waiting() {
		waiting[w.Server]++
	}
	if d.c.Trust.Findings != config.FindingsOff {
		for _, s := range in.Suspects() {
			if !s.Accepted {
				suspects[s.Tool.Server().Name()]++
			}
		}
	}
	for _, s := range d.c.Servers {
		if n := waiting[s.Name]; n > 0 {
			d.add(check{
				Area: "definitions", About: s.Name, Level: isWarning, Text: fmt.Sprintf("%s changed or new, and held back until you approve", isAre(n, "definition")),
				Fix: ownCommand(d.flags.config, "trust", s.Name) + " shows them; with --yes they count",
			})
		}
		if n := suspects[s.Name]; n > 0 {
			d.add(check{
				Area: "definitions", About: s.Name, Level: isWarning, Text: fmt.Sprintf("%s suspicious", isAre(n, "definition")),
				Fix: ownCommand(d.flags.config, "trust --findings", s.Name) + " shows why",
			})
		}
	}
	if len(waiting)+len(suspects) == 0 && len(d.c.Servers) > 0 {
		d.ok("definitions", "none waits for approval, none is suspicious")
	}
}
