package wire

import (
	"errors"
	"net/http"
)

// A Principal is who sends a request, as far as that was proved.
type Principal struct {
	Subject string
	Scopes  []string // what the token allows, where tokens say that
}

// An AuthError says how a request is refused whose sender is not known, or may not.
type AuthError struct {
	Status    int    // 401, 403, or 503 where it cannot be found out
	Challenge string // for the header WWW-Authenticate; "" sends none
	Message   string // for whoever sent the request; it repeats nothing of it
	Reason    error  // for the log alone
}

func (e *AuthError) Error() string {
	if e.Reason == nil {
		return e.Message
	}
	return e.Message + " (" + e.Reason.Error() + ")"
}

func (e *AuthError) Unwrap() error { return e.Reason }

func (s *HTTPServer) authenticate(r *http.Request) (Principal, error) {
	if s.o.Authenticate == nil {
		return Principal{}, nil
	}
	return s.o.Authenticate(r)
}

// refuseUnknown answers a request that Authenticate refused.
func (s *HTTPServer) refuseUnknown(w http.ResponseWriter, err error) {
	s.o.Log.Debug("request refused", "reason", err)
	no := &AuthError{Status: http.StatusUnauthorized, Challenge: "Bearer", Message: "not authorized: send a valid token as Authorization: Bearer"}
	errors.As(err, &no)
	if no.Challenge != "" {
		w.Header().Set("WWW-Authenticate", no.Challenge)
	}
	s.refuse(w, no.Status, "", Errorf(CodeInvalidRequest, "%s", no.Message))
}
