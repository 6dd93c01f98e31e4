package wire

import "bytes"

// Find returns the raw value of one member of an object that was checked
// before, nil if there is none. It allocates nothing; of a doubled member it
// would return the first, which Parse and readMeta have refused by then where it
// matters.
func Find(object []byte, name string) []byte {
	i := skipSpace(object, 0)
	if i >= len(object) || object[i] != '{' {
		return nil
	}
	i = skipSpace(object, i+1)
	for i < len(object) && object[i] == '"' {
		end, err := scanString(object, i)
		if err != nil {
			return nil
		}
		found := sameName(object[i:end], name)
		if i = skipSpace(object, end); i >= len(object) || object[i] != ':' {
			return nil
		}
		start := skipSpace(object, i+1)
		if i, err = scanValue(object, start, MaxDepth-1); err != nil {
			return nil
		}
		if found {
			return object[start:i:i]
		}
		if i = skipSpace(object, i); i >= len(object) || object[i] != ',' {
			return nil
		}
		i = skipSpace(object, i+1)
	}
	return nil
}

// sameName compares a quoted name with a plain one.
func sameName(quoted []byte, name string) bool {
	if inner := quoted[1 : len(quoted)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner) == name
	}
	s, err := unquote(quoted)
	return err == nil && s == name
}
