package guard

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"toolcrib/internal/catalog"
)

// A PinStore keeps pins: store.Pins in production.
type PinStore interface {
	Load(server, identity string) ([]byte, bool)
	// Update hands what is there to change and keeps what that returns, nothing if
	// it is nil.
	Update(server, identity string, change func(was []byte, is bool) []byte)
}

// PinMode is what becomes of a definition that changed.
type PinMode string

// The modes. The empty value is PinsOn.
const (
	PinsOn   PinMode = "on"   // the one of before counts until somebody approves
	PinsWarn PinMode = "warn" // the new one counts, and the change is told
	PinsOff  PinMode = "off"  // nothing is kept
)

// Trust is what a Keeper goes by.
type Trust struct {
	Pins   PinMode
	AskNew bool // a tool that its server did not have at first waits for approval too
}

// A Keeper knows which definitions were approved.
type Keeper struct {
	store PinStore
	log   *slog.Logger
	trust atomic.Pointer[Trust]

	standing atomic.Pointer[map[string]map[string]Standing] // by server, by tool
	mu       sync.Mutex                                     // one changes standing at a time
	told     map[string]string                              // by server, what was logged of it last
}

// Standing is how a tool stands whose definition is not settled.
type Standing struct {
	Held     bool // its server says something else by now
	Waits    bool // it cannot be used before somebody approves
	New      bool // it was not there at first
	Accepted bool // a person approved what is shown
}

// NewKeeper makes a Keeper. log may be nil.
func NewKeeper(s PinStore, log *slog.Logger) *Keeper {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	k := &Keeper{store: s, log: log, told: map[string]string{}}
	k.SetTrust(Trust{})
	k.standing.Store(&map[string]map[string]Standing{})
	return k
}

// SetTrust is what holds from now on.
func (k *Keeper) SetTrust(t Trust) {
	if t.Pins == "" {
		t.Pins = PinsOn
	}
	k.trust.Store(&t)
}

// Learned takes what a server said just now and returns it as it may be shown.
func (k *Keeper) Learned(l catalog.Listing) catalog.Listing { return k.screen(l, true) }

// Known is Learned for what was kept of a server: it may be older than its pins, and
// holds nothing.
func (k *Keeper) Known(l catalog.Listing) catalog.Listing { return k.screen(l, false) }

func (k *Keeper) screen(l catalog.Listing, live bool) catalog.Listing {
	trust := *k.trust.Load()
	if trust.Pins == PinsOff {
		k.stands(l.Server, nil)
		return l
	}
	digest := digestOf(l.Tools)
	if k.settled(l, digest) {
		k.stands(l.Server, nil)
		return l
	}
	p, known := readPins(k.store.Load(l.Server, l.Identity))
	if !known && len(l.Tools) == 0 {
		return l // there is nothing to pin yet
	}
	if copied := (pins{maps.Clone(p.Tools)}); !known || live && copied.take(l.Tools, !known, trust.AskNew, time.Now()) {
		k.unsettle(l.Server, l.Identity)
		k.store.Update(l.Server, l.Identity, func(was []byte, is bool) []byte {
			p, known = readPins(was, is)
			if !p.take(l.Tools, !known, trust.AskNew, time.Now().UTC().Truncate(time.Second)) {
				return nil
			}
			return p.encoded()
		})
	}
	k.stands(l.Server, p.standings(l.Tools, trust))
	k.tell(l.Server, &p, trust)
	if p.agrees(l.Tools) {
		k.settle(l, digest)
	}
	if trust.Pins == PinsOn {
		l.Tools = p.show(l.Tools)
	}
	return l
}

// standings are those of tools that are not settled.
func (p *pins) standings(tools []catalog.Found, trust Trust) map[string]Standing {
	var out map[string]Standing
	for _, f := range tools {
		name, ok := nameOf(f)
		if !ok {
			continue
		}
		pin, known := p.Tools[name]
		s := Standing{Held: pin.waits(), New: pin.Pinned == nil, Accepted: pin.Accepted}
		if trust.Pins == PinsOn {
			s.Waits = pin.waits() && (pin.Pinned == nil || !serves(pin.Pinned, pin.Held)) || !known && trust.AskNew
		}
		if s.Held || s.Waits || s.Accepted {
			if out == nil {
				out = map[string]Standing{}
			}
			out[name] = s
		}
	}
	return out
}

// stands publishes how a server's tools stand.
func (k *Keeper) stands(server string, of map[string]Standing) {
	k.mu.Lock()
	defer k.mu.Unlock()
	all := *k.standing.Load()
	if len(of) == 0 && len(all[server]) == 0 {
		return
	}
	all = maps.Clone(all)
	all[server] = of
	k.standing.Store(&all)
}

