package app

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"toolcrib/internal/config"
)

// A certificate is that of the listener, read again when its files change: they are
// renewed every few weeks, while the gateway runs on.
type certificate struct {
	files config.TLS
	log   *slog.Logger

	mu     sync.Mutex
	now    *tls.Certificate
	stamps [2]stamp  // of the files, as they were last read
	looked time.Time // at the files
}

// A stamp changes when a file does.
type stamp struct {
	changed time.Time
	size    int64
}

// lookEvery is how often the files are looked at, at most.
const lookEvery = time.Second

func openCertificate(files config.TLS, log *slog.Logger) (*certificate, error) {
	c := &certificate{files: files, log: log}
	if err := c.look(time.Now()); err != nil {
		return nil, fmt.Errorf("read the certificate of http.tls: %w", err)
	}
	return c, nil
}

// get is the GetCertificate of the listener.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.looked) >= lookEvery {
		if err := c.look(now); err != nil {
			c.log.Warn("the new certificate cannot be used; the old one is kept", "error", err)
		}
	}
	return c.now, nil
}

// look reads the files if they have changed since they were last read. One of them
// may have been renewed before the other: a pair that does not fit is read again
// when either changes.
func (c *certificate) look(now time.Time) error {
	c.looked = now
	var stamps [2]stamp
	for i, file := range []string{c.files.Cert, c.files.Key} {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		stamps[i] = stamp{info.ModTime(), info.Size()}
	}
	if stamps == c.stamps {
		return nil
	}
	c.stamps = stamps
	pair, err := tls.LoadX509KeyPair(c.files.Cert, c.files.Key)
	if err != nil {
		return err
	}
	c.now = &pair
	return nil
}
