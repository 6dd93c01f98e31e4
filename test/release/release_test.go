//go:build unix

package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Whoever has the public key finds out that a file is another one, or that somebody
// else signed it, by the commands of SECURITY.md.
func TestS22Signatures(t *testing.T) {
	for _, program := range []string{"bash", "sha256sum", "ssh-keygen"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	keys := t.TempDir()
	key := func(name string) string {
		file := filepath.Join(keys, name)
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return file
	}
	ours, others := key("ours"), key("others")
	public := string(read(t, ours+".pub"))
	for name, c := range map[string]struct {
		key   string
		after func(dir string) error
		good  bool
	}{
		"as it was made": {key: ours, good: true},
		"another binary": {key: ours, after: func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "toolcrib-linux-amd64"), []byte("worse"), 0o700)
		}},
		"other sums": {key: ours, after: func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), read(t, filepath.Join(dir, "toolcrib-linux-amd64")), 0o600)
		}},
		"not signed":    {key: ""},
		"another's key": {key: others},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, file := range []string{"toolcrib-linux-amd64", "toolcrib-linux-amd64.cdx.json"} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte("what is in "+file+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if out, err := exec.Command("bash", "sign.sh", dir, c.key).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if c.after != nil {
				if err := c.after(dir); err != nil {
					t.Fatal(err)
				}
			}
			check := exec.Command("bash", "-euc", documented(t))
			check.Dir, check.Env = dir, append(os.Environ(), "KEY="+strings.TrimSpace(public))
			if out, err := check.CombinedOutput(); (err == nil) != c.good {
				t.Errorf("%v:\n%s", err, out)
			}
		})
	}
}

// documented are the commands of SECURITY.md, with the key of the test.
func documented(t *testing.T) string {
	t.Helper()
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindSubmatch(read(t, filepath.Join("..", "..", "SECURITY.md")))
	if block == nil {
		t.Fatal("SECURITY.md does not say how a release is checked")
	}
	return string(block[1])
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
