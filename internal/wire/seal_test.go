package wire

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func newSealer(t testing.TB, key []byte) *Sealer {
	t.Helper()
	s, err := NewSealer(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSealedStateComesBack(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	key := []byte(strings.Repeat("k", 32))
	s, replica := newSealer(t, key), newSealer(t, key)
	for _, plain := range []string{"", "a", strings.Repeat("state ", 10_000)} {
		text := s.Seal([]byte(plain), "purpose", now.Add(time.Minute))
		if text == s.Seal([]byte(plain), "purpose", now.Add(time.Minute)) {
			t.Error("the same state is sealed to the same text")
		}
		if len(plain) > 3 && strings.Contains(text, plain[:4]) {
			t.Error("the state can be read")
		}
		got, err := replica.Open(text, "purpose", now)
		if err != nil || string(got) != plain {
			t.Errorf("%.20q came back as %.20q: %v", plain, got, err)
		}
		if got, err = s.Open(text, "purpose", now.Add(time.Minute)); err != nil || string(got) != plain {
			t.Errorf("at its last second: %v", err)
		}
	}
}

func TestSealsAreNotOpened(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s := newSealer(t, nil)
	text := s.Seal([]byte("state"), "purpose", now.Add(time.Minute))
	for name, open := range map[string]func() ([]byte, error){
		"another purpose": func() ([]byte, error) { return s.Open(text, "purpos", now) },
		"expired":         func() ([]byte, error) { return s.Open(text, "purpose", now.Add(61*time.Second)) },
		"another key":     func() ([]byte, error) { return newSealer(t, nil).Open(text, "purpose", now) },
		"cut":             func() ([]byte, error) { return s.Open(text[:len(text)-1], "purpose", now) },
		"longer":          func() ([]byte, error) { return s.Open(text+"A", "purpose", now) },
		"empty":           func() ([]byte, error) { return s.Open("", "purpose", now) },
		"short":           func() ([]byte, error) { return s.Open("AAAA", "purpose", now) },
		"no base64":       func() ([]byte, error) { return s.Open("!"+text[1:], "purpose", now) },
		"line ends":       func() ([]byte, error) { return s.Open(text[:5]+"\r\n"+text[5:], "purpose", now) },
		"padded":          func() ([]byte, error) { return s.Open(text+"=", "purpose", now) },
	} {
		if got, err := open(); !errors.Is(err, ErrSeal) || got != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i := range text {
		for _, c := range alphabet {
			if changed := text[:i] + string(c) + text[i+1:]; changed != text {
				if _, err := s.Open(changed, "purpose", now); err == nil {
					t.Fatalf("character %d may be %c as well", i, c)
				}
			}
		}
	}
}

func TestSealingKeysAreLong(t *testing.T) {
	for _, n := range []int{0, 1, 16, 24, 31, 33} {
		if _, err := NewSealer(make([]byte, n)); err == nil {
			t.Errorf("a key of %d bytes is accepted", n)
		}
	}
}
