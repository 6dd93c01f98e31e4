package web

import (
	"net/http"
)

// serversBody is the list of servers.
type serversBody struct {
	Servers []Server
	Actions bool
}

func (p *pages) servers(_ *http.Request, who Caller, me Me) (string, any, *Problem) {
	return "Servers", serversBody{Servers: p.source.Servers(who), Actions: me.Actions}, nil
}

// serverBody is one server.
type serverBody struct {
	*ServerDetail
	Catalog *ToolPage // its tools, the first of them
	Recent  []Activity
	Actions bool
}

const (
	serverTools  = 12
	serverRecent = 6
)

func (p *pages) server(r *http.Request, who Caller, me Me) (string, any, *Problem) {
	d, problem := p.source.Server(who, r.PathValue("name"))
	if problem != nil {
		return "", nil, problem
	}
	b := serverBody{ServerDetail: d, Actions: me.Actions, Catalog: &ToolPage{}}
	if d.Server.Tools > 0 {
		if b.Catalog, problem = p.source.Tools(who, ToolQuery{Server: d.Name, Size: serverTools}); problem != nil {
			return "", nil, problem
		}
	}
	b.Recent = p.source.Activities(who, ActivityQuery{Server: d.Name, Most: serverRecent}).Activities
	return d.Name, b, nil
}
