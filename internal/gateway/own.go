package gateway

import (
	"context"
	"fmt"
	"strings"

	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// Resources of our own. Where a server has one of these names, what we do not know
// is the server's.
const (
	summaryURI = uriScheme + "summary"
	resultsURI = uriScheme + "results/"
)

// ownResources and ownTemplates are how they are listed.
const (
	ownResources = `{"uri":"` + summaryURI + `","name":"summary","title":"What is behind this gateway","mimeType":"text/plain"}`
	ownTemplates = `{"uriTemplate":"` + resultsURI + `{id}{?page}","name":"results","title":"A long result, by pages","mimeType":"text/plain"}`
)

// readOwn answers for a resource of our own; ok is unset if it is none.
func (g *Gateway) readOwn(ctx context.Context, in *wire.Incoming) (result []byte, err error, ok bool) {
	uri, isText := wire.Text(wire.Find(in.Params, "uri"))
	if !isText {
		return nil, nil, false
	}
	text, mime := "", "text/plain"
	switch {
	case uri == summaryURI:
		sight := g.sight(in)
		g.patiently(ctx, sight)
		text = sight.Browser.Summary()
	case strings.HasPrefix(uri, resultsURI) && g.o.Results != nil:
		page, _, kind, pageErr := g.o.Results.Page(uri, in.Subject, 0)
		if pageErr != nil && contains(g.o.Servers.Names(), "results") {
			return nil, nil, false
		}
		if pageErr != nil {
			code := wire.CodeResourceNotFound
			if in.Era == wire.Modern {
				code = wire.CodeInvalidParams
			}
			return nil, wire.Errorf(code, "%v", pageErr), true
		}
		text, mime = page, kind
	default:
		return nil, nil, false
	}
	out := append([]byte(`{"contents":[{"uri":`), wire.Quote(uri)...)
	out = append(append(append(out, `,"mimeType":`...), wire.Quote(mime)...), `,"text":`...)
	out = append(append(out, wire.Quote(text)...), "}]"...)
	if in.Era == wire.Modern {
		out = append(out, `,"resultType":"complete"`...)
		out = appendCaching(out, 0, true)
	}
	return append(out, '}'), nil, true
}

// resultPage is a page of a long result for agents that cannot read resources.
func (g *Gateway) resultPage(in *wire.Incoming, uri string) []byte {
	if g.o.Results == nil {
		return g.problem(in, &disclose.Problem{Message: "no results are kept here", Next: "Call the tool again."})
	}
	page, pages, _, err := g.o.Results.Page(uri, in.Subject, 0)
	if err != nil {
		return g.problem(in, &disclose.Problem{Message: err.Error(), Next: "Ask for another page, or call the tool again if it is read-only."})
	}
	out := append([]byte(`{"content":[{"type":"text","text":`), wire.Quote(page)...)
	out = append(append(out, `},{"type":"text","text":`...), wire.Quote(fmt.Sprintf("[one of %d pages]", pages))...)
	out = append(out, "}]"...)
	if in.Era == wire.Modern {
		out = append(out, `,"resultType":"complete"`...)
	}
	return append(out, '}')
}
