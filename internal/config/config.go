// Package config reads toolcrib.yaml, or the same in JSON with comments or TOML.
//
//	file ──► yaml.go, json.go, toml.go ──► node (values with positions) ──► fields.go ──► Config
//
// All syntaxes become one tree whose every value knows its line and column, and
// one decoder walks that tree. So a wrong key, a doubled one or a value of the
// wrong type is reported in the same words for all, with file:line:column and
// the nearest key that is known, and all problems of a file are reported at once.
// The same walk over a tree that stands for any file makes the JSON Schema for
// editors.
//
// The package reads and checks; it starts nothing but the program that reads the
// system's keyring, and only app and cli see what it returns.
package config

import "time"

// Config is what a file says, checked, with the zero value for what it leaves out.
type Config struct {
	File    string   // where it was read from
	Servers []Server // in the order of the file
	HTTP    HTTP

	Disclosure Disclosure
	Discovery  Discovery
	Search     Search
	Execute    Execute
	Categories []CategoryRule
	Scripts    []Script // in the order of the file
	Trust      Trust
	Policy     Policy
	Audit      Audit
	Tracing    Tracing
	Logins     Logins

	Include []string // clients whose servers are in Servers too

	// Project is the toolcrib.yaml of the working directory where that is not the
	// user's own: its servers are among Servers, and its settings a Claim.
	Project Project

	Warnings []Problem // what is allowed but hardly meant
	Advice   []Problem // what works and could be safer: for where somebody looks for it
	Used     []string  // other files that it hangs on, also where they do not exist
	Private  []string  // files that hold secrets as they are: of Used, and itself where it does
}

// A Server is one entry of servers or mcpServers.
type Server struct {
	Name     string
	At       Position // of its name in the file
	Disabled bool

	Client    string   // whose file it is from; "" for our own
	Source    string   // that file, or a project's own toolcrib.yaml
	Aliases   []string // other names that clients have for the same launch
	Untrusted bool     // from a project's own file, and not approved: it is not started, and is as it is written
	Claim     Claim    // what is to be approved of it, if it is from a project's own file

	Type    Type
	Command string
	Args    []string
	Env     map[string]string
	EnvFile string // whose variables are in Env too
	Dir     string
	URL     string
	Headers map[string]string
	OAuth   Login

	Era         Era
	Sessions    Sessions
	MaxInFlight int

	StartTimeout time.Duration
	ProbeTimeout time.Duration
	CallTimeout  time.Duration
	QueueTimeout time.Duration
	IdleTimeout  time.Duration // Never stops it never

	TTL      time.Duration // how long its listing holds if it does not say
	Category string        // of its tools, where nothing else tells one
	Tags     []string      // that all its tools get
	Hidden   []string      // tools that nobody is to see, with * and ?; they become rules of the policy
	Approved []string      // tools that a client's list approves without asking
}

// Never is the IdleTimeout of a server that is not stopped when it is idle.
const Never time.Duration = -1

// Type is how a server is reached. It is always set after reading.
type Type string

// The types, under the names that Config uses; files may use others for the same.
const (
	Stdio      Type = "stdio"
	Streamable Type = "http"
	SSE        Type = "sse"
)

// Era is the protocol generation of a server.
type Era string

// The eras. The empty value is EraAuto.
const (
	EraAuto   Era = "auto"
	EraModern Era = "modern"
	EraLegacy Era = "legacy"
)

// Sessions says whether agents share a connection to a server.
type Sessions string

// The ways to share. The empty value is SessionsShared.
const (
	SessionsShared   Sessions = "shared"
	SessionsPerAgent Sessions = "per_agent"
)
