package config

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Claim is what stands in a project's own file and counts only once its user has
// approved it: an entry, or all settings of a toolcrib.yaml. Whoever wrote the
// project wrote it. Until then it is known as it is written: no variable is
// replaced, and no file that it names is read.
type Claim struct {
	File  string    // where it stands; "" for what needs no approval
	Name  string    // of the entry; "" for settings
	Root  string    // the project's directory
	Sum   string    // of the file's path, the name and all that is written, so that any change is another claim
	Reads []string  // files of the project that it takes text from
	Since time.Time // when something else under this name was approved last; zero if nothing was
}

// An Approval is a Claim that somebody has seen and agreed to.
type Approval struct {
	Sum   string    `json:"sum"`
	Files string    `json:"files,omitempty"` // sum of what Claim.Reads held
	At    time.Time `json:"at"`

	// What it is of, for people who ask what they agreed to, and to tell when it is of no
	// use any more. Whether it counts hangs on the sums alone.
	Name    string `json:"name,omitempty"`
	File    string `json:"file,omitempty"`
	Project string `json:"project,omitempty"`
}

// Approval is what is to be kept of c once somebody has agreed to it.
func (c Claim) Approval(now time.Time) Approval {
	return Approval{Sum: c.Sum, Files: c.files(), At: now.UTC().Truncate(time.Second), Name: c.Name, File: c.File, Project: c.Root}
}

// files sums up what the files of the project hold that c takes text from.
func (c Claim) files() string {
	if len(c.Reads) == 0 {
		return ""
	}
	sum := digestOf(c.Reads, func(path string) ([]byte, error) { return readSmall(path, mostDotenv) })
	return hex.EncodeToString(sum[:])
}

// A claiming is what a Claim is made of.
type claiming struct {
	root, name string // of the project, and of what is claimed
	entries    []entry
	files      []string // that text is taken from, besides those that texts name
	dotenv     string   // another such file, if there are variables
}

// claim is what stands under a name in a project's file. It has no Sum if there is
// more than can be summed up.
func (d *decoder) claim(of claiming) Claim {
	c := Claim{File: realPath(d.file), Name: of.name, Root: filepath.Dir(realPath(filepath.Join(of.root, "x")))}
	sum := sha256.New()
	for _, part := range []string{"toolcrib claim 1", c.File, c.Name} {
		io.WriteString(sum, quote(part)+"\n") // a hash takes everything
	}
	files := slices.Clone(of.files)
	d.sum(sum, &node{kind: mapNode, entries: of.entries}, func(text string) {
		if of.dotenv != "" && strings.Contains(text, "${") {
			files = append(files, of.dotenv)
		}
		for _, m := range inText.FindAllStringSubmatch(text, -1) {
			files = append(files, d.path(m[1], d.variables.dir))
		}
	})
	if d.spent < mostValues {
		c.Sum = hex.EncodeToString(sum.Sum(nil))
	}
	for _, path := range files {
		if !slices.Contains(c.Reads, path) && within(of.root, path) {
			c.Reads = append(c.Reads, path)
		}
	}
	slices.Sort(c.Reads)
	return c
}

// inText is a file whose text is put in, in the words of any client.
var inText = regexp.MustCompile(`\{file:([^}]*)\}`)

// sum writes a value so that no two have the same text, and the order of keys does
// not count. seen is told of every text in it.
func (d *decoder) sum(to hash.Hash, n *node, seen func(string)) {
	if !d.spend(n.at) {
		return // which is a problem, so that nothing comes of it
	}
	switch n.kind {
	case mapNode:
		io.WriteString(to, "{")
		for _, e := range slices.SortedFunc(slices.Values(n.entries), func(a, b entry) int { return strings.Compare(a.key, b.key) }) {
			io.WriteString(to, quote(e.key)+":")
			d.sum(to, e.value, seen)
		}
		io.WriteString(to, "}")
	case listNode:
		io.WriteString(to, "[")
		for _, item := range n.items {
			d.sum(to, item, seen)
		}
		io.WriteString(to, "]")
	default:
		seen(n.text)
		io.WriteString(to, n.kind.String()+quote(n.text)+",")
	}
}

// within tells whether a path leads into a directory, by whatever name.
func within(root, path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if dir == root || sameFile(dir, root) {
			return true
		}
		if filepath.Dir(dir) == dir {
			return false
		}
	}
}

// realPath is a file's path without links on the way to its directory, so that it
// is the same from wherever one comes.
func realPath(file string) string {
	path, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// approved tells whether somebody agreed to c as it is, and notes the files that
// this hangs on.
func (d *decoder) approved(c *Claim, at Position) bool {
	if d.Approved == nil {
		return false
	}
	a, file, err := d.Approved(c.File, c.Name)
	if file != "" {
		d.use(file)
	}
	if err != nil {
		d.warn(at, "%v: it counts as not given, run toolcrib trust again", err)
		return false
	}
	c.Since = a.At
	if a.Sum == "" || a.Sum != c.Sum {
		return false
	}
	for _, path := range c.Reads {
		d.use(path)
	}
	return a.Files == c.files()
}
