package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// same compares an answer through the gateway with the direct one: exit code,
// and the result byte for byte but for what the modern era adds to every result.
func same(direct, through answer) error {
	if direct.code != through.code {
		return fmt.Errorf("exit code %d, directly %d: %s", through.code, direct.code, through.text)
	}
	a, err := withoutEra(direct.Result)
	if err != nil {
		return err
	}
	b, err := withoutEra(through.Result)
	if err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return fmt.Errorf("differs:\n      directly %.600s\n      through  %.600s", a, b)
	}
	return nil
}

// withoutEra removes the members that only modern results have, and keeps the
// bytes and the order of the rest.
func withoutEra(result json.RawMessage) ([]byte, error) {
	if len(result) == 0 {
		return nil, nil
	}
	members, err := members(result)
	if err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for _, m := range members {
		switch m.name {
		case "resultType", "ttlMs", "cacheScope":
			continue
		case "_meta":
			var meta map[string]json.RawMessage
			if json.Unmarshal(m.value, &meta) == nil {
				delete(meta, "io.modelcontextprotocol/serverInfo")
				if len(meta) == 0 {
					continue
				}
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(append(out, '"'), m.name...), `":`...), m.value...)
	}
	return append(out, '}'), nil
}

// reordered is a list's entry as Inspector's modern half prints it: it parses
// what it gets and writes the members it knows, in an order of its own. What the
// gateway really sent is compared by the raw part.
func reordered(entry []byte) []byte {
	var v map[string]any
	if json.Unmarshal(entry, &v) != nil {
		return entry
	}
	delete(v, "execution")
	b, err := json.Marshal(v) // sorts
	if err != nil {
		return entry
	}
	return b
}

// A member of an object, in the order of the text.
type member struct {
	name  string
	value json.RawMessage
}

func members(object []byte) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(fmt.Errorf("not an object: %.100s", object), err)
	}
	var all []member
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, ok := t.(string)
		if !ok {
			return nil, fmt.Errorf("not a member's name: %v", t)
		}
		m := member{name: name}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// named splits a list into its entries by a member that names them.
func named(result json.RawMessage, list, key string) (map[string]json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(result, &all); err != nil {
		return nil, err
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(all[list], &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", list, err)
	}
	byName := map[string]json.RawMessage{}
	for _, e := range entries {
		var m map[string]json.RawMessage
		var name string
		if err := errors.Join(json.Unmarshal(e, &m), json.Unmarshal(m[key], &name)); err != nil {
			return nil, err
		}
		byName[name] = e
	}
	return byName, nil
}
