package app

import (
	"context"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
	"toolcrib/internal/gateway"
	"toolcrib/internal/guard"
	"toolcrib/internal/store"
)

// A guarding is what decides who sees and calls what, for one gateway.
type guarding struct {
	keeper *guard.Keeper
	pins   store.Pins
	audit  *guard.Audit
	gate   *guard.Gate
	policy config.Policy
	trust  config.Trust
	make   atomic.Pointer[func(*guard.Eye) *gateway.Sight]

	ending     sync.Once
	stop, done chan struct{}
}

// pinsDir is where pins are kept, below the state directory.
const pinsDir = "pins"

// openGuarding reads what c says of trust. What o is the options of keeps to it.
func openGuarding(c config.Config, o *Options) (*guarding, error) {
	g := &guarding{policy: c.Policy, trust: c.Trust}
	g.pins = openPins(*o)
	g.keeper = newKeeper(c, *o, g.pins)
	o.keeper = g.keeper
	var err error
	g.audit, err = openAudit(c, *o)
	return g, err
}

func openPins(o Options) store.Pins {
	dir := ""
	if o.StateDir != "" {
		dir = filepath.Join(o.StateDir, pinsDir)
	}
	return store.Open(dir, &store.Options{Log: o.Log}).Pins()
}

func newKeeper(c config.Config, o Options, pins store.Pins) *guard.Keeper {
	k := guard.NewKeeper(pins, o.Log)
	k.SetTrust(trustOf(c.Trust))
	return k
}

// openAudit is nil if nothing is to be written.
func openAudit(c config.Config, o Options) (*guard.Audit, error) {
	if c.Audit.File == "" {
		return nil, nil
	}
	return guard.OpenAudit(guard.AuditOptions{
		File: c.Audit.File, Size: int64(c.Audit.Size) << 20, Keep: c.Audit.Keep, Log: o.Log, Redact: o.secrets.Text,
	})
}

// open begins to guard what is known.
func (g *guarding) open(snapshot func() *catalog.Snapshot, identity func(string) string, c config.Config, refused func(context.Context, *call.Request, error)) {
	g.gate = guard.NewGate(guard.GateOptions{
		Snapshot: snapshot, Keeper: g.keeper, Audit: g.audit, Identity: identity,
		Attach: func(e *guard.Eye) any { return (*g.make.Load())(e) }, Refused: refused,
	})
	g.gate.SetPolicy(policyOf(c))
}

// attach says what an eye sees by.
func (g *guarding) attach(sight func(*guard.Eye) *gateway.Sight) { g.make.Store(&sight) }

// see is how a caller sees.
func (g *guarding) see(who call.Caller) *gateway.Sight {
	return g.gate.Eye(who.Subject, who.Scopes...).Seen.(*gateway.Sight)
}

// apply takes another configuration and tells whether agents may see something else
// by it. The audit file stays what it is.
func (g *guarding) apply(c config.Config) bool {
	g.keeper.SetTrust(trustOf(c.Trust))
	if reflect.DeepEqual(g.policy, c.Policy) && g.trust == c.Trust {
		return false
	}
	g.policy, g.trust = c.Policy, c.Trust
	g.gate.SetPolicy(policyOf(c))
	return true
}

// approvalCheck is how soon a running gateway sees what was approved elsewhere.
const approvalCheck = 2 * time.Second

// watch has servers listed anew of which a person approved something meanwhile, and
// looks at each tick for other things that people do elsewhere.
func (g *guarding) watch(changed func(server string), also func()) {
	g.stop, g.done = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(g.done)
		tick := time.NewTicker(approvalCheck)
		defer tick.Stop()
		last := g.pins.Changed()
		for {
			select {
			case <-g.stop:
				return
			case <-tick.C:
			}
			also()
			now := g.pins.Changed()
			if now.Equal(last) {
				continue
			}
			last = now
			for _, server := range g.keeper.Unsettled() {
				changed(server)
			}
		}
	}()
}

func (g *guarding) close() {
	g.ending.Do(func() {
		if g.stop != nil {
			close(g.stop)
			<-g.done
		}
		_ = g.audit.Close() // every line is written by now
	})
}

// sight is what agents of one kind see.
func (a *App) sight(eye *guard.Eye, outlines *call.Outlines, d config.Disclosure) *gateway.Sight {
	return &gateway.Sight{
		Snapshot: eye.Snapshot, Denied: eye.Denied, Bare: eye.Bare, Private: eye.Personal(),
		Browser: disclose.New(&disclose.Options{
			Snapshot: eye.Snapshot, Whole: a.known.Snapshot, Hidden: eye.Hidden, Index: a.known.search.Index,
			Servers:  func() []disclose.ServerState { return permitted(a.states(), eye) },
			Together: a.known.experience.together, Favour: a.known.experience.favour, Vector: a.known.experience.vector,
			Outline: outlines.Seen, Lists: surface(d.Surface).Lists, Essential: d.Essential, Notes: notes(a.guard.gate, a.guard.keeper, a.guard.findings),
		}),
	}
}

func (g *guarding) findings() bool { return g.trust.Findings != config.FindingsOff }

// permitted are the servers that an eye may see.
func permitted(all []disclose.ServerState, eye *guard.Eye) []disclose.ServerState {
	out := all[:0]
	for _, s := range all {
		if eye.Denied(s.Name) == "" {
			out = append(out, s)
		}
	}
	return out
}

// notes are what a reader of a tool's details should know. The words are ours.
func notes(gate *guard.Gate, keeper *guard.Keeper, findings func() bool) func(*catalog.Tool) []string {
	return func(t *catalog.Tool) []string {
		var out []string
		s := keeper.Of(t.Server().Name(), t.Name())
		switch {
		case s.Waits:
			out = append(out, "needs approval before it can be called: toolcrib trust "+t.Server().Name())
		case s.Held:
			out = append(out, "its server describes it otherwise by now; this is the definition that was approved: toolcrib trust "+t.Server().Name())
		}
		if findings() && !s.Accepted {
			for _, f := range gate.Findings(t) {
				out = append(out, "caution, "+f.String())
			}
		}
		return out
	}
}

func trustOf(t config.Trust) guard.Trust {
	return guard.Trust{Pins: guard.PinMode(t.Pins), AskNew: t.NewTools == config.NewToolsAsk}
}

// known is a listing that was kept, as it may be shown.
func (o *Options) known(l catalog.Listing) catalog.Listing {
	if o.keeper == nil {
		return l
	}
	return o.keeper.Known(l)
}

// learned is what a server said, or another gateway that asked it, as it may be shown.
func (o *Options) learned(l lesson) catalog.Listing {
	switch {
	case o.keeper == nil:
		return l.listing
	case l.cached:
		return o.keeper.Known(l.listing)
	}
	return o.keeper.Learned(l.listing)
}
