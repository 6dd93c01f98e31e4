package wire

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Sealer turns state that an agent has to hand back into text that the agent
// can neither read nor change, so that the gateway need not remember it.
type Sealer struct{ aead cipher.AEAD }

const sealKey = 32

// sealText is strict, so that there is one text for each sealed state.
var sealText = base64.RawURLEncoding.Strict()

// NewSealer makes a sealer from a 32-byte key. Replicas that share the key open
// each other's seals; nil makes a random one.
func NewSealer(key []byte) (*Sealer, error) {
	if key == nil {
		key = make([]byte, sealKey)
		rand.Read(key) // never fails
	}
	if len(key) != sealKey {
		return nil, fmt.Errorf("a sealing key has %d bytes, not %d", sealKey, len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return &Sealer{aead}, nil
}

// ErrSeal is what every text gets that was not sealed here, for this purpose,
// or too long ago: which of the three is nobody's business.
var ErrSeal = errors.New("unknown or expired state")

// Seal encrypts plain. Only Open with the same purpose, before expiry, gives it back.
func (s *Sealer) Seal(plain []byte, purpose string, expiry time.Time) string {
	nonce := make([]byte, s.aead.NonceSize(), s.aead.NonceSize()+8+len(plain)+s.aead.Overhead())
	rand.Read(nonce) // never fails
	body := binary.BigEndian.AppendUint64(nil, uint64(expiry.Unix()))
	body = append(body, plain...)
	return sealText.EncodeToString(s.aead.Seal(nonce, nonce, body, []byte(purpose)))
}

// Open is the reverse of Seal.
func (s *Sealer) Open(text, purpose string, now time.Time) ([]byte, error) {
	b, err := sealText.DecodeString(text)
	if err != nil || len(b) < s.aead.NonceSize() || strings.ContainsAny(text, "\r\n") { // which the decoder passes over
		return nil, ErrSeal
	}
	body, err := s.aead.Open(nil, b[:s.aead.NonceSize()], b[s.aead.NonceSize():], []byte(purpose))
	if err != nil || len(body) < 8 || now.Unix() > int64(binary.BigEndian.Uint64(body)) {
		return nil, ErrSeal
	}
	return body[8:], nil
}
