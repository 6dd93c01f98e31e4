package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

const (
	format      = 1
	listingKind = "listing"
	memoKind    = "memo"

	// Bounds of what one file may make us allocate.
	maxFile    = 64 << 20
	maxHeader  = 1 << 10
	maxOutline = 8 << 20
	maxPieces  = 1 << 20
)

// A header is the first line of a file.
type header struct {
	Toolcrib string    `json:"toolcrib"` // what the rest is
	Format   int       `json:"format"`
	Taken    time.Time `json:"taken,omitzero"`
	Size     int       `json:"size"` // of the rest
	SHA256   string    `json:"sha256"`
	Check    string    `json:"check,omitempty"` // of the header
}

// damaged is why a file cannot be what was written.
type damaged string

func (d damaged) Error() string { return string(d) }

// check sums up all of the header but the check.
func (h header) check() (string, error) {
	h.Check = ""
	b, err := json.Marshal(h)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), err
}

// line is the header as it is written.
func (h header) line() ([]byte, error) {
	var err error
	if h.Check, err = h.check(); err != nil {
		return nil, err
	}
	b, err := json.Marshal(h)
	return append(b, '\n'), err
}

// readHeader takes the header off the beginning of a file. It allocates no more
// than a header needs, whatever the bytes say.
func readHeader(b []byte, kind string) (h header, rest []byte, err error) {
	if len(b) == 0 {
		return h, nil, damaged("the file is empty")
	}
	end := bytes.IndexByte(b[:min(len(b), maxHeader)], '\n')
	if end < 0 {
		return h, nil, damaged("the file does not begin with a header")
	}
	if err := json.Unmarshal(b[:end], &h); err != nil {
		return h, nil, damaged(fmt.Sprintf("the header is not what was written: %v", err))
	}
	if check, err := h.check(); err != nil || check != h.Check {
		return h, nil, damaged("the header is not what was written")
	}
	if h.Toolcrib != kind || h.Format != format || h.Size < 0 {
		return h, nil, damaged(fmt.Sprintf("the file holds a %s of format %d, expected a %s of format %d", h.Toolcrib, h.Format, kind, format))
	}
	return h, b[end+1:], nil
}

// readChecked takes the header off a whole file and checks the rest by it.
func readChecked(b []byte, kind string) (h header, rest []byte, err error) {
	if h, rest, err = readHeader(b, kind); err != nil {
		return h, nil, err
	}
	if len(rest) != h.Size {
		return h, nil, damaged(fmt.Sprintf("%d bytes follow the header, expected %d", len(rest), h.Size))
	}
	if sum := sha256.Sum256(rest); hex.EncodeToString(sum[:]) != h.SHA256 {
		return h, nil, damaged("the content is not what was written")
	}
	return h, rest, nil
}

// when is the time that counts: the header's, or the file's if the content was
// found true after it was written. A time still to come was written when the
// clock was wrong: it is not believed, and of two such none is left.
func (h header) when(modified, now time.Time) (taken time.Time, believed bool) {
	if h.Taken.IsZero() {
		return time.Time{}, true
	}
	if !h.Taken.After(now) {
		taken, believed = h.Taken, true
	}
	if modified.After(taken) && !modified.After(now) {
		taken, believed = modified.UTC(), true
	}
	return taken, believed
}
