package gateway

import (
	"context"
	"maps"
	"slices"
	"time"

	"toolcrib/internal/wire"
)

// helloPatience is how long a greeting waits for the one server whose
// capabilities it repeats.
const helloPatience = 10 * time.Second

// everything is what the gateway offers when it cannot say less: each of it is
// answered, with an empty list where no server has any.
const everything = `{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"completions":{},"logging":{}}`

// introduction is what an agent is told at the start: of one server its own
// capabilities and instructions, of several what we offer for all.
func (g *Gateway) introduction(ctx context.Context, in *wire.Incoming) (capabilities []byte, instructions string) {
	sight := g.sight(in)
	if g.own(sight) != nil {
		g.briefly(ctx, sight, greetPatience)
		return g.together(sight), sight.Browser.Summary()
	}
	server, several := g.only(sight)
	if several {
		return g.together(sight), ""
	}
	ctx, cancel := context.WithTimeout(ctx, helloPatience)
	defer cancel()
	hello, err := g.o.Servers.Hello(ctx, server, caller(in))
	if err != nil {
		g.log.Warn("greeting an agent without knowing its server", "server", server, "error", err)
		return []byte(everything), ""
	}
	return or(hello.Capabilities, []byte("{}")), hello.Instructions
}

func (g *Gateway) serverInfo() []byte {
	return append(append([]byte(`{"name":"toolcrib","title":"Toolcrib","version":`), wire.Quote(g.o.Version)...), '}')
}

func (g *Gateway) initialize(ctx context.Context, in *wire.Incoming) ([]byte, error) {
	agentOf(in.Session) // made here, before anything else can ask for it
	capabilities, instructions := g.introduction(ctx, in)
	out := append([]byte(`{"protocolVersion":`), wire.Quote(in.Version)...)
	out = append(append(out, `,"capabilities":`...), capabilities...)
	out = append(append(out, `,"serverInfo":`...), g.serverInfo()...)
	out = appendInstructions(out, instructions)
	g.audience.join(in.Session)
	return append(out, '}'), nil
}

func (g *Gateway) discover(ctx context.Context, in *wire.Incoming) ([]byte, error) {
	if in.Era != wire.Modern {
		return nil, wire.Errorf(wire.CodeMethodNotFound, "method %s is not part of protocol version %s", in.Method, in.Version)
	}
	capabilities, instructions := g.introduction(ctx, in)
	out := []byte(`{"resultType":"complete","supportedVersions":[`)
	for i, v := range wire.Versions {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, wire.Quote(v)...)
	}
	out = append(append(out, `],"capabilities":`...), capabilities...)
	out = appendInstructions(out, instructions)
	out = appendCaching(out, time.Minute, true)
	out = append(append(out, `,"_meta":{"`+wire.MetaServerInfo+`":`...), g.serverInfo()...)
	return append(out, "}}"...), nil
}

func appendInstructions(out []byte, text string) []byte {
	if text == "" {
		return out
	}
	return append(append(out, `,"instructions":`...), wire.Quote(text)...)
}

// together is what several servers offer: everything we answer for all of
// them, and the extensions of those that are known so far.
func (g *Gateway) together(s *Sight) []byte {
	all, err := wire.ParseObject([]byte(everything))
	if err != nil { // it is a constant
		panic(err)
	}
	extensions := map[string][]byte{}
	var tasks []byte
	for _, name := range g.names(s) {
		hello := g.o.Servers.Known(name)
		if hello == nil {
			continue
		}
		caps, err := wire.ParseObject(hello.Capabilities)
		if err != nil {
			continue
		}
		tasks = or(tasks, caps.Get("tasks"))
		if list, err := wire.ParseObject(caps.Get("extensions")); err == nil {
			for _, m := range list.Members() {
				if extensions[m.Name] == nil {
					extensions[m.Name] = m.Value
				}
			}
		}
	}
	var more []wire.Change
	if tasks != nil {
		more = append(more, wire.Change{Name: "tasks", Value: tasks})
	}
	if len(extensions) > 0 {
		var list []wire.Change
		for _, name := range slices.Sorted(maps.Keys(extensions)) {
			list = append(list, wire.Change{Name: name, Value: extensions[name]})
		}
		none, _ := wire.ParseObject([]byte("{}"))
		more = append(more, wire.Change{Name: "extensions", Value: none.With(list...)})
	}
	return all.With(more...)
}
