package conformance

import (
	"context"
	"fmt"

	"toolcrib/internal/wire"
)

// scenarios by the suite's names. Those of authorization that are not here are
// all run by authorized.
var scenarios = map[string]func(*run, context.Context) error{
	"initialize":                          (*run).lists,
	"tools_call":                          (*run).addsNumbers,
	"request-metadata":                    (*run).connects,
	"elicitation-sep1034-client-defaults": (*run).takesDefaults,
	"sse-retry":                           (*run).reconnects,
	"json-schema-ref-no-deref":            (*run).lists,
	"json-schema-2020-12-preservation":    (*run).echoesSchema,
	"sep-2322-client-request-state":       (*run).goesRounds,
	"http-standard-headers":               (*run).usesEverything,
	"http-custom-headers":                 (*run).callsAsTold,
	"http-invalid-tool-headers":           (*run).callsWhatIsValid,
	"auth/client-credentials-basic":       (*run).authorizedAsClient,
}

// with connects, lists the tools and goes on.
func (r *run) with(ctx context.Context, answers elicit, next func(s *session) error) error {
	s, err := r.connect(ctx, nil, answers)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.listTools(ctx); err != nil {
		return err
	}
	return next(s)
}

func (r *run) connects(ctx context.Context) error {
	s, err := r.connect(ctx, nil, nil)
	if err != nil {
		return err
	}
	s.close()
	return nil
}

func (r *run) lists(ctx context.Context) error {
	return r.with(ctx, nil, func(*session) error { return nil })
}

func (r *run) calls(ctx context.Context, answers elicit, tool, arguments string) error {
	return r.with(ctx, answers, func(s *session) error {
		if s.tools[tool] == nil {
			return fmt.Errorf("the server has no tool %s, only %v", tool, s.names)
		}
		_, err := s.call(ctx, tool, []byte(arguments))
		return err
	})
}

func (r *run) addsNumbers(ctx context.Context) error {
	return r.calls(ctx, nil, "add_numbers", `{"a":5,"b":3}`)
}

func (r *run) takesDefaults(ctx context.Context) error {
	return r.calls(ctx, acceptDefaults, "test_client_elicitation_defaults", `{}`)
}

func (r *run) reconnects(ctx context.Context) error {
	return r.calls(ctx, nil, "test_reconnection", `{}`)
}

// echoesSchema sends a tool's schema back as it was read.
func (r *run) echoesSchema(ctx context.Context) error {
	return r.with(ctx, nil, func(s *session) error {
		const focal = "json_schema_2020_12_tool"
		tool, err := wire.ParseObject(s.tools[focal])
		if err != nil {
			return fmt.Errorf("tool %s: %w", focal, err)
		}
		_, err = s.call(ctx, "json_schema_echo", fmt.Appendf(nil, `{"schema":%s}`, tool.Get("inputSchema")))
		return err
	})
}

// goesRounds calls the tools that ask for input; some of them must fail.
func (r *run) goesRounds(ctx context.Context) error {
	return r.with(ctx, confirm, func(s *session) error {
		for _, tool := range []string{"test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"} {
			s.tryCall(ctx, tool, nil)
		}
		return nil
	})
}

// tryCall calls a tool where a failure is for the suite to judge.
func (s *session) tryCall(ctx context.Context, tool string, arguments []byte) {
	if _, err := s.call(ctx, tool, arguments); err != nil {
		s.log.Info("refused", "tool", tool, "error", err)
	}
}

// usesEverything reads one of each kind, so that the suite sees the headers.
func (r *run) usesEverything(ctx context.Context) error {
	return r.with(ctx, nil, func(s *session) error {
		if len(s.names) > 0 {
			s.tryCall(ctx, s.names[0], nil)
		}
		s.tryFirst(ctx, wire.MethodResourcesList, "resources", wire.MethodResourcesRead, "uri")
		s.tryFirst(ctx, wire.MethodPromptsList, "prompts", wire.MethodPromptsGet, "name")
		return nil
	})
}

func (s *session) tryFirst(ctx context.Context, list, member, get, key string) {
	items, err := s.list(ctx, list, member)
	if err != nil || len(items) == 0 {
		s.log.Info("nothing listed", "method", list, "error", err)
		return
	}
	o, err := wire.ParseObject(items[0])
	if err != nil {
		s.log.Info("malformed", "method", list, "error", err)
		return
	}
	if _, err := s.request(ctx, get, fmt.Appendf(nil, `{%q:%s}`, key, o.Get(key)), nil); err != nil {
		s.log.Info("refused", "method", get, "error", err)
	}
}

func (r *run) callsAsTold(ctx context.Context) error {
	return r.with(ctx, nil, func(s *session) error {
		for _, c := range r.details.ToolCalls {
			s.tryCall(ctx, c.Name, c.Arguments)
		}
		return nil
	})
}

func (r *run) callsWhatIsValid(ctx context.Context) error {
	return r.with(ctx, nil, func(s *session) error {
		for _, name := range s.names {
			s.tryCall(ctx, name, []byte(`{"region":"us-west1"}`))
		}
		return nil
	})
}
