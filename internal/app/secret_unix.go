//go:build unix

package app

import "io/fs"

func othersMayRead(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
