package cli

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"runtime/debug"
	"time"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// stopTime is how long it may take from a signal to the end of the last server.
// Whoever runs us may not wait longer than 10 s before it kills.
const stopTime = 9500 * time.Millisecond

// A gateway holds little and throws much away: collecting less often costs a few
// megabytes and saves a good part of the work. GOGC says otherwise.
const collectAt = 300

// serveGateway serves agents with what c says, on addr or, where it is empty, on
// standard input and output, until the agent goes or a signal comes. Where load is
// not nil it reads c anew, and the files of c are watched. listening is called when
// agents can connect over HTTP; it may be nil.
func (s *streams) serveGateway(ctx context.Context, c config.Config, load func() (config.Config, error), addr string, listening func(net.Addr)) error {
	log, err := s.logger()
	if err != nil {
		return err
	}
	if s.getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	soft, hard, release := signals(ctx)
	defer release()
	a, err := app.Open(hard, c, app.Options{Log: log, Version: version(), StateDir: stateDir(s.getenv), Guard: guardCommand(), Logins: config.StoreAuto, Telemetry: true, Metrics: addr != ""})
	if err != nil {
		return err
	}
	closing, cancel := context.WithCancel(hard)
	defer cancel()
	defer context.AfterFunc(soft, func() { time.AfterFunc(stopTime, cancel) })()
	stopFollowing := func() {}
	if load != nil {
		following, end := context.WithCancel(soft)
		wait := a.Follow(following, c, load)
		stopFollowing = func() { end(); wait() }
	}
	err = s.serve(soft, a, addr, listening)
	stopFollowing()
	defer time.AfterFunc(stopTime, cancel).Stop() // for an end without a signal
	if closeErr := a.Close(closing); closeErr != nil && hard.Err() == nil {
		log.Warn("servers did not end in order", "error", closeErr)
	}
	return ending(soft, hard, log, err)
}

func (s *streams) serve(ctx context.Context, a *app.App, addr string, listening func(net.Addr)) error {
	if addr == "" {
		return a.ServeStdio(ctx, s.in, s.out)
	}
	l, err := a.Listen(ctx, addr)
	if err != nil {
		return err
	}
	if listening != nil {
		listening(l.Addr())
	}
	return a.ServeHTTP(ctx, l)
}

// ending is the error of a gateway that has stopped: none if it was told to and
// had the time to finish.
func ending(soft, hard context.Context, log *slog.Logger, err error) error {
	switch {
	case errors.Is(context.Cause(soft), errInterrupted), errors.Is(context.Cause(hard), errInterrupted):
		return exitError{exitInterrupt}
	case errors.Is(context.Cause(hard), errTerminated):
		log.Warn("stopped at once by a second signal")
		return exitError{exitFailure}
	case soft.Err() != nil:
		if err != nil {
			log.Warn("stopped", "error", err)
		}
		return nil
	}
	return err
}
