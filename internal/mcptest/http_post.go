package mcptest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// post is one message from a client, of either era.
func (h *HTTPServer) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	m, err := parseMessage(body)
	if err != nil {
		h.service.fault("%v in %.200s", err, body)
		writeError(w, http.StatusBadRequest, json.RawMessage("null"), rpcErrorf(-32700, "parse error: %v", err))
		return
	}
	if m.method != "" {
		h.note(m.method, r.Header)
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		h.service.fault("%s with Content-Type %q", m.method, r.Header.Get("Content-Type"))
	}
	if !accepts(r.Header) {
		h.service.fault("%s with Accept %q", m.method, r.Header.Values("Accept"))
	}
	if m.method == "initialize" {
		h.initialize(w, m)
		return
	}
	// A modern request says so in its header and in its body; one of the two
	// decides, and the other is checked against it.
	modern := r.Header.Get("MCP-Protocol-Version") == modernVersion || strings.Contains(string(m.params), `"`+metaVersion+`"`)
	if modern && h.rules.eras != LegacyOnly || h.rules.eras == ModernOnly {
		h.postModern(w, r, m)
		return
	}
	h.postLegacy(w, r, m)
}

func (h *HTTPServer) postModern(w http.ResponseWriter, r *http.Request, m message) {
	if m.isNotification() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	q, fault := h.rules.admit(nil, m)
	if fault == nil {
		if wrong := checkHeaders(h.good, r.Header, q); wrong != "" {
			h.service.fault("%s", wrong)
			fault = rpcErrorf(-32020, "header mismatch: %s", wrong)
		}
	}
	if fault != nil {
		writeError(w, http.StatusBadRequest, m.id, fault)
		return
	}
	// Closing the stream is how a modern client cancels.
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	h.answer(ctx, w, q, nil)
	if r.Context().Err() != nil && m.method != "subscriptions/listen" && h.ctx.Err() == nil {
		h.service.cancelled()
	}
}

// answer serves a request that was let in and writes its response.
func (h *HTTPServer) answer(ctx context.Context, w http.ResponseWriter, q *request, s *httpSession) {
	stream := &httpStream{w: w, answers: h.options.Answers, session: s}
	q.back = stream
	if h.options.Answers >= AsSSE && h.options.Answers <= AsJunk || q.method == "subscriptions/listen" {
		stream.start()
	}
	h.service.prepare(q)
	result, fault := h.service.serve(ctx, q)
	if after, ok := h.resetFor(q.text("name")); ok && q.method == "tools/call" {
		reset(w, responseLine(q.id, result, fault), after)
		return
	}
	status := http.StatusOK
	if fault != nil && q.modern {
		status = modernStatus(fault.Code)
	}
	stream.finish(status, responseLine(q.id, result, fault))
}

func modernStatus(code int) int {
	switch code {
	case -32601:
		return http.StatusNotFound
	case -32602, -32600, -32020, -32021, -32022:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

func writeError(w http.ResponseWriter, status int, id json.RawMessage, fault *rpcError) {
	writeJSON(w, status, responseLine(id, nil, fault))
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
