package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
)

// An echoServer is the least an MCP server can be: one tool that repeats what
// it is told and one that returns as many bytes as it is asked for.
type echoServer struct {
	era   era
	tools string // member of the list; empty for its own two

	mu    sync.Mutex
	blobs map[int][]byte // results of the blob tool by size, built once
}

// A call that the server or the raw gateway got.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

const (
	echoTools = `"tools":[` +
		`{"name":"echo","description":"Repeats a message.","inputSchema":{"type":"object","properties":{"message":{"type":"string"}}}},` +
		`{"name":"blob","description":"Returns text of a size.","inputSchema":{"type":"object","properties":{"size":{"type":"integer"}}}}]`
	serverInfo     = `{"name":"bench-echo","version":"1"}`
	modernResult   = `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":` + serverInfo + `}`
	modernCaching  = `"ttlMs":3600000,"cacheScope":"public",` + modernResult
	methodNotFound = `{"code":-32601,"message":"method not found"}`
)

// answer returns the answer to one message, nil for a notification.
func (s *echoServer) answer(message []byte) []byte {
	var m envelope
	if err := json.Unmarshal(message, &m); err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`)
	}
	if m.ID == nil {
		return nil
	}
	result := s.result(&m)
	out := make([]byte, 0, len(result)+len(m.ID)+64)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, m.ID...)
	if result == nil {
		out = append(out, `,"error":`+methodNotFound...)
	} else {
		out = append(out, `,"result":`...)
		out = append(out, result...)
	}
	return append(out, '}')
}

// result is nil for a method that this era does not have.
func (s *echoServer) result(m *envelope) []byte {
	switch {
	case m.Method == "tools/call":
		return s.call(m.Params)
	case m.Method == "tools/list" && s.era == modern:
		return []byte(`{` + s.list() + `,` + modernCaching + `}`)
	case m.Method == "tools/list":
		return []byte(`{` + s.list() + `}`)
	case m.Method == "server/discover" && s.era == modern:
		return []byte(`{"supportedVersions":["` + modernVersion + `"],"capabilities":{"tools":{}},` + modernCaching + `}`)
	case m.Method == "initialize" && s.era == legacy:
		return []byte(`{"protocolVersion":"` + legacyVersion + `","capabilities":{"tools":{}},"serverInfo":` + serverInfo + `}`)
	case m.Method == "ping" && s.era == legacy:
		return []byte(`{}`)
	}
	return nil
}

func (s *echoServer) list() string {
	if s.tools != "" {
		return s.tools
	}
	return echoTools
}

func (s *echoServer) call(params []byte) []byte {
	var p struct {
		Name      string `json:"name"`
		Arguments struct {
			Message json.RawMessage `json:"message"`
			Size    int             `json:"size"`
		} `json:"arguments"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return s.text([]byte(`"the arguments cannot be read"`))
	}
	if p.Name == "blob" {
		return s.blob(p.Arguments.Size)
	}
	return s.text(p.Arguments.Message)
}

// text makes a tool result of a JSON string.
func (s *echoServer) text(quoted []byte) []byte {
	out := make([]byte, 0, len(quoted)+160)
	out = append(out, `{"content":[{"type":"text","text":`...)
	out = append(out, quoted...)
	out = append(out, `}]`...)
	if s.era == modern {
		out = append(out, `,`+modernResult...)
	}
	return append(out, '}')
}

func (s *echoServer) blob(size int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.blobs[size]; ok {
		return b
	}
	const line = "The quick brown fox jumps over the lazy dog. "
	text := strings.Repeat(line, max(0, min(size, 64<<20))/len(line)+1)
	b := s.text([]byte(strconv.Quote(text)))
	if s.blobs == nil {
		s.blobs = map[int][]byte{}
	}
	s.blobs[size] = b
	return b
}