// tell logs what waits, once.
func (k *Keeper) tell(server string, p *pins, trust Trust) {
	var names []string
	for name, pin := range p.Tools {
		if pin.waits() {
			names = append(names, Visible(name, 80))
		}
	}
	slices.Sort(names)
	text := strings.Join(names, ", ")
	k.mu.Lock()
	news := k.told[server] != text
	k.told[server] = text
	k.mu.Unlock()
	if !news || text == "" {
		return
	}
	what := "a server changed definitions of its tools: those of before count until they are approved"
	if trust.Pins == PinsWarn {
		what = "a server changed definitions of its tools"
	}
	k.log.Warn(what, "server", server, "tools", Visible(text, 400), "next_step", "toolcrib trust "+server)
}

// Of is how a tool stands, with what its server is called in the configuration.
func (k *Keeper) Of(server, tool string) Standing { return (*k.standing.Load())[server][tool] }

// anyWaits tells whether any tool cannot be used before somebody approves.
func (k *Keeper) anyWaits() bool {
	for _, tools := range *k.standing.Load() {
		for _, s := range tools {
			if s.Waits {
				return true
			}
		}
	}
	return false
}

// Version changes with how tools stand.
func (k *Keeper) Version() any { return k.standing.Load() }

// Unsettled are the servers that have tools which wait for approval.
func (k *Keeper) Unsettled() []string {
	var out []string
	for server, tools := range *k.standing.Load() {
		for _, s := range tools {
			if s.Held || s.Waits {
				out = append(out, server)
				break
			}
		}
	}
	slices.Sort(out)
	return out
}

// A Waiting is a definition that waits for approval.
type Waiting struct {
	Server string
	Tool   string
	Before json.RawMessage // nil of a new tool
	Now    json.RawMessage
	Since  time.Time
	Serves bool // meanwhile it can be called by the definition of before

	Rejected bool // a person decided against it
}

// Waiting are the definitions of a server that wait, by the names of their tools.
func (k *Keeper) Waiting(server, identity string) []Waiting {
	p, _ := readPins(k.store.Load(server, identity))
	var out []Waiting
	for _, name := range slices.Sorted(maps.Keys(p.Tools)) {
		if pin := p.Tools[name]; pin.waits() {
			out = append(out, Waiting{server, name, pin.Pinned, pin.Held, pin.Since, pin.Pinned != nil && serves(pin.Pinned, pin.Held), pin.Rejected})
		}
	}
	return out
}

// Approve makes what a person has read what counts. A definition that changed once
// more since is not approved by it.
func (k *Keeper) Approve(server, identity string, read []Waiting) (approved int) {
	k.unsettle(server, identity)
	k.store.Update(server, identity, func(was []byte, is bool) []byte {
		p, _ := readPins(was, is)
		for _, w := range read {
			if pin, ok := p.Tools[w.Tool]; ok && pin.waits() && same(pin.Held, w.Now) {
				p.Tools[w.Tool] = Pin{Pinned: pin.Held, Accepted: true}
				approved++
			}
		}
		if approved == 0 {
			return nil
		}
		return p.encoded()
	})
	return approved
}

// Reject notes that a person has read definitions and is against them: those of before
// go on counting, until their server says something else again.
func (k *Keeper) Reject(server, identity string, read []Waiting) (rejected int) {
	k.unsettle(server, identity)
	k.store.Update(server, identity, func(was []byte, is bool) []byte {
		p, _ := readPins(was, is)
		for _, w := range read {
			if pin, ok := p.Tools[w.Tool]; ok && pin.waits() && !pin.Rejected && same(pin.Held, w.Now) {
				pin.Rejected = true
				p.Tools[w.Tool] = pin
				rejected++
			}
		}
		if rejected == 0 {
			return nil
		}
		return p.encoded()
	})
	return rejected
}

// Accept notes that a person has read definitions in which something was found.
func (k *Keeper) Accept(server, identity string, tools []string) (accepted int) {
	k.unsettle(server, identity)
	k.store.Update(server, identity, func(was []byte, is bool) []byte {
		p, _ := readPins(was, is)
		for _, name := range tools {
			if pin, ok := p.Tools[name]; ok && pin.Pinned != nil && !pin.Accepted {
				pin.Accepted = true
				p.Tools[name] = pin
				accepted++
			}
		}
		if accepted == 0 {
			return nil
		}
		return p.encoded()
	})
	return accepted
}

// encoded is pins as they are kept, nil if they cannot be.
func (p *pins) encoded() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // definitions stay the bytes that they were
	if e.Encode(p) != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}
