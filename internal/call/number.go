package call

import (
	"cmp"
	"math"
	"strconv"
)

// isInteger tells whether a JSON number is a whole one: 1, and 1.0 and 1e2 as
// well. Where a float64 cannot tell, it is taken for whole.
func isInteger(raw []byte) bool {
	if plainInteger(raw) {
		return true
	}
	f, _ := strconv.ParseFloat(string(raw), 64)
	return f == math.Trunc(f)
}

// plainInteger tells whether a number is written with digits alone.
func plainInteger(raw []byte) bool {
	for i, c := range raw {
		if (c < '0' || c > '9') && (i > 0 || c != '-') {
			return false
		}
	}
	return len(raw) > 0
}

// A number is a JSON number. Integers of 64 bits are exact.
type number struct {
	float   float64
	integer int64
	exact   bool // integer is the value
}

func numberOf(raw []byte) number {
	if plainInteger(raw) {
		if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			return number{float64(n), n, true}
		}
	}
	f, _ := strconv.ParseFloat(string(raw), 64) // out of range is infinite, which compares well
	return number{float: f}
}

func (a number) compare(b number) int {
	if a.exact && b.exact {
		return cmp.Compare(a.integer, b.integer)
	}
	return cmp.Compare(a.float, b.float)
}

// canonicalNumber writes equal numbers in the same way, and 64-bit integers
// that differ in different ones.
func canonicalNumber(raw []byte) string {
	if plainInteger(raw) && string(raw) != "-0" {
		return string(raw)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return string(raw)
	}
	return strconv.FormatFloat(f+0, 'f', -1, 64) // -0 + 0 is 0
}
