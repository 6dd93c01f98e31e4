//go:build !unix

package app

import "io/fs"

// othersMayRead cannot tell from the mode: access is in the directory's rules,
// and a profile's directory is its owner's.
func othersMayRead(fs.FileInfo) bool { return false }
