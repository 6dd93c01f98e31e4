package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const profileSeconds = 5

// profile writes CPU and allocation profiles of the gateways under echo calls,
// for go tool pprof.
func (b *bench) profile(ctx context.Context, targets []*target) error {
	if err := os.MkdirAll(b.options.profiles, 0o755); err != nil {
		return err
	}
	for _, t := range targets {
		if t.twin == nil || !strings.Contains(t.group()+"/profile", b.options.only) {
			continue
		}
		name := filepath.Join(b.options.profiles, strings.ReplaceAll(t.group(), "/", "-")+"-"+t.kind)
		fmt.Fprintf(b.log, "profile %s %s\n", t.group(), t.kind)
		busy, stop := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for busy.Err() == nil {
				drive(busy, t.twin.connect, load{callers: 8, calls: 800, tool: "echo", arguments: echoArguments})
			}
		}()
		err := download(ctx, fmt.Sprintf("http://%s/profile?seconds=%d", t.twin.stats, profileSeconds), name+".cpu.pprof")
		if err == nil {
			err = download(ctx, "http://"+t.twin.stats+"/allocs", name+".allocs.pprof")
		}
		stop()
		<-done
		if err != nil {
			return err
		}
	}
	return nil
}

func download(ctx context.Context, url, path string) error {
	ctx, cancel := context.WithTimeout(ctx, (profileSeconds+20)*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}
