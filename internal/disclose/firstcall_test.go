package disclose

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

const plainResult = `{"content":[{"type":"text","text":"x"}],"structuredContent":{"n":9223372036854775807},"isError":true,"_meta":{"k":1}}`

func toolCall(key string) *call.Request {
	return &call.Request{Method: wire.MethodToolsCall, Caller: call.Caller{Conversation: key}}
}

func fixedFunc(result string, err error) call.Func {
	return func(context.Context, *call.Request) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		return []byte(result), nil
	}
}

func TestFirstCallLeavesTheResultAsItIs(t *testing.T) {
	f := NewFirstCall(func() string { return "the <reference>" })
	got, err := f.Around(fixedFunc(plainResult, nil))(t.Context(), toolCall("a"))
	want := `{"content":[{"type":"text","text":"the <reference>"},` + strings.TrimPrefix(plainResult, `{"content":[`)
	if err != nil || string(got) != want {
		t.Errorf("%s %v, want %s", got, err, want)
	}
	got, err = f.Around(fixedFunc(plainResult, nil))(t.Context(), toolCall("a"))
	if err != nil || string(got) != plainResult {
		t.Errorf("the second: %s %v", got, err)
	}
}

// What cannot carry the reference leaves it to the next call.
func TestFirstCallIsNotLost(t *testing.T) {
	text := "reference"
	f := NewFirstCall(func() string { return text })
	failure := errors.New("no")
	for name, c := range map[string]struct {
		r      *call.Request
		result string
		err    error
	}{
		"an error":       {toolCall("a"), "", failure},
		"a question":     {toolCall("a"), `{"resultType":"input_required","inputRequests":{}}`, nil},
		"no result":      {toolCall("a"), `[1]`, nil},
		"other content":  {toolCall("a"), `{"content":"x"}`, nil},
		"another method": {&call.Request{Method: wire.MethodPromptsGet, Caller: call.Caller{Conversation: "a"}}, `{"messages":[]}`, nil},
	} {
		got, err := f.Around(fixedFunc(c.result, c.err))(t.Context(), c.r)
		if !errors.Is(err, c.err) || string(got) != c.result {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
	text = ""
	if got, _ := f.Around(fixedFunc(plainResult, nil))(t.Context(), toolCall("a")); string(got) != plainResult {
		t.Errorf("with nothing to say: %s", got)
	}
	text = "reference"
	if got, _ := f.Around(fixedFunc(plainResult, nil))(t.Context(), toolCall("a")); !strings.Contains(string(got), "reference") {
		t.Errorf("lost: %s", got)
	}
}

func TestConcurrentFirstCalls(t *testing.T) {
	f := NewFirstCall(func() string { return "reference" })
	do := f.Around(fixedFunc(plainResult, nil))
	var told [20]atomic.Int32
	var all sync.WaitGroup
	for i := range 400 {
		all.Go(func() {
			got, err := do(t.Context(), toolCall(fmt.Sprint(i%len(told))))
			if err != nil {
				t.Error(err)
			}
			if strings.Contains(string(got), "reference") {
				told[i%len(told)].Add(1)
			}
		})
	}
	all.Wait()
	for i := range told {
		if n := told[i].Load(); n != 1 {
			t.Errorf("caller %d was told %d times", i, n)
		}
	}
}

func TestFirstCallForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFirstCall(func() string { return "reference" })
		do := f.Around(fixedFunc(plainResult, nil))
		told := func() bool {
			got, _ := do(t.Context(), toolCall("a"))
			return strings.Contains(string(got), "reference")
		}
		if !told() || told() {
			t.Error("not once")
		}
		for range 5 { // whoever goes on calling is remembered
			time.Sleep(callerTime - time.Second)
			if told() {
				t.Error("told again while it was calling")
			}
		}
		time.Sleep(callerTime + time.Second)
		if !told() {
			t.Error("not told again after a long while")
		}
	})
	f := NewFirstCall(func() string { return "reference" })
	for i := range maxCallers + 500 {
		f.claim(fmt.Sprint(i), time.Unix(1, 0))
	}
	if len(f.callers) != maxCallers || f.order.Len() != maxCallers {
		t.Errorf("%d callers are kept", len(f.callers))
	}
	if f.claim(fmt.Sprint(maxCallers+499), time.Unix(1, 0)) {
		t.Error("the last was forgotten before others")
	}
}

func TestCallerKey(t *testing.T) {
	session := func(id string) *wire.Session { return wire.NewSession(t.Context(), id) }
	key := func(c call.Caller, meta string) string {
		return CallerKey(&call.Request{Method: wire.MethodToolsCall, Caller: c, Params: []byte(`{"name":"x"` + meta + `}`)})
	}
	client := func(name string) []byte { return []byte(`{"name":"` + name + `"}`) }
	all := map[string]string{
		"session 1":               key(call.Caller{Session: session("1")}, ""),
		"session 2":               key(call.Caller{Session: session("2")}, ""),
		"subject a, client x":     key(call.Caller{Subject: "a", ClientInfo: client("x")}, ""),
		"subject b, client x":     key(call.Caller{Subject: "b", ClientInfo: client("x")}, ""),
		"subject a, client y":     key(call.Caller{Subject: "a", ClientInfo: client("y")}, ""),
		"header":                  key(call.Caller{Conversation: "1"}, ""),
		"thread 1":                key(call.Caller{Session: session("1")}, `,"_meta":{"threadId":"1"}`),
		"thread 2":                key(call.Caller{Session: session("1")}, `,"_meta":{"threadId":"2"}`),
		"vscode":                  key(call.Caller{}, `,"_meta":{"vscode.conversationId":"1"}`),
		"thread 1 of another one": key(call.Caller{Subject: "a"}, `,"_meta":{"threadId":"1"}`),
	}
	seen := map[string]string{}
	for name, k := range all {
		if other, twice := seen[k]; twice {
			t.Errorf("%s and %s are one caller", name, other)
		}
		seen[k] = name
	}
	if key(call.Caller{Session: session("1")}, `,"_meta":{"threadId":"1"}`) != key(call.Caller{Session: session("2")}, `,"_meta":{"threadId":"1"}`) {
		t.Error("one conversation in two sessions is two callers")
	}
	if k := key(call.Caller{Conversation: strings.Repeat("x", 1<<20)}, ""); len(k) > 1000 {
		t.Errorf("a key of %d bytes", len(k))
	}
}
