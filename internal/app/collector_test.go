package app

import (
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A collector takes spans as the real ones do: OTLP, protobuf over HTTP.
type collector struct {
	t   *testing.T
	url string

	mu      sync.Mutex
	spans   []*otlp.Span
	headers []http.Header
	paths   []string
	about   map[string]string // resource attributes
	more    chan struct{}     // closed, and made anew, when spans came
}

func newCollector(t *testing.T) *collector {
	c := &collector{t: t, more: make(chan struct{}), about: map[string]string{}}
	s := httptest.NewServer(c)
	t.Cleanup(s.Close)
	c.url = s.URL
	return c
}

// traces has the gateways of a test send their spans here, soon.
func (c *collector) traces() {
	c.t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", c.url+"/v1/traces")
	c.t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "10")
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = unzipped
	}
	raw, err := io.ReadAll(body)
	var request coltrace.ExportTraceServiceRequest
	if err != nil || proto.Unmarshal(raw, &request) != nil || r.Header.Get("Content-Type") != "application/x-protobuf" {
		http.Error(w, "no protobuf", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.headers, c.paths = append(c.headers, r.Header.Clone()), append(c.paths, r.URL.Path)
	for _, from := range request.ResourceSpans {
		maps.Copy(c.about, attributesOf(from.Resource.Attributes))
		for _, scope := range from.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
	close(c.more)
	c.more = make(chan struct{})
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// await waits until all these spans have come, and returns all there are.
func (c *collector) await(names ...string) []*otlp.Span {
	c.t.Helper()
	late := time.After(20 * time.Second)
	for {
		c.mu.Lock()
		spans, more := slices.Clone(c.spans), c.more
		c.mu.Unlock()
		missing := slices.Clone(names)
		for _, s := range spans {
			if i := slices.Index(missing, s.Name); i >= 0 {
				missing = slices.Delete(missing, i, i+1)
			}
		}
		if len(missing) == 0 {
			return spans
		}
		select {
		case <-more:
		case <-late:
			c.t.Fatalf("no spans %q came, only\n%s", missing, tree(spans))
		}
	}
}

func attributesOf(list []*common.KeyValue) map[string]string {
	out := map[string]string{}
	for _, a := range list {
		switch v := a.Value.Value.(type) {
		case *common.AnyValue_StringValue:
			out[a.Key] = v.StringValue
		case *common.AnyValue_IntValue:
			out[a.Key] = fmt.Sprint(v.IntValue)
		case *common.AnyValue_ArrayValue:
			var texts []string
			for _, one := range v.ArrayValue.Values {
				texts = append(texts, one.GetStringValue())
			}
			out[a.Key] = "[" + strings.Join(texts, " ") + "]"
		default:
			out[a.Key] = fmt.Sprintf("%T", v)
		}
	}
	return out
}

// volatile are attributes that are others each time.
var volatile = []string{"session.id", "mcp.session.id", "jsonrpc.request.id", "server.port", "toolcrib.discovery.hits", "toolcrib.discovery.misses", "toolcrib.search.found"}

// tree shows spans with those they are in, in an order that is always the same.
func tree(spans []*otlp.Span) string {
	children := map[string][]*otlp.Span{}
	known := map[string]bool{}
	for _, s := range spans {
		known[hex.EncodeToString(s.SpanId)] = true
	}
	for _, s := range spans {
		parent := hex.EncodeToString(s.ParentSpanId)
		if !known[parent] {
			parent = ""
		}
		children[parent] = append(children[parent], s)
	}
	var b strings.Builder
	var show func(parent, indent string)
	show = func(parent, indent string) {
		texts := make([]string, 0, len(children[parent]))
		for _, s := range children[parent] {
			was := b.Len()
			describeSpan(&b, s, indent)
			show(hex.EncodeToString(s.SpanId), indent+"    ")
			all := b.String()
			texts = append(texts, all[was:])
			b.Reset()
			b.WriteString(all[:was])
		}
		slices.Sort(texts)
		b.WriteString(strings.Join(texts, ""))
	}
	show("", "")
	return b.String()
}

func describeSpan(b *strings.Builder, s *otlp.Span, indent string) {
	kind := strings.ToLower(strings.TrimPrefix(s.Kind.String(), "SPAN_KIND_"))
	fmt.Fprintf(b, "%s%s (%s)", indent, s.Name, kind)
	if s.Status.GetCode() == otlp.Status_STATUS_CODE_ERROR {
		fmt.Fprintf(b, " error %q", s.Status.Message)
	}
	b.WriteByte('\n')
	attributes := attributesOf(s.Attributes)
	for _, name := range volatile {
		if attributes[name] != "" {
			attributes[name] = "*"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		fmt.Fprintf(b, "%s  - %s: %s\n", indent, name, attributes[name])
	}
}

// oncePerServer leaves out discovery passes after the first of each server: how
// often a server is listed is a matter of time.
func oncePerServer(spans []*otlp.Span) []*otlp.Span {
	first := map[string]*otlp.Span{}
	for _, s := range spans {
		if was := first[s.Name]; strings.HasPrefix(s.Name, "discovery ") && (was == nil || s.StartTimeUnixNano < was.StartTimeUnixNano) {
			first[s.Name] = s
		}
	}
	later := map[string]bool{} // by trace
	for _, s := range spans {
		if was := first[s.Name]; was != nil && was != s {
			later[string(s.TraceId)] = true
		}
	}
	in := map[string]bool{} // traces that are whole
	for _, s := range spans {
		if len(s.ParentSpanId) == 0 {
			in[string(s.TraceId)] = true
		}
	}
	return slices.DeleteFunc(spans, func(s *otlp.Span) bool { return later[string(s.TraceId)] || !in[string(s.TraceId)] })
}
