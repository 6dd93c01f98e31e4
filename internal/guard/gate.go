package guard

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// GateOptions of a Gate.
type GateOptions struct {
	Snapshot func() *catalog.Snapshot // what is known now
	Keeper   *Keeper
	Audit    *Audit              // nil writes nothing
	Identity func(string) string // of a server as it is configured; nil: none lists itself by the gate
	Attach   func(*Eye) any      // makes Eye.Seen; may be nil
	Present  bool                // whoever calls is the one who would be asked

	// Refused is told of every request that is; may be nil.
	Refused func(ctx context.Context, r *call.Request, err error)
}

// A Gate is what all calls pass: who may see and call what.
type Gate struct {
	o      GateOptions
	regime atomic.Pointer[regime]

	limits limiter

	found  sync.Map // []Finding by foundKey
	looked atomic.Int64
	names  atomic.Pointer[namesOf]
}

// A regime is one policy with those who look through it.
type regime struct {
	policy   *Policy
	byScopes bool // callers of one name may differ

	bySubject sync.Map // *Eye, by the name or, byScopes, by that and the scopes
	subjects  atomic.Int64
	mu        sync.Mutex
	byProfile map[string]*Eye
}

// maxSubjects bounds how many callers are told by name; others are worked out each
// time.
const maxSubjects = 10_000

// NewGate makes a gate that allows everything.
func NewGate(o GateOptions) *Gate {
	g := &Gate{o: o}
	g.SetPolicy(&Policy{})
	return g
}

// SetPolicy is what holds from now on. It is not to be changed afterwards.
func (g *Gate) SetPolicy(p *Policy) {
	g.regime.Store(&regime{policy: p, byScopes: p.byScopes(), byProfile: map[string]*Eye{}})
}

// Eye is how a caller sees, by its authenticated name, "" if it has none, and the
// scopes of its token.
func (g *Gate) Eye(authenticated string, scopes ...string) *Eye {
	r := g.regime.Load()
	known := authenticated
	if r.byScopes && len(scopes) > 0 {
		known += "\x00" + strings.Join(slices.Sorted(slices.Values(scopes)), " ")
	}
	if e, ok := r.bySubject.Load(known); ok {
		return e.(*Eye)
	}
	profile := r.policy.Profile(Subject(authenticated), scopes...)
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.byProfile[profile.Key]
	if e == nil {
		e = &Eye{gate: g, profile: profile}
		if g.o.Attach != nil {
			e.Seen = g.o.Attach(e)
		}
		r.byProfile[profile.Key] = e
	}
	if r.subjects.Add(1) <= maxSubjects {
		r.bySubject.Store(known, e)
	}
	return e
}

type namesOf struct {
	snapshot *catalog.Snapshot
	names    *Names
}

// A foundKey has the number of servers too: of whom a text speaks hangs on who is there.
type foundKey struct {
	server, fingerprint string
	servers             int
}

// maxFound bounds how many definitions are remembered as looked at.
const maxFound = 200_000

// Findings are what is suspicious in a tool's definition. They are looked for when
// somebody asks, and once.
func (g *Gate) Findings(t *catalog.Tool) []Finding {
	s := g.o.Snapshot()
	key := foundKey{t.Server().Name(), t.Fingerprint(), len(s.Servers())}
	if f, ok := g.found.Load(key); ok {
		return f.([]Finding)
	}
	n := g.names.Load()
	if n == nil || n.snapshot != s {
		n = &namesOf{s, NewNames(s)}
		g.names.Store(n)
	}
	found := Scan(t, n.names.Others(s.Server(t.Server().Name())))
	if g.looked.Add(1)%maxFound == 0 {
		g.found.Clear()
	}
	g.found.Store(key, found)
	return found
}

// decided are the methods that somebody decides about and that are written down.
var decided = map[string]bool{wire.MethodToolsCall: true, wire.MethodPromptsGet: true, wire.MethodResourcesRead: true, wire.MethodComplete: true}

// Around refuses what the policy denies, asks where it says so, and writes down what
// became of it. It is the outermost of what surrounds a call: nothing of it counts as
// the server's time.
func (g *Gate) Around(next call.Func) call.Func {
	return func(ctx context.Context, r *call.Request) ([]byte, error) {
		eye := g.Eye(r.Caller.Subject, r.Caller.Scopes...)
		if r.Method != wire.MethodToolsCall {
			return g.other(ctx, eye, r, next)
		}
		d, id := eye.of(r.Server, r.Name)
		if d.Verdict == Deny {
			return nil, g.refuse(ctx, r, d, refused(id, d))
		}
		// Before anybody is asked: questions are to be as few as calls.
		if limits := eye.limits(r.Server, r.Name); limits != nil {
			leave, over := g.limits.enter(limits, Subject(r.Caller.Subject), r.Server, r.Name)
			if over != nil {
				return nil, g.refuse(ctx, r, over.decision(), over.error(string(id)))
			}
			defer leave()
		}
		line := g.o.Audit.begin(r, d)
		if d.Verdict == Ask && !g.o.Present {
			if !r.Approved {
				if err := ask(ctx, r, id, d); err != nil {
					line.end(refusedByUser, err)
					g.tell(ctx, r, err)
					return nil, err
				}
				r.Approved = true
			}
			line.approved()
		}
		result, err := next(ctx, r)
		line.ended(result, err)
		return result, err
	}
}

