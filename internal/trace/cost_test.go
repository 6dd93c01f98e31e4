package trace

import (
	"context"
	"math"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// TestObjectsOfATracedCall holds what a traced call leaves to the garbage collector: what
// calls find of the request, with its span, the request as the server gets it, and its
// params. A request that came over the wire knows what it is about; this one has to be
// asked, which is one more.
func TestObjectsOfATracedCall(t *testing.T) {
	tr := &Trace{sampler: sdktrace.ParentBased(sdktrace.AlwaysSample()), all: true, queue: newQueue(senderFunc(func([]byte) {}), queueFromEnvironment())}
	defer tr.Close(context.Background())
	in := &wire.Incoming{
		Era: wire.Legacy, Version: "2025-11-25", ID: "1", Method: wire.MethodToolsCall, Session: &wire.Session{ID: "s"},
		Params: []byte(`{"name":"alpha_echo","arguments":{"text":"hello"}}`),
	}
	for _, params := range []string{string(in.Params), `{"name":"echo","_meta":{"progressToken":7}}`} {
		r := &call.Request{Server: "alpha", Method: in.Method, Name: "echo", Params: []byte(params), Caller: call.Caller{Session: in.Session}}
		h := tr.Handler(relaying{r: r, do: tr.Around(answerNothing)})
		least := math.Inf(1)
		for range 50 { // others may allocate something meanwhile
			least = min(least, testing.AllocsPerRun(1, func() {
				if _, err := h.Serve(t.Context(), in); err != nil {
					t.Error(err)
				}
			}))
		}
		if least > 4 {
			t.Errorf("%s: %v objects", params, least)
		}
	}
}

// relaying makes the same call of every request.
type relaying struct {
	nobody
	do call.Func
	r  *call.Request
}

func (c relaying) Serve(ctx context.Context, _ *wire.Incoming) ([]byte, error) { return c.do(ctx, c.r) }
