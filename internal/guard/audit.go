package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// Defaults of an Audit.
const (
	DefaultAuditSize = 10 << 20 // bytes
	DefaultAuditKeep = 5
)

// AuditOptions of an Audit.
type AuditOptions struct {
	File   string
	Size   int64               // in bytes, at which another file is begun; 0 is DefaultAuditSize
	Keep   int                 // older files, as FILE.1 (the latest), FILE.2, ...; 0 is DefaultAuditKeep
	Log    *slog.Logger        // told once if it cannot be written
	Redact func(string) string // may be nil
}

// An Audit writes a line of JSON for each decision about a call. A nil one writes
// nothing.
type Audit struct {
	o    AuditOptions
	mu   sync.Mutex
	f    *os.File
	size int64
	bad  bool // it was told
	over bool // closed
}

// OpenAudit opens the file, for its owner alone.
func OpenAudit(o AuditOptions) (*Audit, error) {
	if o.Size <= 0 {
		o.Size = DefaultAuditSize
	}
	if o.Keep <= 0 {
		o.Keep = DefaultAuditKeep
	}
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	a := &Audit{o: o}
	if err := os.MkdirAll(filepath.Dir(o.File), 0o700); err != nil {
		return nil, fmt.Errorf("open the audit file: %w; correct audit.file, or leave it out", err)
	}
	if err := a.open(); err != nil {
		return nil, fmt.Errorf("open the audit file: %w; correct audit.file, or leave it out", err)
	}
	return a, nil
}

func (a *Audit) open() error {
	f, err := os.OpenFile(a.o.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = f.Chmod(0o600)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	a.f, a.size = f, info.Size()
	return nil
}

// Close ends it.
func (a *Audit) Close() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	if a.f == nil {
		return nil
	}
	err := a.f.Close()
	a.f = nil
	return err
}

// How a call ended.
const (
	refusedCall   = "refused"
	refusedByUser = "not_approved"
	doneCall      = "done"
	failedCall    = "failed"     // the tool says so
	errorCall     = "error"      // there is no result
	askedBack     = "asks_input" // the server wants to know something; the agent calls again
	cancelledCall = "cancelled"
)

// An auditLine is what is written of one call.
type auditLine struct {
	a     *Audit
	began time.Time

	Time      time.Time `json:"time"`
	Who       string    `json:"who"`
	Client    string    `json:"client,omitempty"`
	Method    string    `json:"method"`
	Server    string    `json:"server"`
	Name      string    `json:"name,omitempty"`
	Verdict   Verdict   `json:"verdict"`
	By        string    `json:"by,omitempty"`
	Approved  bool      `json:"approved,omitempty"` // by the user, who was asked
	Arguments string    `json:"arguments_sha256,omitempty"`
	Outcome   string    `json:"outcome"`
	Error     string    `json:"error,omitempty"`
	MS        int64     `json:"ms"`
}

func (a *Audit) begin(r *call.Request, d Decision) *auditLine {
	if a == nil {
		return nil
	}
	client, _ := wire.Text(wire.Find(r.Caller.ClientInfo, "name"))
	now := time.Now()
	l := &auditLine{
		a: a, began: now, Time: now.UTC(), Who: Subject(r.Caller.Subject), Client: Visible(client, 80),
		Method: r.Method, Server: r.Server, Name: Visible(r.Name, 400), Verdict: d.Verdict, By: d.By,
	}
	if arguments := wire.Find(r.Params, "arguments"); arguments != nil {
		sum := sha256.Sum256(arguments)
		l.Arguments = hex.EncodeToString(sum[:])
	}
	return l
}

func (l *auditLine) approved() {
	if l != nil {
		l.Approved = true
	}
}

// ended writes the line of a call that was made.
func (l *auditLine) ended(result []byte, err error) {
	switch {
	case l == nil:
	case isCancelled(err):
		l.end(cancelledCall, err)
	case err != nil:
		l.end(errorCall, err)
	case string(wire.Find(result, "isError")) == "true":
		l.end(failedCall, nil)
	default:
		outcome := doneCall
		if kind, _ := wire.Text(wire.Find(result, "resultType")); kind == "input_required" {
			outcome = askedBack
		}
		l.end(outcome, nil)
	}
}

func (l *auditLine) end(outcome string, err error) {
	if l == nil {
		return
	}
	l.Outcome, l.MS = outcome, time.Since(l.began).Milliseconds()
	if err != nil {
		l.Error = Visible(l.a.o.Redact(err.Error()), 300)
	}
	l.Name = l.a.o.Redact(l.Name)
	b, jsonErr := json.Marshal(l)
	if jsonErr != nil { // texts, numbers and times always marshal
		return
	}
	l.a.write(append(b, '\n'))
}

// write appends a line in one piece, so that several gateways can share a file.
func (a *Audit) write(line []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return
	}
	var err error
	if a.f == nil {
		err = a.open() // it could not be opened the last time
	}
	if err == nil && a.size > 0 && a.size+int64(len(line)) > a.o.Size {
		err = a.rotate()
	}
	if err == nil {
		var n int
		n, err = a.f.Write(line)
		a.size += int64(n)
	}
	if err != nil && !a.bad && a.o.Log != nil {
		a.bad = true
		a.o.Log.Error("the audit file cannot be written", "file", a.o.File, "error", err, "next_step", "see that there is room and that it may be written")
	}
}

// rotate begins another file. If another process did so already its file is used, and
// where a file that is in use cannot be renamed, it grows on: no line is lost for it.
func (a *Audit) rotate() error {
	mine, err := a.f.Stat()
	if err != nil {
		return err
	}
	if err := a.f.Close(); err != nil { // else some systems do not let it be renamed
		return err
	}
	renamed := true
	if now, err := os.Stat(a.o.File); err == nil && os.SameFile(mine, now) {
		for i := a.o.Keep - 1; i >= 1; i-- {
			_ = os.Rename(a.o.File+"."+strconv.Itoa(i), a.o.File+"."+strconv.Itoa(i+1)) // where there is one
		}
		renamed = os.Rename(a.o.File, a.o.File+".1") == nil
	}
	if err := a.open(); err != nil {
		a.f = nil
		return err
	}
	if !renamed {
		a.size = 0 // it is tried again after as much
	}
	return nil
}
