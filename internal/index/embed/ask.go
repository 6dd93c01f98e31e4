package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
)

// What is sent and read at most.
const (
	maxText     = 8000     // bytes of a text
	maxAnswer   = 64 << 20 // bytes of an answer
	maxNumbers  = 8192     // of a vector
	maxExcerpt  = 200      // bytes of an answer in an error
	contentType = "application/json"
)

// ask gets the vectors of texts, each of length 1.
func (e *Embedder) ask(ctx context.Context, texts []string) ([][]float32, error) {
	cut := make([]string, len(texts))
	for i, t := range texts {
		if len(t) > maxText {
			t = strings.ToValidUTF8(t[:maxText], "")
		}
		cut[i] = t
	}
	body, err := json.Marshal(map[string]any{"model": e.options.Model, "input": cut})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", contentType)
	if e.options.Key != "" {
		request.Header.Set("Authorization", "Bearer "+e.options.Key)
	}
	answer, err := e.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the embedder answers %s: %.*s", answer.Status, maxExcerpt, data)
	}
	return readVectors(data, len(texts))
}

func (e *Embedder) address() string {
	url := strings.TrimRight(e.options.URL, "/")
	if strings.HasSuffix(url, "/embeddings") {
		return url
	}
	return url + "/embeddings"
}

// readVectors reads an answer that has to have n vectors of one length.
func readVectors(data []byte, n int) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("read the embedder's answer: %w", err)
	}
	vectors := make([][]float32, n)
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= n {
			return nil, fmt.Errorf("the embedder answers for text %d of %d", d.Index+1, n)
		}
		if !normalise(d.Embedding) {
			return nil, fmt.Errorf("the embedder's vector of text %d cannot be used", d.Index+1)
		}
		vectors[d.Index] = d.Embedding
	}
	for i, v := range vectors {
		if v == nil || len(v) != len(vectors[0]) {
			return nil, fmt.Errorf("the embedder has no vector of text %d, or one of another length", i+1)
		}
	}
	return vectors, nil
}

// normalise makes v of length 1, if it can.
func normalise(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if len(v) == 0 || len(v) > maxNumbers || sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return true
}
