//go:build unix

package cli

import "os"

// othersRead tells whether other users can read a file.
func othersRead(path string) (bool, error) {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o077 != 0, err
}
