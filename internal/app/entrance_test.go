package app

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
)

// S01: what is open to other machines asks who they are, whatever else is set.
func TestS01NoOpenDoor(t *testing.T) {
	oauth := config.OAuth{Issuer: "https://login.example.com", Resource: "https://tools.example.com/mcp"}
	for _, c := range []struct {
		addr string
		http config.HTTP
		ok   bool
	}{
		{"127.0.0.1:0", config.HTTP{}, true},
		{"127.0.0.1:0", config.HTTP{Auth: config.AuthNone}, true},
		{"0.0.0.0:0", config.HTTP{Auth: config.AuthNone}, false},
		{"[::]:0", config.HTTP{Auth: config.AuthNone, AllowedHosts: []string{"tools.example.com"}}, false},
		{"0.0.0.0:0", config.HTTP{}, true},
		{"0.0.0.0:0", config.HTTP{Auth: config.AuthOAuth, OAuth: oauth}, true},
	} {
		a := open(t, config.Config{HTTP: c.http}, Options{StateDir: t.TempDir()})
		l, err := a.Listen(t.Context(), c.addr)
		if (err == nil) != c.ok {
			t.Errorf("%s %+v: %v", c.addr, c.http, err)
		}
		if err != nil {
			continue
		}
		in, err := a.entrance(l.Addr())
		if err != nil || (in.check == nil) != (c.http.Auth == config.AuthNone) {
			t.Errorf("%s %+v: %+v %v", c.addr, c.http, in, err)
		}
		l.Close()
	}
}

// said collects what is logged.
type said struct {
	mu sync.Mutex
	bytes.Buffer
}

func (s *said) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Buffer.Write(b)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Buffer.String()
}

func (s *said) log() *slog.Logger { return slog.New(slog.NewTextHandler(s, nil)) }

func TestOpenDoorsAreSaidAloud(t *testing.T) {
	for _, c := range []struct {
		addr net.TCPAddr
		http config.HTTP
		want string
	}{
		{net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, config.HTTP{Auth: config.AuthNone}, "http.auth is none"},
		{net.TCPAddr{IP: net.IPv4(10, 0, 0, 7)}, config.HTTP{}, "unencrypted: set http.tls"},
		{net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, config.HTTP{}, ""},
	} {
		var out said
		a := open(t, config.Config{HTTP: c.http}, Options{StateDir: t.TempDir(), Log: out.log()})
		if _, err := a.entrance(&c.addr); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); !strings.Contains(text, c.want) || (c.want == "" && strings.Contains(text, "WARN")) {
			t.Errorf("%v %+v: %s", &c.addr, c.http, text)
		}
	}
}

// S11: an agent with nothing learns where tokens come from; with one it is known by
// its name and its scopes.
func TestS11ResourceServer(t *testing.T) {
	i := mcptest.NewIssuer(t)
	const resource = "https://tools.example.com/mcp"
	c := config.Config{HTTP: config.HTTP{Auth: config.AuthOAuth, OAuth: config.OAuth{Issuer: i.URL, Resource: resource, Scopes: []string{"tools"}}}}
	s := serveHTTP(t, c, Options{})
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	status, body, header := s.do("POST", Endpoint, ping)
	if want := `Bearer resource_metadata="https://tools.example.com/.well-known/oauth-protected-resource/mcp", scope="tools"`; status != 401 || header.Get("WWW-Authenticate") != want {
		t.Errorf("%d %q %s", status, header.Get("WWW-Authenticate"), body)
	}
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		var meta struct {
			Resource string   `json:"resource"`
			Servers  []string `json:"authorization_servers"`
			Scopes   []string `json:"scopes_supported"`
		}
		status, body, header := s.do("GET", path, "")
		if err := json.Unmarshal([]byte(body), &meta); err != nil || status != 200 || meta.Resource != resource || len(meta.Servers) != 1 || meta.Servers[0] != i.URL || len(meta.Scopes) != 1 {
			t.Errorf("%s: %d %s", path, status, body)
		}
		if header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: CORS was granted", path)
		}
		if status, _, _ := s.do("POST", path, "{}"); status != 405 {
			t.Errorf("POST %s: %d", path, status)
		}
	}
	token := func(scope string) string {
		return "Bearer " + i.JWT(map[string]any{"alg": "ES256", "kid": "one"}, map[string]any{
			"iss": i.URL, "aud": resource, "sub": "ann", "scope": scope, "exp": time.Now().Add(time.Minute).Unix(),
		})
	}
	if status, body, _ := s.do("POST", Endpoint, ping, "Authorization", token("tools")); status == 401 || status == 403 || status == 0 {
		t.Errorf("with a token: %d %s", status, body)
	}
	status, _, header = s.do("POST", Endpoint, ping, "Authorization", token("other"))
	if status != 403 || !strings.Contains(header.Get("WWW-Authenticate"), "insufficient_scope") {
		t.Errorf("with too little: %d %q", status, header.Get("WWW-Authenticate"))
	}
}

