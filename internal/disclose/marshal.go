package disclose

import (
	"bytes"
	"encoding/json"
)

// marshal is compact JSON in which <, > and & are not escaped: a model reads
// it, no browser.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
