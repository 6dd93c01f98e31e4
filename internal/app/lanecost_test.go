package app

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"toolcrib/internal/config"
)

// mostOfListener is how many objects a call may make, from one byte on the socket to the
// other. By net/http alone they were some 60.
const mostOfListener = 42

// The listener answers agents without what net/http makes for every request.
func TestListenerAllocations(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, config.Config{HTTP: openHTTP, Disclosure: asIs, Servers: []config.Server{server(t, "one", "good")}}, watched(t))
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- a.ServeHTTP(ctx, l) }()
	defer func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	request := []byte("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n" +
		"Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)
	// The first answers tell how long the others are.
	in := bufio.NewReader(conn)
	var answer []byte
	for range 20 {
		if _, err := conn.Write(request); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(resp.Body)
		if err != nil || !strings.Contains(string(said), "hello") {
			t.Fatalf("%s %v", said, err)
		}
		answer = said
	}
	said := make([]byte, 64<<10)
	do := func() {
		if _, err := conn.Write(request); err != nil {
			t.Fatal(err)
		}
		n := 0
		for n < len(answer) || string(said[n-len(answer):n]) != string(answer) {
			more, err := conn.Read(said[n:])
			if err != nil {
				t.Fatal(err)
			}
			n += more
		}
	}
	if n := testing.AllocsPerRun(300, do); n > mostOfListener {
		t.Errorf("%v objects for a call, at most %v", n, mostOfListener)
	} else {
		t.Logf("%v objects for a call, at most %v", n, mostOfListener)
	}
}
