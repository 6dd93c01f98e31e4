package config

import (
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// A fileNotifier listens to the directories of files: a file that is replaced or
// made again is another one, and its directory is not.
type fileNotifier struct {
	log      *slog.Logger
	watcher  *fsnotify.Watcher // nil if the system has none to give
	happened chan struct{}     // holds one at most
	done     sync.WaitGroup
	perFile  bool // the system opens every file of a directory that is watched

	mu    sync.Mutex
	dirs  []string
	paths map[string]bool // files, links on the way to them, and directories that may come
}

func newNotifier(log *slog.Logger) *fileNotifier {
	n := &fileNotifier{log: log, happened: make(chan struct{}, 1)}
	switch runtime.GOOS {
	case "darwin", "freebsd", "netbsd", "openbsd", "dragonfly":
		n.perFile = true
	}
	var err error
	if n.watcher, err = fsnotify.NewWatcher(); err != nil {
		log.Warn("the system does not tell of changed files; they are looked at now and then", "every", pollTime, "error", err)
		return n
	}
	n.done.Go(n.listen)
	return n
}

func (n *fileNotifier) events() <-chan struct{} { return n.happened }

func (n *fileNotifier) close() {
	if n.watcher != nil {
		_ = n.watcher.Close() // nothing is left to be told
	}
	n.done.Wait()
}

func (n *fileNotifier) listen() {
	for {
		select {
		case e, ok := <-n.watcher.Events:
			if !ok {
				return
			}
			if e.Op != fsnotify.Chmod && n.concerns(e.Name) {
				n.wake()
			}
		case err, ok := <-n.watcher.Errors:
			if !ok {
				return
			}
			n.log.Debug("watching files", "error", err)
			n.wake() // something may have been lost
		}
	}
}

func (n *fileNotifier) wake() {
	select {
	case n.happened <- struct{}{}:
	default:
	}
}

// concerns tells whether an event is about a file of ours, or about a directory or
// link on the way to one. Others happen in the same directories all day.
func (n *fileNotifier) concerns(path string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.paths[path] || strings.HasPrefix(filepath.Base(path), "..") // as volumes of containers swap theirs
}

func (n *fileNotifier) watch(files []string) {
	dirs, paths := map[string]bool{}, map[string]bool{}
	for _, f := range files {
		trace(f, dirs, paths)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paths = paths
	if n.watcher == nil {
		return
	}
	for dir := range dirs {
		if slices.Contains(n.dirs, dir) || n.perFile && crowded(dir) {
			continue
		}
		if err := n.watcher.Add(dir); err != nil {
			n.log.Warn("a directory is not watched; its files are looked at now and then", "directory", dir, "every", pollTime, "error", err)
			continue
		}
		n.dirs = append(n.dirs, dir)
	}
	n.dirs = slices.DeleteFunc(n.dirs, func(dir string) bool {
		if dirs[dir] {
			return false
		}
		_ = n.watcher.Remove(dir) // it may be gone
		return true
	})
}

// mostOpened is how many files are opened to watch a directory. In one with more,
// such as a home directory, files are only looked at now and then.
const mostOpened = 200

func crowded(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(mostOpened + 1) // what cannot be read cannot be opened either
	return len(names) > mostOpened
}

// mostLinks is how many links lead to a file at most.
const mostLinks = 32

// trace notes the directories and paths that decide what a file is: its own, those
// that links lead to, and of a directory that there is not the nearest above.
func trace(file string, dirs, paths map[string]bool) {
	path, err := filepath.Abs(file)
	if err != nil {
		path = file
	}
	for range mostLinks {
		paths[path] = true
		dir := filepath.Dir(path)
		for {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				break
			}
			paths[dir] = true
			above := filepath.Dir(dir)
			if above == dir {
				return
			}
			dir = above
		}
		dirs[dir] = true
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
			paths[dir] = true
			dirs[filepath.Dir(dir)] = true // the link to the directory may be swapped
			path = filepath.Join(real, filepath.Base(path))
			paths[path] = true
			dirs[real] = true
		}
		next, err := os.Readlink(path)
		if err != nil {
			return
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(path), next)
		}
		path = next
	}
}