// refuse writes down that a request was refused, and returns why.
func (g *Gate) refuse(ctx context.Context, r *call.Request, d Decision, err error) error {
	g.o.Audit.begin(r, d).end(refusedCall, err)
	g.tell(ctx, r, err)
	return err
}

func (g *Gate) tell(ctx context.Context, r *call.Request, err error) {
	if g.o.Refused != nil {
		g.o.Refused(ctx, r, err)
	}
}

// besides are the methods that concern prompts and resources.
var besides = map[string]bool{
	wire.MethodPromptsList: true, wire.MethodPromptsGet: true, wire.MethodResourcesList: true, wire.MethodTemplatesList: true,
	wire.MethodResourcesRead: true, wire.MethodComplete: true, wire.MethodSubscribe: true,
}

// other is everything but calls of tools.
func (g *Gate) other(ctx context.Context, eye *Eye, r *call.Request, next call.Func) ([]byte, error) {
	why := eye.Denied(r.Server)
	if why == "" && besides[r.Method] {
		why = eye.Bare(r.Server)
	}
	if why != "" {
		err := wire.Errorf(wire.CodeRefused, "server %s is withheld: %s", r.Server, why)
		if !decided[r.Method] {
			return nil, err
		}
		return nil, g.refuse(ctx, r, Decision{Deny, why, "policy"}, err)
	}
	var line *auditLine
	if decided[r.Method] {
		if limits := eye.profile.limitsOfServer(r.Server); limits != nil && r.Method != wire.MethodComplete { // one comes with every key that is typed
			leave, over := g.limits.enter(limits, Subject(r.Caller.Subject), r.Server, r.Name)
			if over != nil {
				return nil, g.refuse(ctx, r, over.decision(), over.error("server "+r.Server))
			}
			defer leave()
		}
		line = g.o.Audit.begin(r, Decision{Verdict: Allow, By: "policy"})
	}
	result, err := next(ctx, r)
	line.ended(result, err)
	if err == nil && r.Method == wire.MethodToolsList {
		result = g.trim(eye, r.Server, result)
	}
	if err == nil && eye.Personal() {
		result = private(result)
	}
	return result, err
}

// private says of a result that it is not for others, where it says that it is: they
// may not see as much.
func private(result []byte) []byte {
	if scope, _ := wire.Text(wire.Find(result, "cacheScope")); scope != "public" {
		return result
	}
	o, err := wire.ParseObject(result)
	if err != nil {
		return result
	}
	return o.With(wire.Change{Name: "cacheScope", Value: []byte(`"private"`)})
}

// trim is a list of tools as a server sent it with what may be seen of it. Where that
// is all, the bytes are the server's.
func (g *Gate) trim(eye *Eye, server string, result []byte) []byte {
	if g.o.Identity == nil {
		return result
	}
	o, err := wire.ParseObject(result)
	if err != nil {
		return result
	}
	list, err := wire.Elements(o.Get("tools"))
	if err != nil {
		return result
	}
	l := catalog.Listing{Server: server, Identity: g.o.Identity(server), Taken: time.Now()}
	for _, raw := range list {
		l.Tools = append(l.Tools, catalog.Found{Raw: raw, Provenance: catalog.Protocol})
	}
	l = g.o.Keeper.Learned(l)
	same := len(l.Tools) == len(list)
	if same && eye.open() && slices.EqualFunc(l.Tools, list, func(f catalog.Found, raw []byte) bool { return bytes.Equal(f.Raw, raw) }) {
		return result
	}
	hidden := map[string]bool{}
	for _, t := range catalog.Build([]catalog.Listing{l}, catalog.Rules{}, l.Taken).Tools() {
		known := g.o.Snapshot().Find(server, t.Name())
		if known != nil && known.Fingerprint() == t.Fingerprint() {
			t = known // with its category and tags
		}
		if d := eye.decide(t); d.Verdict == Deny {
			hidden[t.Name()], same = true, false
		}
	}
	out := []byte{'['}
	for i, f := range l.Tools {
		name, _ := wire.Text(wire.Find(f.Raw, "name"))
		if hidden[name] {
			continue
		}
		same = same && string(f.Raw) == string(list[i])
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, f.Raw...)
	}
	if same {
		return result
	}
	return o.With(wire.Change{Name: "tools", Value: append(out, ']')})
}

// isCancelled tells an end that nobody decided.
func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
