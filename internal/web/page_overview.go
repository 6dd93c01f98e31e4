package web

import (
	"net/http"
	"slices"
)

// overviewBody is what the first page shows.
type overviewBody struct {
	Overview
	States     []slice // servers by state
	Calls      chart   // of the last hour
	Categories []bar
	Busiest    []Server // those that were called most
	Recent     []Activity
	Actions    bool
}

const (
	overviewCategories = 8
	overviewServers    = 6
	overviewRecent     = 8
)

func (p *pages) overview(_ *http.Request, who Caller, me Me) (string, any, *Problem) {
	o := p.source.Overview(who)
	b := overviewBody{Overview: o, Calls: callChart(o.Minutes), Actions: me.Actions}
	b.States = slices.DeleteFunc([]slice{
		{Name: ServerReady, Value: o.Servers.Ready, Class: "ok"},
		{Name: ServerStarting, Value: o.Servers.Starting, Class: "warn"},
		{Name: ServerIdle, Value: o.Servers.Idle, Class: "rest"},
		{Name: ServerNeedsLogin, Value: o.Servers.NeedsLogin, Class: "warn"},
		{Name: ServerNeedsApproval, Value: o.Servers.NeedsApproval, Class: "warn"},
		{Name: ServerFailed, Value: o.Servers.Failed, Class: "bad"},
		{Name: ServerDisabled, Value: o.Servers.Disabled, Class: "rest"},
	}, func(s slice) bool { return s.Value == 0 })
	place(b.States)
	b.Categories = categoryBars(p.source.Categories(who), overviewCategories)
	b.Busiest = busiest(p.source.Servers(who), overviewServers)
	b.Recent = p.source.Activities(who, ActivityQuery{Most: overviewRecent}).Activities
	return "Overview", b, nil
}

// busiest are the servers that were called most; those that never were are not
// among them.
func busiest(servers []Server, most int) []Server {
	servers = slices.DeleteFunc(slices.Clone(servers), func(s Server) bool { return s.Calls == 0 })
	slices.SortStableFunc(servers, func(a, b Server) int { return int(b.Calls - a.Calls) })
	return servers[:min(len(servers), most)]
}

func categoryBars(list []Category, most int) []bar {
	list = largest(list, most)
	out := make([]bar, len(list))
	for i, c := range list {
		out[i] = bar{Name: c.Name, Value: c.Tools, Width: 100 * float64(c.Tools) / float64(max(1, list[0].Tools))}
	}
	return out
}
