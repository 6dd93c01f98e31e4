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

// JSON is v as an agent reads it. v must be a value that always marshals.
func JSON(v any) json.RawMessage {
	b, err := marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
