package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"toolcrib/internal/catalog"
)

// An outline is the second line of a listing's file: all of the listing that is
// not kept as bytes, and the sizes of what is. The bytes follow in the order of
// the fields, each with a newline behind it.
type outline struct {
	Listing      catalog.Listing `json:"listing"` // without what follows; when it was taken is in the header
	ServerInfo   int             `json:"serverInfo,omitempty"`
	Capabilities int             `json:"capabilities,omitempty"`
	Tools        []run           `json:"tools,omitempty"`
	Prompts      []int           `json:"prompts,omitempty"`
	Resources    []int           `json:"resources,omitempty"`
	Templates    []int           `json:"templates,omitempty"`
}

// A run is tools one after another that were found in the same way, as mostly
// all of a server's are.
type run struct {
	Found catalog.Found `json:"found"` // without its definition
	Sizes []int         `json:"sizes"`
}

// An encoded is what follows the header of a file, in the pieces it is written
// in: a listing that did not change is summed up and never copied together.
type encoded struct {
	header header
	line   []byte   // the header as it is written
	pieces [][]byte // each with a newline behind it
}

func encodeListing(l catalog.Listing) (*encoded, error) {
	o := outline{Listing: l, ServerInfo: len(l.ServerInfo), Capabilities: len(l.Capabilities)}
	e := &encoded{header: header{Toolcrib: listingKind, Taken: l.Taken.UTC().Round(0)}}
	e.pieces = make([][]byte, 1, 3+len(l.Tools)+len(l.Prompts)+len(l.Resources)+len(l.Templates))
	for _, raw := range []json.RawMessage{l.ServerInfo, l.Capabilities} {
		if len(raw) > 0 {
			e.pieces = append(e.pieces, raw)
		}
	}
	for _, found := range l.Tools {
		raw := found.Raw
		found.Raw = nil
		if last := len(o.Tools) - 1; last < 0 || !sameWay(o.Tools[last].Found, found) {
			o.Tools = append(o.Tools, run{Found: found})
		}
		last := &o.Tools[len(o.Tools)-1]
		last.Sizes = append(last.Sizes, len(raw))
		e.pieces = append(e.pieces, raw)
	}
	o.Prompts = e.add(l.Prompts)
	o.Resources = e.add(l.Resources)
	o.Templates = e.add(l.Templates)

	o.Listing.Taken = time.Time{}
	o.Listing.ServerInfo, o.Listing.Capabilities = nil, nil
	o.Listing.Tools, o.Listing.Prompts, o.Listing.Resources, o.Listing.Templates = nil, nil, nil, nil
	var err error
	if e.pieces[0], err = json.Marshal(o); err != nil {
		return nil, err
	}
	return e, e.seal()
}

// sameWay says whether two tools differ in nothing but their definitions.
func sameWay(a, b catalog.Found) bool {
	return a.Provenance == b.Provenance && a.Confidence == b.Confidence
}

func (e *encoded) add(raws []json.RawMessage) (sizes []int) {
	for _, raw := range raws {
		sizes = append(sizes, len(raw))
		e.pieces = append(e.pieces, raw)
	}
	return sizes
}

// seal fills in the header.
func (e *encoded) seal() error {
	e.header.Format = format
	for _, piece := range e.pieces {
		if len(piece) == 0 {
			return errors.New("it has an empty definition: give it at least a name")
		}
		e.header.Size += len(piece) + 1
	}
	if e.header.Size > maxFile-maxHeader || len(e.pieces[0]) > maxOutline || len(e.pieces) > maxPieces {
		return fmt.Errorf("it has %d bytes and %d parts, at most %d and %d are saved: let the server offer less, else it is asked anew at each start",
			e.header.Size, len(e.pieces), maxFile-maxHeader, maxPieces)
	}
	sum := sha256.New()
	_ = e.writeBody(sum) // a hash takes everything
	e.header.SHA256 = hex.EncodeToString(sum.Sum(nil))
	var err error
	e.line, err = e.header.line()
	return err
}

var newline = []byte{'\n'}

func (e *encoded) writeBody(w io.Writer) error {
	for _, piece := range e.pieces {
		if _, err := w.Write(piece); err != nil {
			return err
		}
		if _, err := w.Write(newline); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoded) write(w io.Writer) error {
	if _, err := w.Write(e.line); err != nil {
		return err
	}
	return e.writeBody(w)
}
