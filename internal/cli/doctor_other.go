//go:build !unix

package cli

import "os"

// othersRead cannot tell from the mode: access is in the directory's rules, and a
// profile's directory is its owner's.
func othersRead(path string) (bool, error) {
	_, err := os.Stat(path)
	return false, err
}
