package probe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"toolcrib/internal/catalog"
)

// maxRetryAfter is how long we wait for an interface that asks us to.
const maxRetryAfter = 5 * time.Second

// A prediction is what a model is to answer, and no more than that.
type prediction struct {
	Tools []predictedTool `json:"tools"`
}

type predictedTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// tools are the predicted ones that can be tools: what a model says is text like
// any other.
func (p prediction) tools() []catalog.Found {
	var c collection
	for _, t := range p.Tools {
		if !likelyName(t.Name) {
			continue
		}
		c.add(definition{name: t.Name, description: clip(plain(clip(t.Description, 4*maxPredictedDetail)), maxPredictedDetail)})
		if len(c.tools) == maxPredicted {
			break
		}
	}
	for i := range c.tools {
		c.tools[i].Provenance, c.tools[i].Confidence = catalog.Predicted, confidencePredicted
	}
	return c.tools
}

var answerSchema = json.RawMessage(`{"type":"json_schema","json_schema":{"name":"tools","strict":true,"schema":{"type":"object","additionalProperties":false,"required":["tools"],"properties":{"tools":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["name","description"],"properties":{"name":{"type":"string"},"description":{"type":"string"}}}}}}}}`)

// question is the body of a request.
func (p *Predictor) question(described []byte, schema bool) ([]byte, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	q := struct {
		Model       string          `json:"model"`
		Messages    []message       `json:"messages"`
		Temperature float64         `json:"temperature"`
		Format      json.RawMessage `json:"response_format,omitempty"`
	}{
		Model:    p.model,
		Messages: []message{{"system", instructions}, {"user", string(described)}},
	}
	if schema {
		q.Format = answerSchema
	}
	return json.Marshal(q)
}

// readPrediction reads the answer of the interface: its envelope as far as it is
// needed, the model's text inside of it strictly.
func readPrediction(body []byte) (prediction, error) {
	var envelope struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return prediction{}, errors.New("the answer is not that of a chat interface: check the base URL")
	}
	if len(envelope.Choices) == 0 {
		return prediction{}, errors.New("the answer is empty")
	}
	text := withoutFence(envelope.Choices[0].Message.Content)
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var answer prediction
	if err := d.Decode(&answer); err != nil {
		return prediction{}, errors.New("the model did not answer with the JSON that it was asked for")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) || answer.Tools == nil {
		return prediction{}, errors.New("the model did not answer with the JSON that it was asked for")
	}
	return answer, nil
}

// withoutFence takes the code fence off that models like to put around JSON.
func withoutFence(s string) string {
	s = strings.TrimSpace(s)
	inner, ok := strings.CutPrefix(s, "```")
	if !ok {
		return s
	}
	if inner, ok = strings.CutSuffix(inner, "```"); !ok {
		return s
	}
	return strings.TrimPrefix(inner, "json")
}

// A refusedError is a status that is not success.
type refusedError struct {
	status int
	says   string
	after  time.Duration
}

func (e *refusedError) Error() string {
	next := "check the base URL and the model's name"
	switch {
	case e.status == http.StatusUnauthorized || e.status == http.StatusForbidden:
		next = "check the key"
	case e.passing():
		next = "it is tried again at the next discovery"
	}
	if e.says != "" {
		return fmt.Sprintf("the model's interface answered %d (%s); %s", e.status, e.says, next)
	}
	return fmt.Sprintf("the model's interface answered %d; %s", e.status, next)
}

// passing tells whether the same question may be answered later.
func (e *refusedError) passing() bool {
	return e.status == http.StatusTooManyRequests || e.status >= 500
}

// again tells whether a second try can succeed: also where it may have been the
// schema that was refused.
func (e *refusedError) again() bool {
	return e.passing() || e.status == http.StatusBadRequest || e.status == http.StatusUnprocessableEntity
}

// refusal reads a response that is not success. What it says is shown in part:
// an interface may repeat the key that it did not like.
func refusal(r *http.Response) error {
	e := &refusedError{status: r.StatusCode}
	if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.after = time.Duration(min(seconds, 3600)) * time.Second
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 4<<10))
	if err != nil {
		return e
	}
	var said struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(bytes.TrimSpace(body), &said) == nil {
		e.says = clip(redactText(plain(said.Error.Message)), 160)
	}
	return e
}
