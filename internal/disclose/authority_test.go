package disclose

import (
	"regexp"
	"testing"
	"time"

	"toolcrib/internal/catalog"
)

// S10: what we put around servers' words claims no authority over a model.
func TestS10NoClaimOfAuthority(t *testing.T) {
	s := catalog.Build([]catalog.Listing{{Server: "a", Tools: []catalog.Found{{Raw: []byte(`{"name":"look_around","description":"Look around."}`), Provenance: catalog.Protocol}}}}, catalog.Rules{}, time.Time{})
	claims := regexp.MustCompile(`(?i)\b(system|important|you must|ignore|override|instructions?|mandatory|critical)\b`)
	for name, text := range map[string]string{
		"brief": Reference(s, Brief, nil), "full": Reference(s, Full, nil), "summary": Summary(s, nil), "behind": Behind(s),
	} {
		if text == "" {
			t.Errorf("%s says nothing", name)
		}
		if found := claims.FindString(text); found != "" {
			t.Errorf("%s says %q: %s", name, found, text)
		}
	}
}
