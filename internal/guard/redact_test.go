package guard_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/guard"
	"toolcrib/internal/wire"
)

func TestS06TextsWithoutSecrets(t *testing.T) {
	r := guard.NewRedactor(func(s string) string { return strings.ReplaceAll(s, "sk-looks", guard.Hidden) })
	r.Add("hunter2secret", `with "quotes" and space`, "Bearer abcdef123456", "true", "hunter2secretlonger")
	for text, want := range map[string]string{
		"the key is hunter2secret.":                    "the key is ***.",
		"hunter2secretlonger":                          "***",
		`{"k":"with \"quotes\" and space"}`:            `{"k":"***"}`,
		"https://x/?k=with+%22quotes%22+and+space&b=1": "https://x/?k=***&b=1",
		"abcdef123456":                                 "***",
		"it is true":                                   "it is true",
		"sk-looks like one":                            "*** like one",
		"":                                             "",
	} {
		if got := r.Text(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestS06LogsWithoutSecrets(t *testing.T) {
	r := guard.NewRedactor(nil)
	var out bytes.Buffer
	log := r.Logger(slog.New(slog.NewJSONHandler(&out, nil)))
	early := log.With("with", "CANARY-1-value").WithGroup("g")
	r.Add("CANARY-1-value")
	log = r.Logger(log).With("with", "CANARY-1-value").WithGroup("g")
	log.Info("it says CANARY-1-value", "text", "x CANARY-1-value", "error", fmt.Errorf("no CANARY-1-value"), "any", []string{"CANARY-1-value"},
		slog.Group("in", "deep", "CANARY-1-value"), "n", 1)
	early.Info("fine", "v", slogValue{})
	if got := strings.Count(out.String(), "CANARY-1-value"); got != 1 { // given to With before it was known to be one
		t.Errorf("%d times:\n%s", got, out.String())
	}
	if !strings.Contains(out.String(), `"n":1`) {
		t.Error("numbers are no numbers any more")
	}
}

type slogValue struct{}

func (slogValue) LogValue() slog.Value { return slog.StringValue("CANARY-1-value") }

func TestS06ErrorsWithoutSecrets(t *testing.T) {
	r := guard.NewRedactor(nil)
	r.Add("CANARY-1-value")
	cause := errors.New("cause")
	given := map[string]error{
		"plain": fmt.Errorf("with CANARY-1-value: %w", cause),
		"wire":  wire.Errorf(7, "with CANARY-1-value").WithData([]byte(`{"also":"CANARY-1-value"}`)),
	}
	for name, err := range given {
		_, got := r.Around(func(context.Context, *call.Request) ([]byte, error) { return nil, err })(t.Context(), &call.Request{})
		text := got.Error()
		var e *wire.Error
		if errors.As(got, &e) {
			text += string(e.JSON())
			if e.Code != 7 || !strings.Contains(string(e.Data), "also") {
				t.Errorf("%s: %s", name, e.JSON())
			}
		} else if !errors.Is(got, cause) {
			t.Errorf("%s: it is no longer what it was", name)
		}
		if strings.Contains(text, "CANARY") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if same := errors.New("harmless"); r.Error(same) != same || r.Error(nil) != nil {
		t.Error("an error without secrets is another one")
	}
}
