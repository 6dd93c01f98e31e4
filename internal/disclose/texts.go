package disclose

import (
	"sync"

	"toolcrib/internal/catalog"
)

// texts are what is said of one snapshot as a whole. Each is made when it is
// first asked for, and not again.
type texts struct {
	of      *catalog.Snapshot
	summary func() string
	behind  func() string
	brief   func() string
	full    func() string
}

func (b *Browser) text() *texts {
	s := b.o.Snapshot()
	if t := b.texts.Load(); t != nil && t.of == s {
		return t
	}
	t := &texts{
		of:      s,
		summary: sync.OnceValue(func() string { return Summary(s, b.o.Essential) }),
		behind:  sync.OnceValue(func() string { return Behind(s) }),
		brief:   sync.OnceValue(func() string { return Reference(s, Brief, b.o.Essential) }),
		full:    sync.OnceValue(func() string { return Reference(s, Full, b.o.Essential) }),
	}
	b.texts.Store(t)
	return t
}

// Summary is what is behind the counter.
func (b *Browser) Summary() string { return b.text().summary() }

// Behind is one line of that.
func (b *Browser) Behind() string { return b.text().behind() }

// Reference is what comes with a caller's first call, at the level Brief or Full;
// "" while there are no tools.
func (b *Browser) Reference(level Level) string {
	t := b.text()
	switch {
	case t.of.Len() == 0:
		return ""
	case level == Full:
		return t.full()
	}
	return t.brief()
}
