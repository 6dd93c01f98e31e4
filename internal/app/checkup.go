package app

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"toolcrib/internal/config"
)

// CheckStart says why a server's command cannot be started, with the next step
// apart, without starting it. It is nil for servers that are only reached.
func CheckStart(s config.Server) *Failure {
	for _, spec := range specs(config.Config{Servers: []config.Server{s}}) {
		if err := spec.CheckStart(); err != nil {
			f := &Failure{Kind: "unknown", Reason: err.Error()}
			f.advise()
			return f
		}
	}
	return nil
}

// CheckToken says where the listener's token is, and what is wrong with it. There
// being none is no error: it is made at the first start.
func CheckToken(stateDir string) (path string, made bool, err error) {
	return checkSecret(stateDir, tokenFile)
}

// CheckPageKey is CheckToken for the key of the page.
func CheckPageKey(stateDir string) (path string, made bool, err error) {
	return checkSecret(stateDir, pageKeyFile)
}

func checkSecret(stateDir, file string) (path string, made bool, err error) {
	if stateDir == "" {
		return "", false, errors.New("there is no directory to keep it in")
	}
	path = filepath.Join(stateDir, file)
	_, err = readSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, false, nil
	}
	return path, true, err
}

// A Port is who has an address.
type Port struct {
	Free    bool
	Gateway bool  // one of ours
	Servers int   // behind it
	Down    int   // of those
	Open    bool  // it answers pages of strangers, who might have a browser here call it
	Err     error // why the address cannot be used at all
}

// portTime is how long whoever listens may take to say who it is.
const portTime = 3 * time.Second

// LookAtPort finds out who listens on a loopback address, if anybody does. Nothing
// secret is sent there: it may be anybody.
func LookAtPort(ctx context.Context, addr string, https bool) Port {
	ctx, cancel := context.WithTimeout(ctx, portTime)
	defer cancel()
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return Port{Err: fmt.Errorf("%q is no address: write host and port, such as 127.0.0.1:7332", addr)}
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", tcp.String())
	if err == nil {
		return Port{Free: true, Err: l.Close()}
	}
	if !inUse(err) {
		return Port{Err: err}
	}
	return askPort(ctx, tcp.String(), https)
}

// askPort asks whoever listens what only a gateway answers.
func askPort(ctx context.Context, addr string, https bool) Port {
	scheme := "http"
	if https {
		scheme = "https"
	}
	transport := &http.Transport{
		DisableKeepAlives: true, Proxy: nil,
		// Who it is, is all we want to know, and nothing is told to it.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+addr+"/readyz", nil)
	if err != nil {
		return Port{}
	}
	answer, err := client.Do(r)
	if err != nil {
		return Port{}
	}
	defer answer.Body.Close()
	var h struct {
		Status  string `json:"status"`
		Servers *int   `json:"servers"`
		Down    *int   `json:"down"`
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	if err != nil || json.Unmarshal(body, &h) != nil || h.Status == "" || h.Servers == nil || h.Down == nil {
		return Port{}
	}
	return Port{Gateway: true, Servers: *h.Servers, Down: *h.Down, Open: answersStrangers(ctx, client, scheme+"://"+addr+Endpoint)}
}

// answersStrangers tells whether a gateway answers a request that a stranger's page could send: by
// a name that leads here, or from an origin of its own. Both have to be refused before
// anything else is looked at.
func answersStrangers(ctx context.Context, client *http.Client, endpoint string) bool {
	for _, strange := range []func(*http.Request){
		func(r *http.Request) { r.Host = "stranger.invalid" },
		func(r *http.Request) { r.Header.Set("Origin", "https://stranger.invalid") },
	} {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader("{}"))
		if err != nil {
			return false
		}
		r.Header.Set("Content-Type", "application/json")
		strange(r)
		answer, err := client.Do(r)
		if err != nil {
			return false
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden {
			return true
		}
	}
	return false
}

// IsLoopback tells whether an address is one of this machine alone.
func IsLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
