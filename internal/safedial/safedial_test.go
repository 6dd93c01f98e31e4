package safedial

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// dns is a resolver whose answers a test chooses.
type dns struct {
	mu     sync.Mutex
	answer func(name string, times int) netip.Addr
	asked  map[string]int
}

func (d *dns) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, StrictErrors: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go d.serve(theirs)
		return ours, nil
	}}
}

// serve answers the questions of one connection, in the framing of DNS over TCP.
func (d *dns) serve(c net.Conn) {
	defer c.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		q := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, q); err != nil {
			return
		}
		name, end := "", 12
		for q[end] != 0 {
			name += string(q[end+1:end+1+int(q[end])]) + "."
			end += 1 + int(q[end])
		}
		kind := binary.BigEndian.Uint16(q[end+1:])
		end += 5
		d.mu.Lock()
		key := strings.TrimSuffix(name, ".")
		if kind == 1 {
			d.asked[key]++
		}
		addr := d.answer(key, max(1, d.asked[key]))
		d.mu.Unlock()
		reply := append([]byte{q[0], q[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, q[12:end]...)
		if addr.Is4() && kind == 1 || addr.Is6() && kind == 28 {
			reply[7] = 1
			reply = append(reply, 0xc0, 0x0c, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(addr.BitLen()/8))
			reply = append(reply, addr.AsSlice()...)
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

func answering(answer func(name string, times int) netip.Addr) *net.Resolver {
	return (&dns{answer: answer, asked: map[string]int{}}).resolver()
}

// canary is a server inside, and how often it was reached.
func canary(t *testing.T) (port string, reached *atomic.Int32) {
	reached = new(atomic.Int32)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			reached.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return port, reached
}

// S14: none of these ways to write an address inside is dialled, though the resolver
// takes every word for one, as some systems' do.
func TestS14AddressEncodings(t *testing.T) {
	port, reached := canary(t)
	client := Client(Options{
		Server:   "https://mcp.example.com/mcp",
		resolver: answering(func(string, int) netip.Addr { return netip.MustParseAddr("127.0.0.1") }),
		dialled: func(at netip.AddrPort) error {
			t.Errorf("%s was dialled", at)
			return ErrForbidden
		},
	})
	hosts := []string{
		"127.0.0.1", "127.0.0.2", "127.255.255.254", "127.1", "127.0.1", "2130706433", "017700000001", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01", "0x7f.1",
		"127.0.0.1.", "localhost", "LOCALHOST", "localhost.", "localhost.localdomain", "localhost.evil.example", "127.0.0.1.nip.io", "0", "0.0.0.0", "0.0.0.0.", "0.1.2.3",
		"[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[::7f00:1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]",
		"[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2002:0a00:0001::1]", "[2001:0:7f00:1::]", "[fe80::1]", "[fe80::1%25lo]", "[fec0::1]", "[fc00::1]", "[fd12:3456:789a::1]", "[ff02::1]", "[100::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]",
		"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254", "192.168.0.1", "169.254.169.254", "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "100.64.0.1", "100.100.100.200", "192.0.0.192", "192.0.2.1", "198.18.0.1",
		"198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "metadata.google.internal", "①②⑦.⓪.⓪.①", "127。0。0。1", "ⓛocalhost", "evil.example", "0251.0376.0251.0376",
	}
	if len(hosts) < 60 {
		t.Fatalf("%d encodings", len(hosts))
	}
	for _, host := range hosts {
		for _, scheme := range []string{"http", "https"} {
			resp, err := client.Get(scheme + "://" + host + ":" + port + "/latest/meta-data")
			if err == nil {
				resp.Body.Close()
				t.Errorf("%s://%s was reached", scheme, host)
			}
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}

// S14: a name that is public when it is first asked for and inside the next time is
// not reached inside.
func TestS14Rebinding(t *testing.T) {
	port, reached := canary(t)
	public := netip.MustParseAddr("8.8.8.8")
	for name, c := range map[string]struct {
		inside string
		when   func(times int) bool
	}{
		"at once":           {"127.0.0.1", func(int) bool { return true }},
		"over IPv6":         {"::1", func(int) bool { return true }},
		"from the second":   {"127.0.0.1", func(times int) bool { return times > 1 }},
		"every second time": {"10.0.0.1", func(times int) bool { return times%2 == 0 }},
		"metadata":          {"169.254.169.254", func(times int) bool { return times > 1 }},
	} {
		stopped := errors.New("a public address would have been dialled")
		outside := 0
		client := Client(Options{
			Server: "https://mcp.example.com",
			resolver: answering(func(_ string, times int) netip.Addr {
				if c.when(times) {
					return netip.MustParseAddr(c.inside)
				}
				return public
			}),
			dialled: func(at netip.AddrPort) error {
				if at.Addr() != public {
					t.Errorf("%s: %s was dialled", name, at)
				}
				outside++
				return stopped
			},
		})
		for time := 1; time <= 4; time++ {
			want := stopped
			if c.when(time) {
				want = ErrForbidden
			}
			resp, err := client.Get("https://rebind.example:" + port)
			if err == nil {
				resp.Body.Close()
			}
			if !errors.Is(err, want) {
				t.Errorf("%s, time %d: %v", name, time, err)
			}
		}
		if !c.when(1) && outside == 0 {
			t.Errorf("%s: not even the public address was tried", name)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}

// S14: a redirect is a dial like any other, and what is posted is not sent on.
func TestS14Redirects(t *testing.T) {
	port, reached := canary(t)
	var to string
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
	}))
	defer outside.Close()
	// The server itself may be reached wherever it is; what it names may not.
	name := "https://mcp.example.com:" + outside.URL[strings.LastIndex(outside.URL, ":")+1:]
	plain := strings.Replace(name, "https:", "http:", 1)
	client := Client(Options{Server: plain, resolver: answering(func(string, int) netip.Addr { return netip.MustParseAddr("127.0.0.1") })})
	for _, to = range []string{
		"http://127.0.0.1:" + port, "http://localhost:" + port, "https://[::1]:" + port, "https://inside.example:" + port, "http://169.254.169.254/", "file:///etc/passwd", "gopher://127.0.0.1:" + port, plain,
	} {
		resp, err := client.Get(plain)
		if err == nil {
			resp.Body.Close()
			t.Errorf("a redirect to %s was followed", to)
		}
		resp, err = client.Post(plain, "text/plain", strings.NewReader("code=secret"))
		if err != nil || resp.StatusCode != http.StatusTemporaryRedirect {
			t.Errorf("a post was sent on to %s: %v %v", to, resp, err)
		}
		if err == nil {
			resp.Body.Close()
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}

func TestWhatMayBeReached(t *testing.T) {
	for _, c := range []struct {
		o    Options
		addr string
		ok   bool
	}{
		{Options{}, "8.8.8.8", true},
		{Options{}, "2606:4700::1111", true},
		{Options{}, "::ffff:8.8.8.8", true},
		{Options{}, "127.0.0.1", false},
		{Options{Server: "http://127.0.0.1:8080/mcp"}, "127.0.0.1", true},
		{Options{Server: "http://localhost:8080/mcp"}, "::1", true},
		{Options{Server: "http://localhost:8080/mcp"}, "10.0.0.1", false},
		{Options{Server: "http://localhost:8080/mcp"}, "169.254.169.254", false},
		{Options{Server: "https://10.1.2.3/mcp"}, "10.0.0.1", true},
		{Options{Server: "https://10.1.2.3/mcp"}, "192.168.0.1", true},
		{Options{Server: "https://10.1.2.3/mcp"}, "127.0.0.1", false},
		{Options{Server: "https://10.1.2.3/mcp"}, "169.254.169.254", false},
		{Options{Server: "https://mcp.corp.example/mcp"}, "10.0.0.1", false},
		{Options{Server: "https://mcp.corp.example/mcp", Private: true}, "10.0.0.1", true},
		{Options{Server: "https://mcp.corp.example/mcp", Private: true}, "100.64.0.1", true},
		{Options{Server: "https://mcp.corp.example/mcp", Private: true}, "fd00::1", true},
		{Options{Server: "https://mcp.corp.example/mcp", Private: true}, "127.0.0.1", false},
		{Options{Server: "https://mcp.corp.example/mcp", Private: true}, "169.254.169.254", false},
	} {
		if err := c.o.allowed().check(netip.MustParseAddr(c.addr)); (err == nil) != c.ok {
			t.Errorf("%+v %s: %v", c.o, c.addr, err)
		}
	}
}
