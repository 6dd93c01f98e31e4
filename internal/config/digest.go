package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
)

// A digest is equal for files that hold the same.
type digest [sha256.Size]byte

// maxForeign is how large a file of another client may be. Some keep much besides
// servers in it.
const maxForeign = 64 << 20

func digestOf(files []string, read func(string) ([]byte, error)) digest {
	all := sha256.New()
	for _, file := range files {
		text, err := read(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			fmt.Fprintf(all, "%q none\n", file)
		case err != nil:
			fmt.Fprintf(all, "%q %q\n", file, err.Error())
		default:
			fmt.Fprintf(all, "%q %x\n", file, sha256.Sum256(text))
		}
	}
	return digest(all.Sum(nil))
}
