package call_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// refused checks that err is an error of ours with a code and all words in it.
func refused(t *testing.T, err error, code int, words ...string) {
	t.Helper()
	var e *wire.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("error %v, want code %d", err, code)
	}
	for _, w := range words {
		if !strings.Contains(e.Message, w) {
			t.Errorf("error %q does not say %q", e.Message, w)
		}
	}
}

func TestChainBeginsWithTheFirst(t *testing.T) {
	var order []string
	step := func(name string) call.Middleware {
		return func(next call.Func) call.Func {
			return func(ctx context.Context, r *call.Request) ([]byte, error) {
				order = append(order, name)
				return next(ctx, r)
			}
		}
	}
	f := call.Chain(func(context.Context, *call.Request) ([]byte, error) {
		order = append(order, "do")
		return []byte("done"), nil
	}, step("first"), step("second"))
	result, err := f(t.Context(), &call.Request{})
	if string(result) != "done" || err != nil || strings.Join(order, " ") != "first second do" {
		t.Errorf("%s, %v, %v", result, err, order)
	}
}

// patiently waits for the end of ctx and returns its cause.
func patiently(ctx context.Context, _ *call.Request) ([]byte, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := map[string]time.Duration{"a": 90 * time.Second}
		do := call.Deadline(func(server string) time.Duration { return limits[server] })(patiently)
		for name, words := range map[string]string{
			"search": "server a did not answer tools/call search within 1m30s; raise call_timeout",
			"":       "server a did not answer tools/call within 1m30s; raise call_timeout",
		} {
			began := time.Now()
			_, err := do(t.Context(), &call.Request{Server: "a", Method: "tools/call", Name: name})
			refused(t, err, wire.CodeTimeout, words)
			if d := time.Since(began); d != limits["a"] {
				t.Errorf("ended after %v", d)
			}
		}
		// A caller that goes first is not told of a deadline; no limit is none.
		for _, server := range []string{"a", "unlimited"} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			if _, err := do(ctx, &call.Request{Server: server}); !errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*wire.Error)) {
				t.Errorf("server %s: %v", server, err)
			}
			cancel()
		}
	})
}
