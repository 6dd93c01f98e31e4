package wire

import "fmt"

// maxElements bounds the arrays that we split: an element of two bytes on the
// wire takes a dozen times that here.
const maxElements = 1 << 18

// Elements splits a raw JSON array into its elements, as bytes.
func Elements(b []byte) ([][]byte, error) {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '[' {
		return nil, fmt.Errorf("expected an array")
	}
	var out [][]byte
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return out, endsAt(b, i+1)
	}
	for {
		start := skipSpace(b, i)
		end, err := scanValue(b, start, MaxDepth-1)
		if err != nil {
			return nil, err
		}
		if len(out) == maxElements {
			return nil, fmt.Errorf("more than %d elements in one array", maxElements)
		}
		out = append(out, b[start:end:end])
		i = skipSpace(b, end)
		if i >= len(b) {
			return nil, errTruncated
		}
		switch b[i] {
		case ',':
			i++
		case ']':
			return out, endsAt(b, i+1)
		default:
			return nil, &syntaxError{"expected ',' or ']'", i}
		}
	}
}
