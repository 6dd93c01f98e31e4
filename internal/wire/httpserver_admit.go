package wire

import "net/http"

// Admit is for other paths of the same listener: it lets in whom the endpoint
// lets in, and has answered the request if it returns false.
func (s *HTTPServer) Admit(w http.ResponseWriter, r *http.Request) bool {
	if !s.Allows(r) {
		s.refuse(w, http.StatusForbidden, "", Errorf(CodeInvalidRequest, "the host or the origin may not read this: use a loopback name, or add it to the allowed hosts or origins"))
		return false
	}
	if _, err := s.authenticate(r); err != nil {
		s.refuseUnknown(w, err)
		return false
	}
	return true
}

// Allows tells whether the host and the origin of a request may ask at all, whoever
// sends it.
func (s *HTTPServer) Allows(r *http.Request) bool { return s.hostAllowed(r) && s.originAllowed(r) }

// Admits tells whether Admit would let a request in.
func (s *HTTPServer) Admits(r *http.Request) bool {
	if !s.Allows(r) {
		return false
	}
	_, err := s.authenticate(r)
	return err == nil
}
