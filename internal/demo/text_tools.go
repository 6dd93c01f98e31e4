package demo

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// invalid is the protocol's error for parameters that make no sense.
func invalid(format string, a ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, a...)}
}

type counts struct {
	Words      int `json:"words"`
	Lines      int `json:"lines"`
	Characters int `json:"characters" jsonschema:"Unicode code points"`
	Bytes      int `json:"bytes" jsonschema:"bytes of UTF-8"`
}

func wordCount(_ context.Context, in struct {
	Text string `json:"text"`
},
) (string, counts, error) {
	c := counts{
		Words: len(strings.Fields(in.Text)), Lines: len(splitLines(in.Text)),
		Characters: utf8.RuneCountInString(in.Text), Bytes: len(in.Text),
	}
	return fmt.Sprintf("%d words, %d lines, %d characters, %d bytes", c.Words, c.Lines, c.Characters, c.Bytes), c, nil
}

type replaced struct {
	Text  string `json:"text" jsonschema:"the text after all replacements"`
	Count int    `json:"count" jsonschema:"how many there were"`
}

func findReplace(_ context.Context, in struct {
	Text    string `json:"text"`
	Find    string `json:"find"`
	Replace string `json:"replace"`
	Regex   bool   `json:"regex"`
},
) (string, replaced, error) {
	find := regexp.QuoteMeta(in.Find)
	with := strings.ReplaceAll(in.Replace, "$", "$$")
	if in.Regex {
		find, with = in.Find, in.Replace
	}
	re, err := regexp.Compile(find)
	if err != nil {
		return "", replaced{}, fmt.Errorf("find is not a regular expression: %w; set regex to false to find it as it is", err)
	}
	matches := re.FindAllStringSubmatchIndex(in.Text, -1)
	var b []byte
	last := 0
	for _, m := range matches {
		b = append(b, in.Text[last:m[0]]...)
		b = re.ExpandString(b, with, in.Text, m)
		last = m[1]
		if len(b) > 4*maxText {
			return "", replaced{}, errors.New("the result is longer than 4 MB: replace with something shorter")
		}
	}
	out := replaced{Text: string(append(b, in.Text[last:]...)), Count: len(matches)}
	return out.Text, out, nil
}

type hashed struct {
	Algorithm string `json:"algorithm"`
	Hex       string `json:"hex"`
}

func hashNames() []string { return []string{"sha256", "sha512", "sha1", "md5", "crc32"} }

func hashText(_ context.Context, in struct {
	Text      string `json:"text"`
	Algorithm string `json:"algorithm"`
},
) (string, hashed, error) {
	var h hash.Hash
	switch in.Algorithm {
	case "sha256":
		h = sha256.New()
	case "sha512":
		h = sha512.New()
	case "sha1":
		h = sha1.New() // for comparing with what others published, not for security
	case "md5":
		h = md5.New() // as above
	case "crc32":
		h = crc32.NewIEEE()
	default:
		return "", hashed{}, fmt.Errorf("no algorithm %q: use one of %s", shorten(in.Algorithm), strings.Join(hashNames(), ", "))
	}
	_, _ = h.Write([]byte(in.Text)) // a hash never fails to write
	out := hashed{Algorithm: in.Algorithm, Hex: hex.EncodeToString(h.Sum(nil))}
	return out.Hex, out, nil
}

type coded struct {
	Text string `json:"text"`
}

func base64Text(_ context.Context, in struct {
	Text      string `json:"text"`
	Direction string `json:"direction"`
	URLSafe   bool   `json:"url_safe"`
},
) (string, coded, error) {
	if in.Direction != "decode" {
		encoding := base64.StdEncoding
		if in.URLSafe {
			encoding = base64.URLEncoding
		}
		out := encoding.EncodeToString([]byte(in.Text))
		return out, coded{Text: out}, nil
	}
	// One alphabet and no padding: what people paste has either or neither.
	plain := strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "").Replace(in.Text)
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(plain, "="))
	if err != nil {
		return "", coded{}, fmt.Errorf("the text is not base64: %w", err)
	}
	if !utf8.Valid(b) {
		return "", coded{}, fmt.Errorf("the %d decoded bytes are not text (no UTF-8): they cannot be returned", len(b))
	}
	return string(b), coded{Text: string(b)}, nil
}
