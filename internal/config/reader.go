package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// A Reader reads files, and knows what else their meaning hangs on. The zero
// value is about this computer and its user.
type Reader struct {
	Getenv  func(string) string               // nil: os.Getenv
	Keyring func(name string) (string, error) // nil: by the system's own program
	System  string                            // whose paths clients have; "": runtime.GOOS
	Home    string                            // "": the user's
	Project string                            // where clients look for a project's files; "": the working directory
	Self    string                            // this program, to know entries that point back at it; "": os.Executable

	// Approved is what somebody agreed to of a project's file: the entry of that name,
	// or its settings if that is empty. It comes with the file that tells, which is
	// watched. An error counts as no approval. nil: nothing was approved.
	Approved func(file, name string) (a Approval, kept string, err error)

	mu   sync.Mutex
	kept map[string]string // secrets of the keyring: its owner is not asked at every change of a file
}

// Load reads a file with a zero Reader. Its error is an *Error.
func Load(path string) (Config, error) { return new(Reader).Load(path) }

// Parse reads the text of a file with a zero Reader. Its error is an *Error.
func Parse(file string, src []byte) (Config, error) { return new(Reader).Parse(file, src) }

func (r *Reader) getenv(name string) string {
	if r.Getenv == nil {
		return os.Getenv(name)
	}
	return r.Getenv(name)
}

func (r *Reader) system() string {
	if r.System == "" {
		return runtime.GOOS
	}
	return r.System
}

func (r *Reader) home() string {
	if r.Home != "" {
		return r.Home
	}
	name := "HOME"
	if r.system() == "windows" {
		name = "USERPROFILE"
	}
	return r.getenv(name)
}

func (r *Reader) project() string {
	if r.Project != "" {
		return r.Project
	}
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}

// path is where a path of a file leads: ~ is the home directory, and a relative
// one starts at dir.
func (r *Reader) path(path, dir string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return filepath.Join(r.home(), rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
