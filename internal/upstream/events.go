package upstream

import "toolcrib/internal/wire"

// Watch has f called for every event, in the order of each server, until stop.
// f must not block.
func (p *Pool) Watch(f func(Event)) (stop func()) {
	p.watchMu.Lock()
	defer p.watchMu.Unlock()
	list := append([]*func(Event){}, *p.watchers.Load()...)
	list = append(list, &f)
	p.watchers.Store(&list)
	return func() {
		p.watchMu.Lock()
		defer p.watchMu.Unlock()
		var rest []*func(Event)
		for _, w := range *p.watchers.Load() {
			if w != &f {
				rest = append(rest, w)
			}
		}
		p.watchers.Store(&rest)
	}
}

func (p *Pool) publish(e Event) {
	for _, f := range *p.watchers.Load() {
		(*f)(e)
	}
}

// changes are the notices that make whoever keeps lists fetch them anew.
var changes = []string{wire.MethodToolsChanged, wire.MethodPromptsChanged, wire.MethodResourcesChanged}

// changed says that what a server offers may be something else from now on.
func (p *Pool) changed(server string) {
	for _, method := range changes {
		p.publish(Event{Server: server, Method: method})
	}
}
