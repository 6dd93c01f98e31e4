package web

import (
	"net/http"
	"strconv"
)

// Root is where the API is.
const Root = "/api/v1"

// A route is one operation of the API. The table of routes is what is served and what
// the OpenAPI file says, so that neither can know of one that the other does not.
type route struct {
	method, path string
	name         string      // of the operation
	about        string      // what it does, in a line
	group        string      // of operations
	query        []parameter // what can be asked for in the URL
	body         any         // a value of the type that is sent; nil for none
	answer       any         // a value of the type that comes back
	public       bool        // answered before anybody has logged in
	action       bool        // does something, and is there only where that is enabled
	decides      bool        // decides what counts for all agents, and needs the key

	do     func(h *Handler, r *request) (any, *Problem)
	stream func(h *Handler, r *request) // in place of do: writes its answer itself
}

// A parameter of a URL.
type parameter struct {
	name, about string
	number      bool
	most        int      // of a number; 0 is no bound
	among       []string // all values that it may have; nil is any
	required    bool
}

var (
	pageParameters = []parameter{
		{name: "page", about: "which page, from 1", number: true},
		{name: "size", about: "how many on one, 50 if it is not said", number: true, most: MaxPageSize},
	}
	kinds    = []string{KindCall, KindSearch, KindScript, KindLook, KindList, KindDiscovery, KindReload}
	outcomes = []string{
		"error", OutcomeOK, OutcomeToolError, OutcomeRefused, OutcomeDenied, OutcomeUnreachable, OutcomeBusy, OutcomeTimeout, OutcomeCancelled, OutcomeFailed,
	}
)

// MaxPageSize is the most that one page of a list has.
const MaxPageSize = 200

// routes are all there are.
var routes []*route

func init() { // they refer to what refers to them
	routes = append(reading(), doing()...)
	for _, r := range routes {
		r.path = Root + r.path
		if r.method == "" {
			r.method = http.MethodGet
		}
	}
}

