package main

import (
	"context"
	"slices"
	"sync"
)

// A probe is one Inspector command whose answer through the gateway has to be
// the direct one.
type probe struct {
	name string
	args []string
	code int    // expected exit code: 5 is a tool that failed or does not exist, 1 an error
	list string // the result is a list under this name: compare the entries
	key  string // the member that names an entry
}

func tool(name, arguments string) []string {
	return []string{"--method", "tools/call", "--tool-name", name, "--tool-args-json", arguments}
}

func method(name string, more ...string) []string { return append([]string{"--method", name}, more...) }

// lists are for every server.
var (
	listTools     = probe{name: "tools/list", args: method("tools/list"), list: "tools", key: "name"}
	listResources = probe{name: "resources/list", args: method("resources/list"), list: "resources", key: "uri"}
	listTemplates = probe{name: "resources/templates/list", args: method("resources/templates/list"), list: "resourceTemplates", key: "uriTemplate"}
	listPrompts   = probe{name: "prompts/list", args: method("prompts/list"), list: "prompts", key: "name"}
)

const document = "demo://resource/static/document/startup.md"

// probes of a server, by its name in the world.
func (w *world) probes(server string) []probe {
	everything := []probe{
		listTools, listResources, listTemplates, listPrompts,
		{name: "echo", args: tool("echo", `{"message":"h\u00e9llo \ud83d\ude00 \u2028 \u0000 end"}`)},
		{name: "echo without its argument", args: tool("echo", `{}`), code: 5},
		{name: "a tool that does not exist", args: tool("no-such-tool", `{}`), code: 5},
		{name: "get-sum", args: tool("get-sum", `{"a":0.1,"b":0.2}`)},
		{name: "get-annotated-message", args: tool("get-annotated-message", `{"messageType":"error","includeImage":true}`)},
		{name: "get-structured-content", args: tool("get-structured-content", `{"location":"Chicago"}`)},
		{name: "get-resource-links", args: tool("get-resource-links", `{"count":4}`)},
		{name: "get-tiny-image", args: tool("get-tiny-image", `{}`)},
		{name: "resources/read", args: method("resources/read", "--uri", document)},
		{name: "a resource that does not exist", args: method("resources/read", "--uri", "demo://nothing/here"), code: 1},
		{name: "prompts/get", args: method("prompts/get", "--prompt-name", "simple-prompt")},
		{name: "prompts/get with arguments", args: method("prompts/get", "--prompt-name", "args-prompt", "--prompt-args", "city=Paris", "state=Texas")},
	}
	switch server {
	case "everything", "web", "events":
		return everything
	case "files":
		return []probe{
			listTools,
			{name: "read_text_file", args: tool("read_text_file", `{"path":"`+w.hello()+`"}`)},
			{name: "list_directory", args: tool("list_directory", `{"path":"`+w.filesDir+`"}`)},
			{name: "a file that does not exist", args: tool("read_text_file", `{"path":"`+w.filesDir+`/nothing"}`), code: 5},
			{name: "a file outside", args: tool("read_text_file", `{"path":"/etc/hosts"}`), code: 5},
		}
	case "memory":
		return []probe{
			listTools,
			{name: "search_nodes", args: tool("search_nodes", `{"query":"nothing at all"}`)},
			{name: "add_observations to nobody", args: tool("add_observations", `{"observations":[{"entityName":"nobody","contents":["x"]}]}`), code: 5},
		}
	}
	return nil
}

// probesIn are the probes to make in an era. Auto ends up in one of the other
// two, so a few show that it finds its way.
func (w *world) probesIn(server, era string) []probe {
	all := w.probes(server)
	if era != "auto" {
		return all
	}
	few := []string{"tools/list", "echo", "resources/read", "prompts/get", "read_text_file", "search_nodes"}
	return slices.DeleteFunc(all, func(p probe) bool { return !slices.Contains(few, p.name) })
}

// answers are the direct ones, made once.
type answers struct {
	mu   sync.Mutex
	have map[string]answer
}

// direct is a server's own answer to a probe. The three ways to reach the
// everything server lead to the same code, so one of them speaks for all.
func (w *world) direct(ctx context.Context, server string, p probe) (answer, error) {
	if server == "everything" || server == "events" {
		server = "web"
	}
	key := server + " " + p.name
	w.answers.mu.Lock()
	a, ok := w.answers.have[key]
	w.answers.mu.Unlock()
	if ok {
		return a, nil
	}
	// The direct answer is the measure and not what is tested: on a machine that
	// stands still for seconds it may take another try.
	var err error
	for range 3 {
		if a, err = w.inspect(ctx, w.server(server).entry, "legacy", p.args...); err == nil && a.code == p.code {
			break
		}
	}
	if err != nil {
		return a, err
	}
	w.answers.mu.Lock()
	defer w.answers.mu.Unlock()
	if w.answers.have == nil {
		w.answers.have = map[string]answer{}
	}
	w.answers.have[key] = a
	return a, nil
}

// inParallel does few things at once: every Inspector is a Node process.
func inParallel[T any](ctx context.Context, all []T, do func(T)) {
	const atOnce = 3
	slots := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for _, x := range all {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			do(x)
		})
	}
	wg.Wait()
}