// writePair writes a certificate for a name, and its key.
func writePair(t *testing.T, files config.TLS, name string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	like := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	cert, err := x509.CreateCertificate(rand.Reader, like, like, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{files.Cert: {Type: "CERTIFICATE", Bytes: cert}, files.Key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	files := config.TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	writePair(t, files, "one.example.com")
	s := serveHTTP(t, config.Config{HTTP: config.HTTP{TLS: files}}, Options{StateDir: dir})
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	resp, err := client.Get("https://" + strings.TrimPrefix(s.url, "http://") + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 || resp.TLS.PeerCertificates[0].Subject.CommonName != "one.example.com" || resp.ProtoMajor != 2 {
		t.Errorf("%s %s", resp.Proto, resp.Status)
	}
	if status, _, _ := s.do("GET", "/healthz", ""); status == 200 {
		t.Error("plain HTTP was answered")
	}
}

// A certificate that is renewed while the gateway runs is used; one that is broken,
// or half renewed, is not.
func TestTLSCertificateIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	files := config.TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	age := 0
	renew := func(write func()) {
		write()
		age++ // two writes may be within the clock of a file system
		for _, file := range []string{files.Cert, files.Key} {
			if err := os.Chtimes(file, time.Time{}, time.Unix(int64(1_000_000+age), 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
	renew(func() { writePair(t, files, "one") })
	var out said
	synctest.Test(t, func(t *testing.T) {
		c, err := openCertificate(files, out.log())
		if err != nil {
			t.Fatal(err)
		}
		is := func(want string) {
			t.Helper()
			got, err := c.get(nil)
			if err != nil || got.Leaf.Subject.CommonName != want {
				t.Errorf("got %v %v, want %s", got.Leaf.Subject, err, want)
			}
		}
		is("one")
		renew(func() { writePair(t, files, "two") })
		is("one") // the files are not looked at for every connection
		time.Sleep(lookEvery)
		is("two")
		good, err := os.ReadFile(files.Key)
		if err != nil {
			t.Fatal(err)
		}
		for _, broken := range []string{"", "no key", strings.Replace(string(good), "MI", "XX", 1)} {
			renew(func() { _ = os.WriteFile(files.Key, []byte(broken), 0o600) })
			time.Sleep(lookEvery)
			is("two")
		}
		if err := os.Remove(files.Key); err != nil {
			t.Fatal(err)
		}
		time.Sleep(lookEvery)
		is("two")
		renew(func() { writePair(t, files, "three") })
		time.Sleep(lookEvery)
		is("three")
	})
	if !strings.Contains(out.String(), "the old one is kept") {
		t.Errorf("nothing was said: %s", out.String())
	}
	if _, err := openCertificate(config.TLS{Cert: files.Cert, Key: files.Cert}, out.log()); err == nil || !strings.Contains(err.Error(), "http.tls") {
		t.Errorf("got %v", err)
	}
}
