package call

import (
	"encoding/json"

	"toolcrib/internal/wire"
)

// A valueSet is the values that an enum or a const allows.
type valueSet struct {
	strings    map[string]bool
	others     map[string]bool // numbers in one way of writing, true, false, null
	containers bool            // there are lists or objects, which are not compared
	kinds      kind

	texts []string // the strings, in their order
	shown []string // all as they are told, in their order
}

// valuesOf reads const, or else enum, nil if there is neither. Where there are
// both, the enum is not needed.
func valuesOf(object map[string]any) *valueSet {
	list, ok := object["enum"].([]any)
	if constant, has := object["const"]; has {
		list, ok = []any{constant}, true
	}
	if !ok || len(list) == 0 || len(list) > maxValues {
		return nil
	}
	set := &valueSet{strings: map[string]bool{}, others: map[string]bool{}}
	for _, value := range list {
		set.add(value)
	}
	return set
}

func (v *valueSet) add(value any) {
	switch value := value.(type) {
	case string:
		v.kinds |= kindString
		v.strings[value] = true
		v.texts = append(v.texts, value)
		v.shown = append(v.shown, quoted(value))
	case json.Number:
		v.kinds |= kindOf([]byte(value))
		v.others[canonicalNumber([]byte(value))] = true
		v.shown = append(v.shown, clip(value.String()))
	case bool:
		word := "false"
		if value {
			word = "true"
		}
		v.kinds |= kindBool
		v.others[word] = true
		v.shown = append(v.shown, word)
	case nil:
		v.kinds |= kindNull
		v.others["null"] = true
		v.shown = append(v.shown, "null")
	default:
		v.kinds |= kindObject | kindList
		v.containers = true
	}
}

// has tells whether a raw value is, or may be, in the set.
func (v *valueSet) has(raw []byte, k kind) bool {
	switch k {
	case kindString:
		if text, plain := plainText(raw); plain {
			return v.strings[string(text)]
		}
		s, ok := wire.Text(raw)
		return v.strings[s] || !ok
	case kindInteger, kindFraction:
		return v.others[string(raw)] || v.others[canonicalNumber(raw)]
	case kindBool, kindNull:
		return v.others[string(raw)]
	}
	return v.containers
}
