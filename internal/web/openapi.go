package web

import (
	_ "embed"
	"net/http"
)

// document is the OpenAPI file. It is made of the table of routes and of the types of
// the model with their comments by a test, which fails where it is out of step.
//
//go:embed openapi.json
var document []byte

func (h *Handler) writeDocument(r *request) {
	r.w.Header().Set("Content-Type", "application/json")
	r.w.WriteHeader(http.StatusOK)
	_, _ = r.w.Write(document)
}
