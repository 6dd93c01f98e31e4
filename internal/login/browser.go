package login

import (
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
)

// OpenBrowser has the system's browser show an address of the web. The address comes
// from a server: no shell sees it, and it is nothing but an address.
func OpenBrowser(address string, getenv func(string) string) error {
	command, err := browserCommand(runtime.GOOS, address, getenv)
	if err != nil {
		return err
	}
	cmd := exec.Command(command[0], command[1:]...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	go func() { _ = cmd.Wait() }() // it ends when it likes
	return nil
}

var errNoBrowser = errors.New("there is no screen to show a browser on")

// browserCommand is the program of a system that opens an address, and its arguments.
func browserCommand(system, address string, getenv func(string) string) ([]string, error) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.Opaque != "" || u.String() != address {
		return nil, fmt.Errorf("%q is no address of the web", clip(address))
	}
	switch system {
	case "darwin":
		return []string{"/usr/bin/open", address}, nil
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", address}, nil
	}
	if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" && getenv("WSL_DISTRO_NAME") == "" {
		return nil, errNoBrowser
	}
	program, err := exec.LookPath("xdg-open")
	if err != nil {
		return nil, errNoBrowser
	}
	return []string{program, address}, nil
}
