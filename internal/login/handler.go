package login

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"toolcrib/internal/wire"
)

// A Handler puts the token of a kept grant on the requests of a server. It asks
// nobody for a login: where one is needed it says so.
type Handler struct {
	server Server
	store  *Store
	path   string // of the grant
	log    *slog.Logger
	busy   chan struct{} // one renewal at a time

	mu      sync.Mutex
	seen    bool
	at      stamp // of the file that grant was read from
	looked  time.Time
	grant   *Grant
	refused error     // what the server said to what we have; nil if nothing
	when    time.Time // of refused
	paused  time.Time // no renewal before, after one that failed
}

const (
	// trustRefusal is how long a server that wants a login is not asked again, unless
	// somebody logs in.
	trustRefusal = 30 * time.Second
	// renewPause is the least time between renewals that fail.
	renewPause = 10 * time.Second
	renewTime  = 30 * time.Second
	// lookEvery is how often a file is looked for that is not there, at a server that
	// has not asked for it: most never do, and it would take longer than all else that
	// is done for a request here.
	lookEvery = time.Second
)

// NewHandler is for one server.
func NewHandler(server Server, store *Store, log *slog.Logger) *Handler {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Handler{server: server, store: store, path: store.path(server.URL), log: log, busy: make(chan struct{}, 1)}
}

// TokenSource is the token of the grant; nil if there is no grant and the server was
// not asked yet.
func (h *Handler) TokenSource(ctx context.Context) (oauth2.TokenSource, error) {
	g, err := h.current(lookEvery)
	if err != nil || g == nil {
		return nil, err
	}
	if g.due(time.Now()) {
		if g, err = h.renewed(ctx, g); err != nil {
			return nil, err
		}
	}
	return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: g.Access, TokenType: "Bearer"}), nil
}

// current is the grant that is kept, which a login may have changed. That there is none
// is taken as known for some time.
func (h *Handler) current(ago time.Duration) (*Grant, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen && h.grant == nil && h.refused == nil && time.Since(h.looked) < ago {
		return nil, nil
	}
	now := stampOf(h.path)
	h.looked = time.Now()
	if !h.seen || now != h.at {
		g, err := h.store.Load(h.server.URL)
		if err != nil {
			return nil, err
		}
		h.seen, h.at, h.grant, h.refused, h.paused = true, now, g, nil, time.Time{}
	}
	if h.refused != nil && time.Since(h.when) < trustRefusal {
		return nil, h.refused
	}
	return h.grant, nil
}

// Authorize is called when the server refused a request. What can be done without a
// person is done.
func (h *Handler) Authorize(ctx context.Context, _ *http.Request, resp *http.Response) error {
	resp.Body.Close()
	without := h.hadNone()
	g, err := h.current(0)
	var login *wire.LoginError
	switch {
	case without && g != nil:
		return nil // somebody logged in meanwhile
	case errors.As(err, &login):
		return err
	case err != nil:
		return h.refuse(err.Error())
	case resp.StatusCode == http.StatusForbidden:
		// Not remembered: other requests may need less.
		return h.server.wanted(wider(resp.Header))
	case g == nil:
		return h.refuse("")
	case g.Refresh == "":
		return h.refuse("the last login has ended")
	case time.Since(g.Made) < renewPause:
		return h.refuse("it does not take the login that it got a moment ago")
	}
	_, err = h.renew(ctx, g)
	return err
}

// hadNone tells that requests were sent without a grant.
func (h *Handler) hadNone() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seen && h.grant == nil
}

// wider says which scopes a server wants besides, if it tells.
func wider(h http.Header) string {
	challenges, err := oauthex.ParseWWWAuthenticate(h.Values("WWW-Authenticate"))
	for _, c := range challenges {
		if scope := clip(c.Params["scope"]); err == nil && c.Scheme == "bearer" && scope != "" {
			return "with the scopes " + scope + ", to be put under oauth.scopes in its entry"
		}
	}
	return "with wider scopes than the last one has"
}

// refuse remembers that a person is needed.
func (h *Handler) refuse(why string) error {
	err := h.server.wanted(why)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refused, h.when = err, time.Now()
	return err
}

// renewed is a grant that is due, renewed. While its token still holds, one caller
// does that and the others go on with what there is.
func (h *Handler) renewed(ctx context.Context, g *Grant) (*Grant, error) {
	now := time.Now()
	if g.ended(now) {
		if g.Refresh == "" {
			return nil, h.refuse("the last login has ended")
		}
		return h.renew(ctx, g)
	}
	h.mu.Lock()
	wait := now.Before(h.paused)
	h.mu.Unlock()
	if wait || g.Refresh == "" || len(h.busy) > 0 {
		return g, nil
	}
	fresh, err := h.renew(ctx, g)
	if err != nil {
		h.log.Warn("login could not be renewed yet", "server", h.server.Name, "error", err)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.paused, h.refused = time.Now().Add(renewPause), nil
		return g, nil
	}
	return fresh, nil
}

// renew gets a new token for old, unless somebody else, perhaps in another process,
// did meanwhile.
func (h *Handler) renew(ctx context.Context, old *Grant) (*Grant, error) {
	select {
	case h.busy <- struct{}{}:
		defer func() { <-h.busy }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	// Whoever began it may go; what the issuer gives is for all.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewTime)
	defer cancel()
	release, err := h.store.lock(ctx, h.server.URL)
	if err != nil {
		return nil, err
	}
	defer release()
	if g, err := h.current(0); err != nil || (g != nil && g.Access != old.Access) {
		return g, err
	}
	server := h.server
	server.Private = old.Private
	fresh, err := old.renew(ctx, server.client())
	if errors.Is(err, errGrantEnded) {
		return nil, h.refuse("the last login has ended")
	}
	if err != nil {
		return nil, err
	}
	if err := h.store.Save(fresh); err != nil {
		h.log.Warn("a renewed login is not kept", "server", h.server.Name, "error", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen, h.at, h.grant, h.refused = true, stampOf(h.path), fresh, nil
	return fresh, nil
}
