package guard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// Hidden is what stands where a secret was.
const Hidden = "***"

// LeastSecret is how long a value must be to be taken for a secret wherever it
// stands: to mask every "1" or "true" would leave little to read.
const LeastSecret = 6

// A Redactor takes secrets out of texts: those it was told of, and what looks like
// one.
type Redactor struct {
	looks   func(string) string // masks what looks like a secret; may be nil
	current atomic.Pointer[strings.Replacer]

	mu     sync.Mutex
	values []string
}

// NewRedactor makes one that knows no values yet. looks masks what looks like a
// secret; it may be nil.
func NewRedactor(looks func(string) string) *Redactor {
	r := &Redactor{looks: looks}
	r.current.Store(strings.NewReplacer())
	return r
}

// Add tells it of secrets. Those it knew stay: whoever had them may still write.
func (r *Redactor) Add(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, value := range values {
		for _, form := range forms(value) {
			if len(form) >= LeastSecret && !slices.Contains(r.values, form) {
				r.values = append(r.values, form)
			}
		}
	}
	// The longest first: one may be a part of another.
	slices.SortStableFunc(r.values, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(r.values))
	for _, value := range r.values {
		pairs = append(pairs, value, Hidden)
	}
	r.current.Store(strings.NewReplacer(pairs...))
}

// forms are the ways in which a value is written: as it is, in JSON, in an address,
// and what is left of a header without the word in front.
func forms(value string) []string {
	value = strings.TrimSpace(value)
	all := []string{value}
	if quoted, err := json.Marshal(value); err == nil {
		all = append(all, strings.Trim(string(quoted), `"`))
	}
	all = append(all, url.QueryEscape(value), url.PathEscape(value))
	if scheme, rest, ok := strings.Cut(value, " "); ok && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "basic") || strings.EqualFold(scheme, "token")) {
		all = append(all, strings.TrimSpace(rest))
	}
	return all
}

// Text is a text without secrets.
func (r *Redactor) Text(text string) string {
	if text == "" {
		return text
	}
	text = r.current.Load().Replace(text)
	if r.looks != nil {
		text = r.looks(text)
	}
	return text
}

// Error is an error without secrets in its words. What it is, for errors.Is and
// errors.As, stays, but for errors of the protocol, which are made anew.
func (r *Redactor) Error(err error) error {
	if err == nil {
		return nil
	}
	var e *wire.Error
	if errors.As(err, &e) {
		raw := string(e.JSON())
		if r.Text(raw) == raw {
			return err
		}
		clean := wire.Errorf(e.Code, "%s", r.Text(e.Message))
		if data := r.Text(string(e.Data)); len(e.Data) > 0 && json.Valid([]byte(data)) {
			clean = clean.WithData([]byte(data))
		}
		return clean
	}
	if text := err.Error(); r.Text(text) != text {
		return &redactedError{r.Text(text), err}
	}
	return err
}

type redactedError struct {
	text  string
	cause error
}

func (e *redactedError) Error() string        { return e.text }
func (e *redactedError) Is(target error) bool { return errors.Is(e.cause, target) }
func (e *redactedError) As(target any) bool   { return errors.As(e.cause, target) }

// Around takes secrets out of the errors of calls. Results are the servers' own and
// pass as they are.
func (r *Redactor) Around(next call.Func) call.Func {
	return func(ctx context.Context, req *call.Request) ([]byte, error) {
		result, err := next(ctx, req)
		if err != nil && ctx.Err() == nil {
			err = r.Error(err)
		}
		return result, err
	}
}

// Handler is h without secrets in what it is given.
func (r *Redactor) Handler(h slog.Handler) slog.Handler {
	if _, done := h.(*redacting); done {
		return h
	}
	return &redacting{h, r}
}

// Logger is log without secrets.
func (r *Redactor) Logger(log *slog.Logger) *slog.Logger { return slog.New(r.Handler(log.Handler())) }

type redacting struct {
	slog.Handler
	r *Redactor
}

func (h *redacting) Handle(ctx context.Context, record slog.Record) error {
	clean := slog.NewRecord(record.Time, record.Level, h.r.Text(record.Message), record.PC)
	record.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(h.attr(a))
		return true
	})
	return h.Handler.Handle(ctx, clean)
}

func (h *redacting) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = h.attr(a)
	}
	return &redacting{h.Handler.WithAttrs(clean), h.r}
}

func (h *redacting) WithGroup(name string) slog.Handler {
	return &redacting{h.Handler.WithGroup(name), h.r}
}

// attr is an attribute without secrets. Numbers, truths and times have none.
func (h *redacting) attr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(h.r.Text(v.String()))
	case slog.KindGroup:
		group := make([]slog.Attr, 0, len(v.Group()))
		for _, one := range v.Group() {
			group = append(group, h.attr(one))
		}
		a.Value = slog.GroupValue(group...)
	case slog.KindAny:
		text := fmt.Sprint(v.Any())
		if err, ok := v.Any().(error); ok {
			text = err.Error()
		}
		if clean := h.r.Text(text); clean != text {
			a.Value = slog.StringValue(clean)
		}
	}
	return a
}
