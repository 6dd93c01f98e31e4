package login

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A Store keeps grants, a file for each server's address, readable for its owner
// alone. Their secrets are in a keyring, where there is one: the file says so then, and
// has the rest. Several processes may use it at once.
type Store struct {
	dir     string
	keyring Keyring // nil: there is none
	must    bool    // secrets go into the keyring, or nothing is kept
	files   bool    // secrets go into the file

	mu    sync.Mutex
	marks map[string]marked // by server
}

type marked struct {
	at stamp
	id string
}

// Mark tells the login for a server from others: it stays when the login is renewed, and
// is "" where there is none. It costs a look at the file.
func (s *Store) Mark(server string) string {
	if s.dir == "" {
		return ""
	}
	at := stampOf(s.path(server))
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, ok := s.marks[server]; ok && m.at == at {
		return m.id
	}
	m := marked{at: at}
	if at != (stamp{}) {
		m.id = "unreadable"
		if g, err := s.read(server); err == nil && g != nil {
			m.id = cmp.Or(g.ID, g.Issuer+" "+g.ClientID) // those of before had none
		}
	}
	if s.marks == nil {
		s.marks = map[string]marked{}
	}
	s.marks[server] = m
	return m.id
}

// A Place is where secrets of logins are kept. Those that are kept elsewhere already are
// found there, and go to their place when they are renewed.
type Place string

// The places. The zero value is InFile.
const (
	InFile    Place = "file"
	InKeyring Place = "keyring" // nowhere else, unless it cannot hold as much
	Auto      Place = "auto"    // in the keyring if that takes them, else in the file
)

// NewStore keeps grants below a state directory, with secrets in files; with none it
// keeps nothing.
func NewStore(stateDir string) *Store { return NewStoreIn(stateDir, InFile, nil) }

// NewStoreIn is NewStore with secrets in a place. keys may be nil.
func NewStoreIn(stateDir string, place Place, keys Keyring) *Store {
	s := &Store{keyring: keys, must: place == InKeyring, files: place != InKeyring && place != Auto}
	if stateDir != "" {
		s.dir = filepath.Join(stateDir, "logins")
	}
	return s
}

var errNoDirectory = errors.New("no directory to keep logins in: set XDG_STATE_HOME or HOME")

const maxGrant = 256 << 10

func (s *Store) path(server string) string { return filepath.Join(s.dir, s.name(server)+".json") }

// name is what a server's grant is kept under.
func (s *Store) name(server string) string {
	sum := sha256.Sum256([]byte(server))
	return hex.EncodeToString(sum[:16])
}

// A stamp changes when a file does.
type stamp struct {
	changed time.Time
	size    int64
}

// stampOf a file, zero if there is none.
func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

// Load is the grant for a server, nil if there is none.
func (s *Store) Load(server string) (*Grant, error) {
	g, err := s.read(server)
	if err != nil || g == nil || g.In == "" {
		return g, err
	}
	if err := s.fetch(g); err != nil {
		return nil, fmt.Errorf("the login for %s is in a keyring that cannot be read: %w; unlock it, or log in again", server, err)
	}
	return g, nil
}

// read reads the file.
func (s *Store) read(server string) (*Grant, error) {
	if s.dir == "" {
		return nil, nil
	}
	path := s.path(server)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a login: %w", err)
	}
	if othersMayRead(info) {
		return nil, fmt.Errorf("the login in %s can be read by other users: run chmod 600 on it, or log in again after deleting it", path)
	}
	if info.Size() > maxGrant {
		return nil, fmt.Errorf("%s holds no login: delete it and log in again", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read a login: %w", err)
	}
	g := new(Grant)
	if err := json.Unmarshal(b, g); err != nil || g.Version != grantVersion || g.Server != server || g.In == "" && !sayable(g.Access) {
		return nil, fmt.Errorf("%s holds no login of this version: delete it and log in again", path)
	}
	return g, nil
}

// Save keeps a grant: whole, or the old one stays.
func (s *Store) Save(g *Grant) error {
	if s.dir == "" {
		return errNoDirectory
	}
	g.Version = grantVersion
	before, _ := s.read(g.Server) // one that cannot be read is replaced
	kept, err := s.put(g)
	if err != nil {
		return err
	}
	b, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return fmt.Errorf("write a login: %w", err)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("make a directory for logins: %w", err)
	}
	f, err := os.CreateTemp(s.dir, "new-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("write a login: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), s.path(g.Server))
	}
	if err != nil {
		return fmt.Errorf("write a login: %w", err)
	}
	if kept.In == "" && before != nil && before.In != "" && s.keyring != nil {
		_ = s.keyring.Delete(s.name(g.Server)) // what stays there is of no use any more
	}
	return nil
}

// Delete forgets the grant for a server.
func (s *Store) Delete(server string) error {
	if s.dir == "" {
		return errNoDirectory
	}
	if g, err := s.read(server); err == nil && g != nil && g.In != "" && s.keyring != nil {
		if err := s.keyring.Delete(s.name(server)); err != nil {
			return fmt.Errorf("delete a login from the keyring: %w", err)
		}
	}
	if err := os.Remove(s.path(server)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete a login: %w", err)
	}
	return nil
}

// lock keeps other processes from renewing a grant at the same time: what renews one
// is often good for one time only.
func (s *Store) lock(ctx context.Context, server string) (release func(), err error) {
	if s.dir == "" {
		return func() {}, nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, fmt.Errorf("make a directory for logins: %w", err)
	}
	l := flock.New(s.path(server)+".lock", flock.SetPermissions(0o600))
	if ok, err := l.TryLockContext(ctx, 20*time.Millisecond); err != nil || !ok {
		return nil, errors.Join(errors.New("another process renews the login and does not finish"), err)
	}
	return func() { _ = l.Close() }, nil
}
