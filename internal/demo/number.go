package demo

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Limits that keep every reckoning short. maxBits is about 6,000 digits.
const (
	maxBits     = 20_000
	maxExponent = 5_000 // of a literal such as 1e5000
	maxLiteral  = 7_000 // characters of one number
	digits      = 40    // of a rounded result
	precision   = 256   // bits of what is not rational
)

// value is a number during a reckoning.
type value struct {
	rat    *big.Rat
	approx bool // it comes from a root or a constant that has no exact value
}

var errTooBig = errors.New("the number has more than 6,000 digits: use smaller numbers")

func (v value) check() error {
	if v.rat.Num().BitLen() > maxBits || v.rat.Denom().BitLen() > maxBits {
		return errTooBig
	}
	return nil
}

// parseNumber reads an integer, a decimal or a fraction.
func parseNumber(text string) (*big.Rat, error) {
	text = strings.TrimSpace(text)
	wrong := fmt.Errorf("%q is not a number: write it like 12, -0.5, 1e3 or 1/3", shorten(text))
	if len(text) > maxLiteral {
		return nil, errTooBig
	}
	for _, c := range text {
		// SetString would also take 0x10, 1_000, 1p5 and Inf.
		if !strings.ContainsRune("0123456789+-./eE", c) {
			return nil, wrong
		}
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		exponent, err := strconv.Atoi(text[at+1:])
		if err != nil {
			return nil, wrong
		}
		if exponent > maxExponent || exponent < -maxExponent {
			return nil, errTooBig
		}
	}
	rat, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, wrong
	}
	return rat, value{rat: rat}.check()
}

// answer writes a value for people and programs.
func (v value) answer() answer {
	if n, exact := v.rat.FloatPrec(); exact && n <= maxLiteral && !v.approx {
		return answer{Result: v.rat.FloatString(n)}
	}
	rounded := new(big.Float).SetPrec(precision).SetRat(v.rat)
	a := answer{Result: plain(rounded), Rounded: true}
	if !v.approx {
		a.Fraction = v.rat.RatString()
	}
	return a
}

// plain writes without an exponent where that can be read.
func plain(f *big.Float) string {
	exp := f.MantExp(nil)
	if exp > -100 && exp < 200 {
		places := digits
		if exp > 0 {
			places = max(digits-exp*30103/100_000, 1)
		}
		text := f.Text('f', places)
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return text
	}
	return f.Text('g', digits)
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}
