package wire

import "fmt"

// AddContent puts a content block in front of the others of a tool's result,
// or behind them, and leaves every other byte of the result as it is. A result
// without a content array gets one.
func AddContent(result, block []byte, first bool) ([]byte, error) {
	var o Object
	if err := o.parse(result); err != nil {
		return nil, fmt.Errorf("add content to a result: %w", err)
	}
	list := o.Get("content")
	if list == nil || string(list) == "null" {
		return o.With(Change{"content", append(append([]byte{'['}, block...), ']')}), nil
	}
	if list[0] != '[' {
		return nil, fmt.Errorf("add content to a result: its content is no array")
	}
	inner := skipSpace(list, 1)
	empty := list[inner] == ']'
	out := make([]byte, 0, len(list)+len(block)+1)
	switch {
	case empty:
		out = append(append(append(out, '['), block...), ']')
	case first:
		out = append(append(append(out, '['), block...), ',')
		out = append(out, list[1:]...)
	default:
		out = append(out, list[:len(list)-1]...)
		out = append(append(append(out, ','), block...), ']')
	}
	return o.With(Change{"content", out}), nil
}
