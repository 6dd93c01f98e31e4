package mcptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// conn is a server's side of one stdio connection.
type conn struct {
	streams *streams
	rules   rules
	service service
	hooks   hooks
	session *session

	mu        sync.Mutex
	running   map[string]context.CancelFunc // requests that are being answered
	listening map[string]context.CancelFunc // those of them that never end on their own
	waiting   map[string]chan message       // requests that we sent
	sent      int
	handled   sync.WaitGroup
	stop      context.CancelCauseFunc
}

// graceAtEnd is how long a server works on after its input ended.
const graceAtEnd = time.Second

// hooks are where unruly servers differ from the good one.
type hooks struct {
	// received sees each message first; true means that it is dealt with.
	received func(ctx context.Context, c *conn, m message) bool
	// write replaces writing a line.
	write func(c *conn, line []byte) error
}

// converse reads messages and answers them until the input ends.
func (s *streams) converse(ctx context.Context, sv service, u rules, h hooks) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c := &conn{
		streams: s, rules: u, service: sv, hooks: h, stop: stop,
		running:   map[string]context.CancelFunc{},
		listening: map[string]context.CancelFunc{},
		waiting:   map[string]chan message{},
	}
	c.session = newSession(c.write)
	defer sv.closed(c.session)

	lines := make(chan []byte)
	go s.readLines(ctx, lines)
	for {
		select {
		case <-ctx.Done():
			s.closeIn()
			var exit *ExitError
			if errors.As(context.Cause(ctx), &exit) {
				return exit
			}
			return nil
		case line, ok := <-lines:
			if !ok {
				c.finish(ctx)
				return nil
			}
			c.take(ctx, line)
		}
	}
}

// finish lets requests that are nearly done be answered after the input ended,
// and gives up the others.
func (c *conn) finish(ctx context.Context) {
	c.mu.Lock()
	for _, cancel := range c.listening {
		cancel()
	}
	c.mu.Unlock()
	done := make(chan struct{})
	go func() {
		c.handled.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	case <-time.After(graceAtEnd):
	}
	c.stop(nil)
	<-done
}

// readLines has no limit: the double takes whatever a client dares to send.
func (s *streams) readLines(ctx context.Context, lines chan<- []byte) {
	defer close(lines)
	for {
		line, err := s.in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// exit ends the server as if its process ended.
func (c *conn) exit(code int) { c.stop(&ExitError{Code: code}) }

func (c *conn) write(line []byte) error {
	if c.hooks.write != nil {
		return c.hooks.write(c, line)
	}
	return c.streams.out.line(line)
}

func (c *conn) take(ctx context.Context, line []byte) {
	m, err := parseMessage(line)
	if err != nil {
		c.service.fault("%v in %.200s", err, line)
		c.write(responseLine(json.RawMessage("null"), nil, rpcErrorf(-32700, "parse error: %v", err)))
		return
	}
	if c.hooks.received != nil && c.hooks.received(ctx, c, m) {
		return
	}
	switch {
	case m.isRequest():
		c.takeRequest(ctx, m)
	case m.isNotification():
		c.takeNotification(m)
	default:
		c.mu.Lock()
		reply := c.waiting[string(m.id)]
		delete(c.waiting, string(m.id))
		c.mu.Unlock()
		if reply == nil {
			c.service.fault("response to %s, which was not asked", m.id)
			return
		}
		reply <- m
	}
}

func (c *conn) takeRequest(ctx context.Context, m message) {
	if m.method != "initialize" && !c.session.initialized() {
		switch c.rules.early {
		case earlySilent:
			return
		case earlyExit:
			c.exit(1)
			return
		}
	}
	r, fault := c.rules.admit(c.session, m)
	if fault != nil {
		c.write(responseLine(m.id, nil, fault))
		return
	}
	r.back = c
	if m.method == "initialize" {
		// Answered in order: what follows on the wire belongs to the new session.
		result, fault := c.service.serve(ctx, r)
		c.write(responseLine(m.id, result, fault))
		if fault == nil {
			c.service.opened(c.session)
		}
		return
	}
	c.service.prepare(r)
	ctx, cancel := context.WithCancel(ctx)
	key := string(m.id)
	c.mu.Lock()
	if c.running[key] != nil {
		c.service.fault("id %s is used twice at the same time", m.id)
	}
	c.running[key] = cancel
	if m.method == "subscriptions/listen" {
		c.listening[key] = cancel
	}
	c.mu.Unlock()
	c.handled.Go(func() {
		result, fault := c.service.serve(ctx, r)
		c.mu.Lock()
		delete(c.running, key)
		delete(c.listening, key)
		c.mu.Unlock()
		stopped := ctx.Err() != nil
		cancel()
		if (stopped && m.method != "subscriptions/listen") || (result == nil && fault == nil) {
			return // a cancelled request gets no answer
		}
		c.write(responseLine(m.id, result, fault))
	})
}

func (c *conn) takeNotification(m message) {
	if m.method != "notifications/cancelled" {
		return
	}
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if err := json.Unmarshal(m.params, &p); err != nil {
		c.service.fault("cancelled: %v", err)
		return
	}
	c.mu.Lock()
	cancel := c.running[string(p.RequestID)]
	c.mu.Unlock()
	if cancel != nil {
		c.service.cancelled()
		cancel()
	}
}

func (c *conn) notify(method string, params any) { c.write(notificationLine(method, params)) }

// ask sends a request to the client.
func (c *conn) ask(ctx context.Context, method string, params any) (json.RawMessage, error) {
	reply := make(chan message, 1)
	c.mu.Lock()
	c.sent++
	id := fmt.Sprintf("server-%d", c.sent)
	key := string(encode(id))
	c.waiting[key] = reply
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, key)
		c.mu.Unlock()
	}()
	if err := c.write(requestLine(id, method, params)); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case m := <-reply:
		if m.err != nil {
			return nil, fmt.Errorf("the client answered %s", m.err)
		}
		return m.result, nil
	}
}
