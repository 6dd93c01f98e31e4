package upstream

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"toolcrib/internal/wire"
)

// Transport is how a server is reached.
type Transport string

const (
	Stdio Transport = "stdio" // a child process
	HTTP  Transport = "http"  // Streamable HTTP, and legacy SSE where a server speaks only that
	SSE   Transport = "sse"   // the legacy HTTP+SSE transport alone
)

// Sharing says who uses one connection to a server.
type Sharing string

const (
	Shared   Sharing = "shared"    // all agents: one process, the default
	PerAgent Sharing = "per_agent" // every agent session its own
)

// Defaults of a Spec's zero values.
const (
	DefaultStartTimeout = 60 * time.Second
	DefaultProbeTimeout = 10 * time.Second
	DefaultCallTimeout  = 5 * time.Minute
	DefaultQueueTimeout = 10 * time.Second
	DefaultIdleTimeout  = 10 * time.Minute
	DefaultMaxInFlight  = 64
)

// A Spec says what a server is and how it is to be run. Zero values mean the
// defaults above.
type Spec struct {
	Name string

	Transport Transport         // "" chooses: stdio with a Command, http with a URL
	Command   string            // stdio
	Args      []string          // stdio
	Env       map[string]string // stdio: added to the allow-listed environment
	Dir       string            // stdio: working directory
	URL       string            // http, sse
	Header    map[string]string // http, sse: sent with every request

	Era         wire.Era // 0 detects it
	Sharing     Sharing  // "" is Shared
	MaxInFlight int      // requests at the server at once; more wait

	StartTimeout time.Duration // from launch to the first answer
	ProbeTimeout time.Duration // how long a server may be silent to server/discover
	CallTimeout  time.Duration // one request
	QueueTimeout time.Duration // waiting for one of MaxInFlight
	IdleTimeout  time.Duration // unused for so long, it is stopped; negative never
}

// Check fills the defaults in and says what is wrong with the rest.
func (s *Spec) Check() error {
	if s.Name == "" {
		return fmt.Errorf("a server needs a name")
	}
	if s.Transport == "" {
		switch {
		case s.Command != "" && s.URL != "":
			return fmt.Errorf("server %s has a command and a url: remove one of them", s.Name)
		case s.Command != "":
			s.Transport = Stdio
		case s.URL != "":
			s.Transport = HTTP
		default:
			return fmt.Errorf("server %s needs a command or a url", s.Name)
		}
	}
	switch s.Transport {
	case Stdio:
		if s.Command == "" {
			return fmt.Errorf("server %s is stdio and needs a command", s.Name)
		}
	case HTTP, SSE:
		u, err := url.Parse(s.URL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return fmt.Errorf("server %s needs a url that starts with http:// or https://, not %q", s.Name, s.URL)
		}
	default:
		return fmt.Errorf("server %s has the unknown type %q: use stdio, http or sse", s.Name, s.Transport)
	}
	switch s.Sharing {
	case "":
		s.Sharing = Shared
	case Shared, PerAgent:
	default:
		return fmt.Errorf("server %s has the unknown sessions %q: use shared or per_agent", s.Name, s.Sharing)
	}
	s.MaxInFlight = or(s.MaxInFlight, DefaultMaxInFlight)
	s.StartTimeout = or(s.StartTimeout, DefaultStartTimeout)
	s.ProbeTimeout = or(s.ProbeTimeout, DefaultProbeTimeout)
	s.CallTimeout = or(s.CallTimeout, DefaultCallTimeout)
	s.QueueTimeout = or(s.QueueTimeout, DefaultQueueTimeout)
	s.IdleTimeout = or(s.IdleTimeout, DefaultIdleTimeout)
	return nil
}

func or[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}

// authorized tells whether the spec itself says who we are to the server.
func (s *Spec) authorized() bool {
	for name := range s.Header {
		if strings.EqualFold(name, "Authorization") {
			return true
		}
	}
	return false
}

// clone shares nothing with s, which its maker may change.
func (s Spec) clone() Spec {
	s.Args, s.Env, s.Header = slices.Clone(s.Args), maps.Clone(s.Env), maps.Clone(s.Header)
	return s
}

// fingerprint is equal for specs that need no new connection.
func (s *Spec) fingerprint() string {
	b, err := json.Marshal(s)
	if err != nil { // strings, numbers and maps of strings always marshal
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
