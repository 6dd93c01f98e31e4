package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/catalog"
)

func newServers(s *streams) *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "servers",
		Short: "Show the configured servers and what is known of them",
		Long: `Show every server of the configuration, in its order, with what is saved of it.
No server is started: see "toolcrib refresh" for that.

Exit codes: 0 done, whatever the servers' states, 2 wrong usage, 3 the configuration is
missing or invalid.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := s.load(file)
			if err != nil {
				return err
			}
			return s.inspect(cmd, asJSON, func(i *inspection) error {
				in, err := app.Inspect(c, i.app)
				if err != nil {
					return err
				}
				states := in.Servers(in.Snapshot())
				if i.json {
					return i.printJSON(serversJSON(c.File, states))
				}
				return i.printServers(states)
			})
		},
	}
	configFlag(cmd, &file)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// What is known of a server, in one word.
const (
	stateDisabled = "disabled"
	stateApproval = "needs_approval"
	stateNever    = "never_listed"
	stateListed   = "listed"
	stateFailed   = "failed"
	stateLogin    = "needs_login"
)

func stateOf(s app.ServerState) string {
	switch {
	case s.Disabled:
		return stateDisabled
	case s.Untrusted:
		return stateApproval
	case s.Known == nil:
		return stateNever
	case app.WantsLogin(s.Known.Failure()):
		return stateLogin
	case s.Known.Failure() != nil:
		return stateFailed
	}
	return stateListed
}

func (i *inspection) printServers(states []app.ServerState) error {
	t := &table{width: terminalOf(i.out, i.getenv).width}
	t.add("SERVER", "TRANSPORT", "TOOLS", "VERSION", "STATE")
	for _, s := range states {
		tools, version := "-", "-"
		if s.Known != nil {
			tools = fmt.Sprint(s.Known.Len())
			if v := clean(s.Known.Version()); v != "" {
				version = cut(v, 20)
			}
		}
		t.add(s.Name, s.Transport, tools, version, describe(s, time.Now()))
	}
	return t.print(i.out)
}

// describe says how a server stands.
func describe(s app.ServerState, now time.Time) string {
	switch stateOf(s) {
	case stateDisabled:
		return "disabled"
	case stateApproval:
		return "needs trust: " + app.TrustCommand(s.Name) + " shows what " + s.Source + " says of it"
	case stateNever:
		return "never listed"
	case stateLogin:
		return "needs login: " + clean(s.Known.Failure().Reason)
	case stateFailed:
		f := s.Known.Failure()
		text := fmt.Sprintf("failed %s ago", ago(now.Sub(f.Since)))
		if !s.Listed.IsZero() && s.Known.Len() > 0 {
			text += fmt.Sprintf(" (tools of %s ago)", ago(now.Sub(s.Listed)))
		}
		return text + ": " + clean(f.Reason)
	}
	return fmt.Sprintf("listed %s ago", ago(now.Sub(s.Listed)))
}

type serversOutput struct {
	Version int          `json:"version"`
	Config  string       `json:"config"`
	Servers []serverJSON `json:"servers"`
}

type serverJSON struct {
	Name          string           `json:"name"`
	ID            string           `json:"id,omitempty"` // first half of its tools' ids
	Transport     string           `json:"transport"`
	State         string           `json:"state"`
	Tools         int              `json:"tools"`
	Title         string           `json:"title,omitempty"`
	ServerVersion string           `json:"server_version,omitempty"`
	Protocol      *protocolJSON    `json:"protocol,omitempty"`
	Listed        *time.Time       `json:"listed,omitempty"`
	Stale         bool             `json:"stale"`
	Failure       *catalog.Failure `json:"failure,omitempty"`
	Source        string           `json:"source,omitempty"`  // the client's file that it is from
	Aliases       []string         `json:"aliases,omitempty"` // other names that clients have for it
}

func serversJSON(file string, states []app.ServerState) serversOutput {
	out := serversOutput{Version: jsonVersion, Config: file, Servers: []serverJSON{}}
	for _, s := range states {
		one := serverJSON{Name: s.Name, Transport: s.Transport, State: stateOf(s), Stale: s.Stale, Source: s.Source, Aliases: s.Aliases}
		if !s.Listed.IsZero() {
			one.Listed = &s.Listed
		}
		if s.Known != nil {
			l := s.Known.Listing()
			one.ID, one.Tools, one.Title, one.ServerVersion = s.Known.LuaName(), s.Known.Len(), s.Known.Title(), s.Known.Version()
			one.Failure = s.Known.Failure()
			if l.Version != "" {
				one.Protocol = &protocolJSON{Era: l.Era, Version: l.Version}
			}
		}
		out.Servers = append(out.Servers, one)
	}
	return out
}
