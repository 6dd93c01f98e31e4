package index

import (
	"slices"
	"testing"
)

func TestTable(t *testing.T) {
	table := defaultTable()
	for i := range len(table.queries) - 1 {
		if string(table.text(i)) >= string(table.text(i+1)) {
			t.Fatalf("%s is not before %s", table.text(i), table.text(i+1))
		}
	}
	if table.find("nosuchstem") >= 0 {
		t.Error("a stem that is not there is found")
	}
	near := func(a, b string) float32 {
		x, y := table.meaningOf(stem(a)), table.meaningOf(stem(b))
		if !x.known || !y.known {
			t.Fatalf("%s or %s is not in the table", a, b)
		}
		return x.cosine(&y)
	}
	for _, c := range [][3]string{{"picture", "image", "invoice"}, {"remove", "delete", "weather"}, {"email", "mail", "kernel"}, {"photo", "image", "lock"}} {
		if like, unlike := near(c[0], c[1]), near(c[0], c[2]); like <= unlike || like < table.threshold {
			t.Errorf("%s is like %s by %.2f, like %s by %.2f", c[0], c[1], like, c[2], unlike)
		}
	}
}

func TestWrongFiles(t *testing.T) {
	for _, data := range [][]byte{nil, []byte("x"), tableFile[:100], slices.Concat(tableFile, []byte{0}), slices.Concat([]byte("another"), tableFile[7:])} {
		if _, err := LoadTable(data); err == nil {
			t.Errorf("%d bytes pass for a table", len(data))
		}
	}
	if _, err := LoadWeights(rankFile[1:]); err == nil {
		t.Error("half a file passes for weights")
	}
}

// Words outside the table are near those that are spelled much the same.
func TestSpelling(t *testing.T) {
	table := defaultTable()
	a, b, c := table.meaningOf("zylcomtrax"), table.meaningOf("zylcomtraxs"), table.meaningOf("qwopfuldin")
	if a.known || b.known || c.known {
		t.Fatal("these were to be unknown")
	}
	if like, unlike := a.cosine(&b), a.cosine(&c); like < .7 || unlike > .3 {
		t.Errorf("alike %.2f, unlike %.2f", like, unlike)
	}
}

// The signs of two vectors find the neighbours that comparing all would find.
func TestNeighbours(t *testing.T) {
	x := New(nil, realTools(t, 2000), nil)
	found, all := 0, 0
	for stem := 0; stem < len(x.words.forms); stem += 37 {
		m := &x.words.meanings[stem]
		near := x.near(m)
		for other := range x.words.meanings {
			like := m.cosine(&x.words.meanings[other])
			if x.tools[other] == 0 || like < .5 {
				continue
			}
			all++
			if slices.ContainsFunc(near, func(n neighbour) bool { return n.stem == uint32(other) }) {
				found++
			}
		}
	}
	if all == 0 || float64(found)/float64(all) < .95 {
		t.Errorf("%d of %d neighbours are found", found, all)
	}
}
