package call

import (
	"encoding/json"
	"math"
	"slices"
	"sort"
)

// A schema is what is checked of a JSON schema: the part of it on which every
// draft agrees, and which only ever refuses. What it does not say passes, so
// that a keyword that is not understood, or is not written as it should be,
// can never cause a valid call to be refused: the server has the last word.
//
// Not checked for that reason: patterns and formats (their languages differ),
// not, if, dependencies, contains, uniqueItems, multipleOf, and that only one
// of oneOf fits.
type schema struct {
	kinds    kind // those allowed; 0 is all
	never    bool // the schema false
	nullable bool // null is always allowed (OpenAPI)

	all []*schema   // allOf, and what $ref points at
	any [][]*schema // anyOf and oneOf

	values *valueSet // enum and const, nil if there is none

	least, most *limit // of a number, nil if there is none
	length      span   // characters of a string
	size        span   // elements of a list

	properties map[string]property
	names      []string // of the properties, sorted
	required   []string
	closed     bool    // no other properties
	rest       *schema // of other properties
	items      *schema
}

// A limit is the smallest or the largest number allowed, or just not allowed.
type limit struct {
	number
	exclusive bool
	text      string
}

// A span is how many there may be of something.
type span struct {
	min, max int
}

// A property is a member that an object may have.
type property struct {
	schema   *schema // nil if anything will do
	required int     // its place in required, -1 if it may be missing
}

// passing is the schema that everything fits.
var passing = &schema{length: span{0, math.MaxInt}, size: span{0, math.MaxInt}}

// nothing is the schema that nothing fits.
var nothing = &schema{never: true}

const (
	maxNodes      = 20_000 // schemas in one schema
	maxSteps      = 200    // schemas inside one another
	maxValues     = 10_000 // of one enum
	maxBranches   = 1_000  // of one anyOf
	maxProperties = 10_000 // of one object
)

// compile makes of a raw schema what is checked. A schema that cannot be read
// is one that everything fits.
func compile(raw []byte) *schema {
	doc, ok := readSchema(raw)
	if !ok {
		return passing
	}
	c := compiler{doc: doc, made: map[uintptr]*schema{}}
	return c.schema(doc.root, 0)
}

type compiler struct {
	doc  schemaDoc
	made map[uintptr]*schema // of the objects of the document
}

// schema compiles each object of the document once. A reference back to one
// that is not finished gets the same pointer: the result may be circular.
func (c *compiler) schema(value any, depth int) *schema {
	if value == false {
		return nothing
	}
	object, ok := value.(map[string]any)
	if !ok || depth > maxSteps {
		return passing
	}
	id := identity(object)
	if s := c.made[id]; s != nil {
		return s
	}
	if len(c.made) >= maxNodes {
		return passing
	}
	s := &schema{length: passing.length, size: passing.size}
	c.made[id] = s
	if ref, ok := object["$ref"].(string); ok {
		s.all = append(s.all, c.schema(c.doc.resolve(ref), depth+1))
		if !c.doc.siblings {
			return s
		}
	}
	s.kinds = kindsNamed(object["type"])
	s.nullable = object["nullable"] == true
	if s.values = valuesOf(object); s.values != nil && s.kinds != 0 && s.values.kinds&s.kinds == 0 {
		s.values = nil // strings for an integer: nothing at all would fit
	}
	s.bounds(object)
	c.branches(s, object, depth)
	c.members(s, object, depth)
	s.items = c.child(object["items"], depth)
	if _, tuple := object["prefixItems"]; tuple {
		s.items = nil
	}
	return s
}

// child is nil where nothing would be checked.
func (c *compiler) child(value any, depth int) *schema {
	if s := c.schema(value, depth+1); s != passing {
		return s
	}
	return nil
}

func (c *compiler) branches(s *schema, object map[string]any, depth int) {
	list, _ := object["allOf"].([]any)
	for _, one := range list[:min(len(list), maxBranches)] {
		s.all = append(s.all, c.schema(one, depth+1))
	}
	for _, keyword := range [...]string{"anyOf", "oneOf"} {
		list, _ := object[keyword].([]any)
		if len(list) == 0 || len(list) > maxBranches {
			continue
		}
		group := make([]*schema, len(list))
		for i, one := range list {
			group[i] = c.schema(one, depth+1)
		}
		s.any = append(s.any, group)
	}
}

func (c *compiler) members(s *schema, object map[string]any, depth int) {
	properties, _ := object["properties"].(map[string]any)
	if len(properties) > maxProperties {
		return
	}
	s.properties = make(map[string]property, len(properties))
	for name, one := range properties {
		s.properties[name] = property{c.child(one, depth), -1}
		s.names = append(s.names, name)
	}
	list, _ := object["required"].([]any)
	for _, name := range stringsOf(list) {
		p, known := s.properties[name]
		if known && p.required >= 0 || len(s.required) >= maxProperties {
			continue
		}
		if !known {
			s.names = append(s.names, name)
		}
		p.required = len(s.required)
		s.properties[name] = p
		s.required = append(s.required, name)
	}
	sort.Strings(s.names)
	if _, has := object["patternProperties"]; has {
		return // they say which other members there may be
	}
	if rest := object["additionalProperties"]; rest == false {
		s.closed = true
	} else {
		s.rest = c.child(rest, depth)
	}
}

func (s *schema) bounds(object map[string]any) {
	s.least = limitIn(object, "minimum", "exclusiveMinimum", 1)
	s.most = limitIn(object, "maximum", "exclusiveMaximum", -1)
	s.length = span{countIn(object, "minLength", 0), countIn(object, "maxLength", math.MaxInt)}
	s.size = span{countIn(object, "minItems", 0), countIn(object, "maxItems", math.MaxInt)}
}

// limitIn is the tighter of a limit and its exclusive form, which is a number
// or, in draft 4, a boolean that says how the other is meant.
func limitIn(object map[string]any, plain, exclusive string, tighter int) *limit {
	limit, beyond := numberIn(object[plain]), numberIn(object[exclusive])
	switch {
	case beyond != nil && (limit == nil || beyond.compare(limit.number)*tighter >= 0):
		beyond.exclusive = true
		return beyond
	case limit != nil:
		limit.exclusive = object[exclusive] == true
	}
	return limit
}

func numberIn(value any) *limit {
	literal, ok := value.(json.Number)
	if !ok {
		return nil
	}
	return &limit{number: numberOf([]byte(literal)), text: literal.String()}
}

func countIn(object map[string]any, keyword string, none int) int {
	n := numberIn(object[keyword])
	if n == nil || n.float < 0 || n.float > math.MaxInt32 || n.float != math.Trunc(n.float) {
		return none
	}
	return int(n.float)
}

// kindsNamed are the kinds that a type names. One unknown name, such as "any",
// and all are allowed.
func kindsNamed(value any) kind {
	var kinds kind
	names := stringsOf(value)
	if list, ok := value.([]any); ok && len(list) != len(names) {
		return 0
	}
	for _, name := range names {
		i := slices.IndexFunc(kindNames[:], func(k kindName) bool { return k.schema == name })
		if i < 0 {
			return 0
		}
		kinds |= kindNames[i].kind
	}
	return kinds
}
