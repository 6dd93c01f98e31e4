package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
)

// answer writes a value of the model.
func (h *Handler) answer(w http.ResponseWriter, status int, value any) {
	body, err := encode(value)
	if err != nil { // a Source handed out JSON that is none
		h.log.Error("an answer cannot be written", "error", err)
		status = http.StatusInternalServerError
		body, _ = encode(&Problem{Status: status, Code: CodeInternal, Message: "the answer cannot be written", Next: "the gateway's log says why"})
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // whoever has gone away needs no answer
}

// encode is JSON as it is sent. What servers wrote stays text wherever it is put:
// no < or > of theirs is in it.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(value); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// fail writes a problem.
func (h *Handler) fail(w http.ResponseWriter, p *Problem) {
	if p.Status == 0 {
		p.Status = http.StatusInternalServerError
	}
	h.answer(w, p.Status, p)
}

// maxBody bounds what is sent to us: a call may have long arguments.
const maxBody = 4 << 20

// read reads a body of JSON into to, which is of the model.
func read(w http.ResponseWriter, r *http.Request, to any) *Problem {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return &Problem{Status: http.StatusUnsupportedMediaType, Code: CodeBadRequest, Where: "Content-Type", Message: "the body is not said to be JSON", Next: "send Content-Type: application/json"}
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something comes after the value")
		}
	}
	var large *http.MaxBytesError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &large):
		return &Problem{Status: http.StatusRequestEntityTooLarge, Code: CodeTooLarge, Where: "body", Message: "the body is longer than " + strconv.Itoa(maxBody>>20) + " MiB", Next: "send less"}
	case errors.Is(err, io.EOF):
		return badRequest("body", "the body is empty", "send what the OpenAPI file describes")
	}
	return badRequest("body", "the body is not what is expected: "+err.Error(), "send what the OpenAPI file describes")
}

func badRequest(where, what, next string) *Problem {
	return &Problem{Status: http.StatusBadRequest, Code: CodeBadRequest, Where: where, Message: what, Next: next}
}
