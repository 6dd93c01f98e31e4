package wire

import "fmt"

// Elements splits a raw JSON array into its elements, as bytes.
func Elements(b []byte) ([][]byte, error) {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '[' {
		return nil, fmt.Errorf("expected an array")
	}
	var out [][]byte
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return out, nil
	}
	for {
		start := skipSpace(b, i)
		end, err := scanValue(b, start, MaxDepth-1)
		if err != nil {
			return nil, err
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
			return out, nil
		default:
			return nil, &syntaxError{"expected ',' or ']'", i}
		}
	}
}
