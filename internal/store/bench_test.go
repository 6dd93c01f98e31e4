package store

import (
	"fmt"
	"testing"
	"time"
)

var sizes = []struct {
	name string
	size int
}{{"20KB", 20_000}, {"2MB", 2_000_000}}

func BenchmarkSave(b *testing.B) {
	for _, c := range sizes {
		s := opened(b, b.TempDir())
		n := 0
		b.Run(c.name+"/changed", func(b *testing.B) {
			b.SetBytes(int64(c.size))
			for b.Loop() {
				n++
				save(b, s, sample("git", fmt.Sprint(n), epoch.Add(time.Duration(n)), c.size))
			}
		})
		l := sample("git", "same", epoch.Add(time.Hour), c.size)
		b.Run(c.name+"/unchanged", func(b *testing.B) {
			b.SetBytes(int64(c.size))
			for b.Loop() {
				l.Taken = l.Taken.Add(time.Microsecond)
				save(b, s, l)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, c := range sizes {
		b.Run(c.name, func(b *testing.B) {
			s := opened(b, b.TempDir())
			save(b, s, sample("git", "x", epoch, c.size))
			b.SetBytes(int64(c.size))
			for b.Loop() {
				if _, ok := s.Load("git", "npx git"); !ok {
					b.Fatal("not there")
				}
			}
		})
	}
}

func BenchmarkLoadAll(b *testing.B) {
	for _, c := range []struct {
		name       string
		small, big int
	}{{"200 of 20KB", 200, 0}, {"45 of 20KB and 5 of 2MB", 45, 5}} {
		b.Run(c.name, func(b *testing.B) {
			s := opened(b, b.TempDir())
			for i := range c.small + c.big {
				size := 20_000
				if i >= c.small {
					size = 2_000_000
				}
				save(b, s, sample(fmt.Sprintf("server%d", i), "x", epoch, size))
			}
			for b.Loop() {
				if n := len(s.LoadAll()); n != c.small+c.big {
					b.Fatal(n)
				}
			}
		})
	}
}

func BenchmarkRecall(b *testing.B) {
	s := opened(b, b.TempDir())
	s.Remember("git", "npx", Facts{Era: "modern"})
	for b.Loop() {
		s.Recall("git", "npx")
	}
}
