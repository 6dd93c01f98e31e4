package guard

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"toolcrib/internal/catalog"
)

// Most listings are what they were the last time, and all of what they say is pinned.
// Of such a listing a digest is kept beside the pins: whoever finds it there need not
// read them, which with thousands of tools takes a while. Before pins change the digest
// goes; it is put back by whoever finds pins and listing to be the same.

// settledMark makes of a server's identity the one that its digest is kept under.
const settledMark = "\x00settled"

func digestOf(tools []catalog.Found) []byte {
	h := sha256.New()
	var size [8]byte
	for _, f := range tools {
		binary.BigEndian.PutUint64(size[:], uint64(len(f.Raw)))
		h.Write(size[:])
		h.Write([]byte(f.Provenance))
		h.Write(f.Raw)
	}
	return hex.AppendEncode(nil, h.Sum(nil))
}

func (k *Keeper) settled(l catalog.Listing, digest []byte) bool {
	kept, ok := k.store.Load(l.Server, l.Identity+settledMark)
	return ok && bytes.Equal(kept, digest)
}

func (k *Keeper) settle(l catalog.Listing, digest []byte) {
	k.store.Update(l.Server, l.Identity+settledMark, func([]byte, bool) []byte { return digest })
}

func (k *Keeper) unsettle(server, identity string) {
	k.store.Update(server, identity+settledMark, func(was []byte, is bool) []byte {
		if !is || string(was) == "none" {
			return nil
		}
		return []byte("none")
	})
}

// agrees tells whether every tool of a listing is pinned as it is, and there is nothing
// more to say of any.
func (p *pins) agrees(tools []catalog.Found) bool {
	listed := map[string]bool{}
	for _, f := range tools {
		name, ok := nameOf(f)
		if !ok {
			continue
		}
		pin := p.Tools[name]
		if listed[name] || pin.Pinned == nil || pin.waits() || pin.Accepted || !same(pin.Pinned, f.Raw) {
			return false
		}
		listed[name] = true
	}
	return len(listed) > 0
}
