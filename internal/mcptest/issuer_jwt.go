package mcptest

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
)

// JWK is the public key, under an id.
func (i *Issuer) JWK(id string) map[string]any {
	point, err := i.key.PublicKey.Bytes()
	if err != nil {
		panic(err) // a key of our own making
	}
	return map[string]any{
		"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": id,
		"x": base64.RawURLEncoding.EncodeToString(point[1:33]), "y": base64.RawURLEncoding.EncodeToString(point[33:65]),
	}
}

// JWT is a token with these headers and claims, signed with the issuer's key as ES256
// whatever the header says.
func (i *Issuer) JWT(header, claims map[string]any) string {
	signed := Part(header) + "." + Part(claims)
	sum := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, i.key, sum[:])
	if err != nil {
		panic(err)
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// Part is a value as it stands in a JWT.
func Part(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}