// reading changes nothing.
func reading() []*route {
	return []*route{
		{
			path: "/overview", name: "overview", group: "overview", about: "How the gateway stands, what was done since it started and in the last hour.", answer: Overview{},
			do: func(h *Handler, r *request) (any, *Problem) { return h.o.Source.Overview(r.who), nil },
		},
		{
			path: "/me", name: "me", group: "session", about: "Who asks, and what they can do here.", answer: Me{},
			do: func(_ *Handler, r *request) (any, *Problem) { return r.me, nil },
		},
		{
			path: "/servers", name: "listServers", group: "servers", about: "All configured servers that the caller may see, in their order.", answer: []Server{},
			do: func(h *Handler, r *request) (any, *Problem) { return h.o.Source.Servers(r.who), nil },
		},
		{
			path: "/servers/{name}", name: "getServer", group: "servers", about: "All there is to know of one server.", answer: ServerDetail{},
			do: func(h *Handler, r *request) (any, *Problem) {
				return orProblem(h.o.Source.Server(r.who, r.PathValue("name")))
			},
		},
		{
			path: "/tools", name: "listTools", group: "catalog", about: "The tools that the caller may see, by pages.", answer: ToolPage{},
			query: append([]parameter{
				{name: "server", about: "only of this server"},
				{name: "category", about: "only of this category"},
				{name: "tag", about: "only with this tag"},
				{name: "state", about: "only in this state", among: []string{"available", "unavailable", "not_callable", "held", "findings"}},
				{name: "q", about: "only with this text in the id, the name or the description; /search is for what tools do"},
			}, pageParameters...),
			do: (*Handler).listTools,
		},
		{
			path: "/tools/{id}", name: "getTool", group: "catalog", about: "All there is to know of one tool.", answer: ToolDetail{},
			do: func(h *Handler, r *request) (any, *Problem) {
				return orProblem(h.o.Source.Tool(r.who, r.PathValue("id")))
			},
		},
		{
			path: "/search", name: "search", group: "catalog", about: "Tools by what they do, with a verdict and what spoke for each.", answer: SearchResult{},
			query: []parameter{
				{name: "q", about: "what the tool should do, in words", required: true},
				{name: "server", about: "only of this server"},
				{name: "category", about: "only of this category"},
				{name: "limit", about: "how many hits, 10 if it is not said", number: true, most: 50},
			},
			do: (*Handler).search,
		},
		{
			path: "/categories", name: "listCategories", group: "catalog", about: "The categories that have tools.", answer: []Category{},
			do: func(h *Handler, r *request) (any, *Problem) { return h.o.Source.Categories(r.who), nil },
		},
		{
			path: "/tags", name: "listTags", group: "catalog", about: "The tags that tools have.", answer: []Tag{},
			do: func(h *Handler, r *request) (any, *Problem) { return h.o.Source.Tags(r.who), nil },
		},
		{
			path: "/activity", name: "listActivity", group: "activity", about: "What was done of late, the newest first.", answer: ActivityPage{},
			query: []parameter{
				{name: "kind", about: "only of this kind", among: kinds},
				{name: "server", about: "only at this server"},
				{name: "tool", about: "only of this tool, by its id or name"},
				{name: "outcome", about: "only what ended so; error is all but ok", among: outcomes},
				{name: "caller", about: "only of this caller"},
				{name: "q", about: "only with this text in the tool, the query or the error"},
				{name: "parent", about: "only what was done in this script", number: true},
				{name: "before", about: "only what is older: before of an earlier answer", number: true},
				{name: "limit", about: "how many, 50 if it is not said", number: true, most: MaxPageSize},
			},
			do: (*Handler).listActivity,
		},
		{
			path: "/activity/{id}", name: "getActivity", group: "activity", about: "One activity with its timeline, and the calls that were made in the course of it.", answer: ActivityDetail{},
			do: func(h *Handler, r *request) (any, *Problem) {
				id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
				if err != nil {
					return nil, badRequest("id", "this is no number of an activity", "GET "+Root+"/activity lists them")
				}
				return orProblem(h.o.Source.Activity(r.who, id))
			},
		},
		{
			path: "/events", name: "events", group: "activity", about: "Events as they happen, server-sent: activity, server, catalog, config and missed. Last-Event-ID resumes after an activity.", answer: Activity{},
			stream: (*Handler).events,
		},
		{
			path: "/trust", name: "trust", group: "trust", about: "Everything that waits for a person to look at it.", answer: Trust{},
			do: func(h *Handler, r *request) (any, *Problem) { return h.o.Source.Trust(r.who), nil },
		},
		{
			path: "/config", name: "config", group: "configuration", about: "The files in use, what is wrong with them, and what they come to, without secrets.", answer: Config{},
			do: func(h *Handler, r *request) (any, *Problem) { return h.o.Source.Config(r.who), nil },
		},
		{
			path: "/scripts", name: "listScripts", group: "configuration", about: "The scripts that are stored in the configuration.", answer: []Script{},
			do: func(h *Handler, r *request) (any, *Problem) { return h.o.Source.Scripts(r.who), nil },
		},
		{
			path: "/openapi.json", name: "openapi", group: "session", about: "This file.", public: true, answer: map[string]any{},
			stream: (*Handler).writeDocument,
		},
	}
}

