package store

import (
	"bytes"
	"encoding/json"

	"toolcrib/internal/catalog"
)

// decodeListing reads a whole file. The listing holds on to b: definitions are
// cut out of it, not copied and not looked at.
func decodeListing(b []byte) (catalog.Listing, header, error) {
	h, rest, err := readChecked(b, listingKind)
	if err != nil {
		return catalog.Listing{}, h, err
	}
	line, rest, _ := bytes.Cut(rest, newline)
	if len(line) > maxOutline {
		return catalog.Listing{}, h, damaged("the outline is too long")
	}
	var o outline
	if err := json.Unmarshal(line, &o); err != nil {
		return catalog.Listing{}, h, damaged("the outline cannot be read: " + err.Error())
	}
	c := cutter{rest: rest}
	l := o.Listing
	l.Taken = h.Taken
	l.ServerInfo, l.Capabilities = nil, nil
	if o.ServerInfo != 0 {
		l.ServerInfo = c.next(o.ServerInfo)
	}
	if o.Capabilities != 0 {
		l.Capabilities = c.next(o.Capabilities)
	}
	l.Tools = c.tools(o.Tools)
	l.Prompts = c.all(o.Prompts)
	l.Resources = c.all(o.Resources)
	l.Templates = c.all(o.Templates)
	if c.short || len(c.rest) > 0 {
		return catalog.Listing{}, h, damaged("the sizes in the outline are not those of the definitions")
	}
	return l, h, nil
}

// A cutter takes pieces off the front, and notices when they do not fit.
type cutter struct {
	rest  []byte
	short bool
}

func (c *cutter) next(size int) json.RawMessage {
	if c.short || size < 0 || size >= len(c.rest) || c.rest[size] != '\n' {
		c.short = true
		return nil
	}
	piece := c.rest[:size:size]
	c.rest = c.rest[size+1:]
	return piece
}

func (c *cutter) all(sizes []int) []json.RawMessage {
	if len(sizes) == 0 || !c.room(len(sizes)) {
		return nil
	}
	raws := make([]json.RawMessage, len(sizes))
	for i, size := range sizes {
		raws[i] = c.next(size)
	}
	return raws
}

func (c *cutter) tools(runs []run) []catalog.Found {
	count := 0
	for _, r := range runs {
		count += len(r.Sizes)
	}
	if count == 0 || !c.room(count) {
		return nil
	}
	tools := make([]catalog.Found, 0, count)
	for _, r := range runs {
		for _, size := range r.Sizes {
			found := r.Found
			found.Raw = c.next(size)
			tools = append(tools, found)
		}
	}
	return tools
}

// room says whether so many pieces can be there at all, before memory is taken
// for them.
func (c *cutter) room(count int) bool {
	c.short = c.short || count > min(len(c.rest), maxPieces)
	return !c.short
}
