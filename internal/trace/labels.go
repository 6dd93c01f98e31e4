package trace

import (
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"toolcrib/internal/wire"
)

// maxServers is how many servers metrics tell apart; the rest is "other", so that
// reloads with ever new names do not make ever new series.
const maxServers = 500

// otherName stands for a name that is no label.
const otherName = "other"

// A series is what one line of a metric is about. Members that are empty are no
// labels of it.
type series struct {
	server, method, tool, verdict string
	outcome                       outcome
	counted                       bool // says outcome; else error.type, of conventions
}

// prepared are the labels of a series as the SDK takes them, made once.
type prepared struct {
	add    []metric.AddOption
	record []metric.RecordOption
}

// labels remembers what was prepared.
type labels struct {
	mu      sync.RWMutex
	made    map[series]*prepared
	servers map[string]bool
}

func (l *labels) of(s series) *prepared {
	l.mu.RLock()
	p := l.made[s]
	l.mu.RUnlock()
	if p != nil {
		return p
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made == nil {
		l.made = map[series]*prepared{}
	}
	s.server = l.admit(s.server)
	if p = l.made[s]; p == nil {
		p = prepare(s)
		l.made[s] = p
	}
	return p
}

// server is the label of a server.
func (l *labels) server(name string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.admit(name)
}

// admit is a server's name, or "other" if there are too many. l.mu is held.
func (l *labels) admit(name string) string {
	switch {
	case name == "" || l.servers[name]:
		return name
	case len(l.servers) >= maxServers:
		return otherName
	case l.servers == nil:
		l.servers = map[string]bool{}
	}
	l.servers[name] = true
	return name
}

func prepare(s series) *prepared {
	set := metric.WithAttributeSet(s.set())
	return &prepared{add: []metric.AddOption{set}, record: []metric.RecordOption{set}}
}

// set are the labels.
func (s series) set() attribute.Set {
	var list []attribute.KeyValue
	say := func(key attribute.Key, value string) {
		if value != "" {
			list = append(list, key.String(value))
		}
	}
	say(labelServer, s.server)
	say(keyMethod.label(), s.method)
	say(keyTool.label(), s.tool)
	say(labelVerdict, s.verdict)
	switch {
	case s.counted:
		say(labelOutcome, string(s.outcome))
	case s.outcome != succeeded:
		say(keyErrorType.label(), string(s.outcome))
	}
	return attribute.NewSet(list...)
}

// methods are those of the protocol that requests have, each with the attribute that
// says it.
var methods = func() map[string]mark {
	all := map[string]mark{otherName: keyMethod.as(otherName)}
	for _, name := range []string{
		wire.MethodInitialize, wire.MethodDiscover, wire.MethodPing,
		wire.MethodToolsList, wire.MethodToolsCall, wire.MethodPromptsList, wire.MethodPromptsGet,
		wire.MethodResourcesList, wire.MethodTemplatesList, wire.MethodResourcesRead,
		wire.MethodSubscribe, wire.MethodUnsubscribe, wire.MethodComplete, wire.MethodSetLevel, wire.MethodListen,
		wire.MethodTasksList, wire.MethodTasksGet, wire.MethodTasksUpdate, wire.MethodTasksCancel, wire.MethodTasksResult,
	} {
		all[name] = keyMethod.as(name)
	}
	return all
}()

// knownMethod is a method, or "other": an agent may send anything as one.
func knownMethod(method string) string {
	if method == wire.MethodToolsCall || methods[method] != "" {
		return method
	}
	return otherName
}
