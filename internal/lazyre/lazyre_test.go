package lazyre

import (
	"sync"
	"testing"
)

// A mistake is found where the pattern is made, in every test.
func TestMistake(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	New("(")
}

// Elsewhere nothing is compiled before it is used.
func TestCompiledWhenUsed(t *testing.T) {
	inTest = false
	defer func() { inTest = true }()
	p := New("(")
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	p.MatchString("a")
}

func TestUsedByMany(t *testing.T) {
	inTest = false
	defer func() { inTest = true }()
	p := New(`b+`)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := p.ReplaceAllString("abbc", "-"); got != "a-c" {
				t.Error(got)
			}
		})
	}
	all.Wait()
}
