package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"

	"toolcrib/internal/config"
)

// Listen opens addr, such as 127.0.0.1:7332, unless that would let strangers in.
func (a *App) Listen(ctx context.Context, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, fmt.Errorf("%q is no address: write host and port, such as 127.0.0.1:7332", addr)
	}
	// What was checked is what is opened: a name could be resolved differently
	// the second time.
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; write host and port, such as 127.0.0.1:7332", addr, err)
	}
	if err := a.mayListen(tcp); err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", tcp.String())
	switch {
	case inUse(err):
		return nil, fmt.Errorf("cannot listen on %s: another process does already; stop it or choose another port", addr)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("cannot listen on %s: this user may not; choose a port above 1023", addr)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("cannot listen on %s: this machine does not have that address; use one of its own, such as 127.0.0.1", addr)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
	}
	return l, nil
}

// mayListen refuses an address that others can reach while nobody has to prove
// who they are: whoever can call tools can do what the tools can.
func (a *App) mayListen(addr net.Addr) error {
	if a.http.Auth != config.AuthNone {
		return nil
	}
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		return nil
	}
	return fmt.Errorf("refusing to listen on %s with http.auth: none, because other machines could use every tool; "+
		"listen on 127.0.0.1, or set http.auth: token or oauth", addr)
}

// inUse tells whether somebody listens already; Windows has a number of its own for it.
func inUse(err error) bool {
	const windows = syscall.Errno(10048) // WSAEADDRINUSE
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windows)
}