// doing are the routes that something is sent to. None of them adds a server, or alters
// how one is started or reached. Listing a server anew and calling a tool is what agents
// do anyhow, by the same policy and pins. What is decided about definitions counts for all
// of them: approving lets a changed one reach them, and rejecting hides from a person that
// it changed. That needs the key.
func doing() []*route {
	return []*route{
		{
			method: http.MethodPost, path: "/session", name: "login", group: "session", about: "Begin a session with a token, with the key if it is to decide anything; the browser keeps it as a cookie.", public: true, body: LoginRequest{}, answer: Me{},
			do: func(h *Handler, r *request) (any, *Problem) {
				var in LoginRequest
				if p := read(r.w, r.Request, &in); p != nil {
					return nil, p
				}
				return orProblem(h.login(r.w, r.Request, in))
			},
		},
		{
			method: http.MethodDelete, path: "/session", name: "logout", group: "session", about: "End the session.", public: true, answer: Me{},
			do: func(h *Handler, r *request) (any, *Problem) {
				h.logout(r.w, r.Request)
				return h.nobody(), nil
			},
		},
		{
			method: http.MethodPost, path: "/servers/{name}/refresh", name: "refreshServer", group: "servers", about: "List a server anew.", action: true, answer: Refreshed{},
			do: func(h *Handler, r *request) (any, *Problem) {
				return orProblem(h.o.Source.Refresh(r.Context(), r.who, r.PathValue("name")))
			},
		},
		{
			method: http.MethodPost, path: "/tools/{id}/call", name: "callTool", group: "catalog", about: "Call a tool in the caller's name: policy, limits and audit hold as for an agent.", action: true, body: CallRequest{}, answer: CallResult{},
			do: func(h *Handler, r *request) (any, *Problem) {
				var in CallRequest
				if p := read(r.w, r.Request, &in); p != nil {
					return nil, p
				}
				return orProblem(h.o.Source.Call(r.Context(), r.who, r.PathValue("id"), in.Arguments))
			},
		},
		{
			method: http.MethodPost, path: "/trust/pins/{id}/approve", name: "approvePin", group: "trust", about: "Make a changed definition count that somebody has read.", action: true, decides: true, body: ApproveRequest{}, answer: Approved{},
			do: func(h *Handler, r *request) (any, *Problem) { return decide(r, h.o.Source.Approve) },
		},
		{
			method: http.MethodPost, path: "/trust/pins/{id}/reject", name: "rejectPin", group: "trust", about: "Leave the definition of before in place.", action: true, decides: true, body: ApproveRequest{}, answer: Approved{},
			do: func(h *Handler, r *request) (any, *Problem) { return decide(r, h.o.Source.Reject) },
		},
	}
}

func decide(r *request, by func(who Caller, tool, fingerprint string) (*Approved, *Problem)) (any, *Problem) {
	var in ApproveRequest
	if p := read(r.w, r.Request, &in); p != nil {
		return nil, p
	}
	if in.Fingerprint == "" {
		return nil, badRequest("fingerprint", "it is not said which definition was read", "send the fingerprint of it, as "+Root+"/trust has it")
	}
	return orProblem(by(r.who, r.PathValue("id"), in.Fingerprint))
}

// orProblem makes one type of many.
func orProblem[T any](value T, p *Problem) (any, *Problem) { return value, p }

func (h *Handler) listTools(r *request) (any, *Problem) {
	u := r.values()
	q := ToolQuery{
		Server: u.text("server"), Category: u.text("category"), Tag: u.text("tag"), State: u.text("state"), Text: u.text("q"),
		Page: u.number("page"), Size: u.number("size"),
	}
	if u.problem != nil {
		return nil, u.problem
	}
	return orProblem(h.o.Source.Tools(r.who, q))
}

func (h *Handler) search(r *request) (any, *Problem) {
	u := r.values()
	q := SearchQuery{Text: u.text("q"), Server: u.text("server"), Category: u.text("category"), Most: u.number("limit")}
	if u.problem != nil {
		return nil, u.problem
	}
	return orProblem(h.o.Source.Search(r.Context(), r.who, q))
}

func (h *Handler) listActivity(r *request) (any, *Problem) {
	u := r.values()
	q := ActivityQuery{
		Kind: u.text("kind"), Server: u.text("server"), Tool: u.text("tool"), Outcome: u.text("outcome"), Caller: u.text("caller"), Text: u.text("q"),
		Parent: uint64(u.number("parent")), Before: uint64(u.number("before")), Most: u.number("limit"),
	}
	if u.problem != nil {
		return nil, u.problem
	}
	return h.o.Source.Activities(r.who, q), nil
}
