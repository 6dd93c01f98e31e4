package call

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// byFormat are strings that have a format.
var byFormat = map[string]string{
	"date-time": "2026-01-31T12:00:00Z", "date": "2026-01-31", "time": "12:00:00Z", "duration": "PT1H",
	"email": "user@example.com", "hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
	"uri": "https://example.com", "url": "https://example.com", "uri-reference": "/path", "iri": "https://example.com",
	"uuid": "00000000-0000-4000-8000-000000000000", "regex": ".*", "json-pointer": "/a/b", "byte": "YQ==",
}

// byName are strings that parameters with such a last word mostly want.
var byName = map[string]string{
	"url": byFormat["uri"], "uri": byFormat["uri"], "link": byFormat["uri"], "website": byFormat["uri"],
	"email": byFormat["email"], "date": byFormat["date"], "path": "/path/to/file",
}

// numberByName are numbers that parameters with such a last word mostly want.
var numberByName = map[string]float64{
	"limit": 10, "count": 10, "size": 10, "results": 10, "port": 8080, "year": 2026, "offset": 0, "latitude": 52.5, "longitude": 13.4,
}

// placeholder is a string in place of one that only the caller knows.
func placeholder(parts []map[string]any, name string) string {
	format, _ := first(parts, "format").(string)
	text := byFormat[format]
	if text == "" {
		text = byName[lastWord(name)]
	}
	if text == "" {
		text = "<" + nameOr(name, "text") + ">"
	}
	for _, p := range parts {
		for n := countIn(p, "minLength", 0); utf8.RuneCountInString(text) < min(n, maxExampleValue); {
			text += "x"
		}
		if n := countIn(p, "maxLength", maxExampleValue); utf8.RuneCountInString(text) > n {
			text = string([]rune(text)[:n])
		}
	}
	return text
}

func exampleNumber(parts []map[string]any, name string, kinds kind) json.Number {
	n, known := numberByName[lastWord(name)]
	if !known || kinds&kindFraction == 0 && n != math.Trunc(n) {
		n = 1
	}
	step := 1.0
	if multiple := numberIn(first(parts, "multipleOf")); multiple != nil && multiple.float > 0 && !math.IsInf(multiple.float, 0) {
		step = multiple.float
		n = math.Ceil(n/step) * step
	}
	for _, p := range parts {
		if l := limitIn(p, "minimum", "exclusiveMinimum", 1); l != nil && (n < l.float || l.exclusive && n == l.float) {
			n = math.Ceil(l.float/step) * step
			if n <= l.float && l.exclusive {
				n += step
			}
		}
		if l := limitIn(p, "maximum", "exclusiveMaximum", -1); l != nil && (n > l.float || l.exclusive && n == l.float) {
			n = math.Floor(l.float/step) * step
			if n >= l.float && l.exclusive {
				n -= step
			}
			if below := limitIn(p, "minimum", "exclusiveMinimum", 1); below != nil && n <= below.float && kinds&kindFraction != 0 {
				n = (below.float + l.float) / 2 // no whole number is between them
			}
		}
	}
	if math.IsInf(n, 0) || math.IsNaN(n) {
		n = 1
	}
	return json.Number(strconv.FormatFloat(n, 'f', -1, 64))
}

// lastWord is the last word of a name, in lower case: url for imageUrl.
func lastWord(name string) string {
	name = nameOr(name, "")
	if i := strings.LastIndexAny(name, "_-. "); i >= 0 {
		name = name[i+1:]
	}
	lower := strings.ToLower(name)
	if i := strings.LastIndexFunc(name, unicode.IsUpper); i > 0 && strings.ToUpper(name) != name {
		return strings.ToLower(name[i:])
	}
	return lower
}

func singular(name string) string {
	if len(name) > 3 && strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") {
		return name[:len(name)-1]
	}
	return name
}

// nameOr is a name if it is one that can stand in a placeholder.
func nameOr(name, other string) string {
	if name == "" || len(name) > 40 || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) {
		return other
	}
	return name
}
