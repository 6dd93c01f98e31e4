package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// What the names of files end in. A change of a format that its readers cannot
// make sense of needs the next version here.
const (
	listingSuffix = ".v1.json"
	memoSuffix    = ".v1.memo"
	lockSuffix    = ".lock"
	corruptSuffix = ".corrupt"

	temporaryPrefix = ".toolcrib-"
	temporarySuffix = ".tmp"
)

const (
	hashLength     = 10 // hex digits
	readableLength = 40
)

// serverStem begins the names of all files of a server.
func serverStem(server string) string { return readable(server) + "-" + shortHash(server) }

// stemOf begins the names of the files of one server as it is configured.
func stemOf(server, identity string) string {
	return serverStem(server) + "-" + shortHash(identity)
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:hashLength]
}

// readable makes of a server's name what any file system takes.
func readable(server string) string {
	var b strings.Builder
	for _, c := range server {
		if b.Len() == readableLength {
			break
		}
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
			b.WriteRune(c)
		case b.Len() > 0:
			b.WriteByte('-')
		}
	}
	if b.Len() == 0 {
		return "server"
	}
	return b.String()
}

// A kind is what a file in the directory is.
type kind int

const (
	foreign kind = iota
	listingFile
	memoFile
	lockFile
	corruptFile
	temporaryFile
)

// kindOf tells a file by its name, and gives the stem of a listing or memo. What
// does not look exactly like a name of ours is foreign and never touched.
func kindOf(name string) (k kind, stem string) {
	if strings.HasPrefix(name, temporaryPrefix) && strings.HasSuffix(name, temporarySuffix) {
		return temporaryFile, ""
	}
	if stem, ok := strings.CutSuffix(name, lockSuffix); ok && endsInHash(stem) {
		return lockFile, ""
	}
	name, corrupt := strings.CutSuffix(name, corruptSuffix)
	stem, ok := strings.CutSuffix(name, listingSuffix)
	k = listingFile
	if !ok {
		stem, ok = strings.CutSuffix(name, memoSuffix)
		k = memoFile
	}
	if !ok || !endsInHash(stem) || !endsInHash(stem[:len(stem)-hashLength-1]) {
		return foreign, ""
	}
	if corrupt {
		return corruptFile, ""
	}
	return k, stem
}

func endsInHash(stem string) bool {
	start := len(stem) - hashLength
	if start < 2 || stem[start-1] != '-' {
		return false
	}
	return strings.Trim(stem[start:], "0123456789abcdef") == ""
}
