package wire

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// HTTPClientOptions say how a server is reached over HTTP.
type HTTPClientOptions struct {
	URL    string
	Header map[string]string // sent with every request
	// Client carries the requests. Nil is one of the link's own: it keeps idle
	// connections and follows a redirect only to the same host.
	Client   *http.Client
	Receiver Receiver // nil drops what the server sends on its own account
	Identity Identity
	// MaxMessage bounds one message; 0 is the constant of that name.
	MaxMessage int
	OAuth      OAuthHandler // nil: what Header says is all the authorization there is
	Log        *slog.Logger // nil discards
}

// ErrSessionLost says that the server no longer knows the session: it was
// restarted, or it tidied up. The request was not executed; a new link helps.
var ErrSessionLost = errors.New("the server has forgotten the session")

// An HTTPLink is a Link over Streamable HTTP. In the modern era every request
// stands alone. In the legacy one there is a session, and a stream on which
// the server speaks on its own account.
type HTTPLink struct {
	o       HTTPClientOptions
	log     *slog.Logger
	base    http.Header   // what every request says
	blank   *http.Request // the address, for request to copy
	replays bool          // base has a header that makes net/http repeat requests
	carrier carrier
	grants  grants
	inbound inbound

	era     Era
	version atomic.Pointer[[1]string] // a header's values; nil sends none
	session atomic.Pointer[[1]string] // likewise
	last    atomic.Uint64

	// alive ends when the link can take no new requests, life when those in
	// flight must end as well.
	alive context.Context
	stop  context.CancelCauseFunc
	life  context.Context
	kill  context.CancelCauseFunc

	waiting   waiting
	active    active // calls, which end with the link
	crew      crew
	listening atomic.Bool
	once      sync.Once
}

// closeTimeout is how long Close may take to end the session at the server.
const closeTimeout = 2 * time.Second

// NewHTTPLink makes a link for one era. Nothing is sent yet.
func NewHTTPLink(o HTTPClientOptions, era Era) (*HTTPLink, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("a server's url must start with http:// or https:// and name a host")
	}
	l := &HTTPLink{o: o, log: o.Log, base: http.Header{}, blank: &http.Request{URL: u, Host: u.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	if l.o.MaxMessage <= 0 {
		l.o.MaxMessage = MaxMessage
	}
	for k, v := range o.Header {
		l.base.Set(k, v)
	}
	l.replays = l.base.Get("Idempotency-Key") != "" || l.base.Get("X-Idempotency-Key") != ""
	l.carrier.use(o.Client)
	l.grants.handler = o.OAuth
	l.alive, l.stop = context.WithCancelCause(context.Background())
	l.life, l.kill = context.WithCancelCause(context.Background())
	l.inbound.receiver = o.Receiver
	if o.Receiver == nil {
		l.inbound.receiver = deaf{}
	}
	l.speak(era)
	return l, nil
}

func (l *HTTPLink) speak(era Era) {
	l.era = era
	l.version.Store(nil)
	if era == Modern {
		l.version.Store(&[1]string{VersionModern})
	}
}

// agreed takes the version that initialize settled on.
func (l *HTTPLink) agreed(version string) {
	if version >= Version202506 {
		l.version.Store(&[1]string{version})
	}
}

// Call sends a request and waits for its answer.
func (l *HTTPLink) Call(ctx context.Context, out *Outgoing) ([]byte, error) {
	if l.alive.Err() != nil {
		return nil, &TransportError{Err: l.Err()}
	}
	if ctx.Err() != nil {
		return nil, &TransportError{Err: context.Cause(ctx)}
	}
	// The answer's stream may outlive the caller for a moment (see linger), so
	// it has a context of its own.
	x := &exchange{l: l, out: out, id: numberID(l.last.Add(1)), caller: ctx}
	own, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	x.ctx = own
	x.alone = context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	l.active.add(x, cancel)
	x.release = func() {
		x.alone()
		l.active.remove(x)
		cancel(nil)
	}
	result, err := x.run()
	if !x.lingers {
		x.release()
	}
	return result, err
}

// Notify sends a notification. The one that ends the handshake also opens the
// stream on which a legacy server speaks.
func (l *HTTPLink) Notify(ctx context.Context, method string, params []byte) error {
	if l.alive.Err() != nil {
		return &TransportError{Err: l.Err()}
	}
	if err := l.post(ctx, method, AppendRequest(nil, "", method, params)); err != nil {
		return err
	}
	if method == MethodInitialized && l.era == Legacy && l.listening.CompareAndSwap(false, true) {
		l.hearken(ctx)
	}
	return nil
}

// Done is closed when the session is lost or the link was closed.
func (l *HTTPLink) Done() <-chan struct{} { return l.alive.Done() }

// Err says why.
func (l *HTTPLink) Err() error { return context.Cause(l.alive) }

// Close ends the session at the server and everything in flight.
func (l *HTTPLink) Close() error {
	l.once.Do(func() {
		lost := errors.Is(l.Err(), ErrSessionLost)
		l.stop(errClosed)
		l.kill(errClosed)
		l.active.end(errClosed)
		l.crew.wait()
		if s := l.session.Load(); s != nil && !lost {
			ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
			l.deleteSession(ctx)
			cancel()
		}
		l.carrier.close()
	})
	return nil
}

func (l *HTTPLink) deleteSession(ctx context.Context) {
	req := l.request(ctx, http.MethodDelete, nil)
	if resp, err := l.carrier.carry(req); err == nil {
		discard(resp.Body)
	}
}

// deaf is the Receiver of a link that nobody listens to.
type deaf struct{}

func (deaf) Notification(any, string, []byte) {}
func (deaf) Noise([]byte)                     {}
func (deaf) Request(_ context.Context, _ any, method string, _ []byte) ([]byte, error) {
	return nil, Errorf(CodeMethodNotFound, "%s is not supported by this client", clip(method))
}
