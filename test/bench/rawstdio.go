package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"sync"
	"sync/atomic"
)

// rawStdio is the raw gateway's side toward a child process. The load client
// uses it too, to measure a stdio server directly.
type rawStdio struct {
	in  io.WriteCloser
	cmd *exec.Cmd
	ids atomic.Int64

	writing sync.Mutex
	mu      sync.Mutex
	waiting map[int64]chan []byte
	closed  bool
}

var errChildGone = errors.New("the stdio server has ended")

func startRawStdio(ctx context.Context, command []string, e era) (*rawStdio, error) {
	if len(command) == 0 {
		return nil, errors.New("a stdio upstream needs a command")
	}
	cmd := exec.Command(command[0], command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	u := &rawStdio{in: in, cmd: cmd, waiting: map[int64]chan []byte{}}
	go u.read(out)
	if e == modern {
		return u, nil
	}
	if _, err := u.request(ctx, "initialize", []byte(initializeParams), nil); err != nil {
		return nil, err
	}
	return u, u.write([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
}

func (u *rawStdio) read(out io.Reader) {
	r := bufio.NewReaderSize(out, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			break
		}
		var m struct {
			ID     int64           `json:"id"`
			Result json.RawMessage `json:"result"`
		}
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		u.mu.Lock()
		ch := u.waiting[m.ID]
		delete(u.waiting, m.ID)
		u.mu.Unlock()
		if ch != nil {
			ch <- m.Result
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.closed = true
	for _, ch := range u.waiting {
		close(ch)
	}
}

func (u *rawStdio) write(message []byte) error {
	message = append(message, '\n')
	u.writing.Lock()
	defer u.writing.Unlock()
	_, err := u.in.Write(message)
	return err
}

func (u *rawStdio) request(ctx context.Context, method string, params []byte, _ http.Header) ([]byte, error) {
	id := u.ids.Add(1)
	ch := make(chan []byte, 1)
	u.mu.Lock()
	if u.closed {
		u.mu.Unlock()
		return nil, errChildGone
	}
	u.waiting[id] = ch
	u.mu.Unlock()
	if err := u.write(rawRequest(id, method, params)); err != nil {
		return nil, err
	}
	select {
	case result, ok := <-ch:
		if !ok {
			return nil, errChildGone
		}
		return result, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// close ends the child and waits for it.
func (u *rawStdio) close() {
	_ = u.in.Close()
	_ = u.cmd.Wait()
}
