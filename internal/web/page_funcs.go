package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"toolcrib/internal/disclose"
)

// funcs are what templates can say.
func (p *pages) funcs() template.FuncMap {
	return template.FuncMap{
		"asset":     p.assetURL,
		"clean":     disclose.Clean,
		"line":      disclose.Line,
		"when":      p.when,
		"stamp":     stamp,
		"count":     group,
		"plural":    plural,
		"millis":    millis,
		"bytes":     size,
		"seconds":   seconds,
		"percent":   percent,
		"pretty":    pretty,
		"compact":   compactJSON,
		"join":      strings.Join,
		"server":    func(name string) string { return "/servers/" + url.PathEscape(name) },
		"tool":      func(id string) string { return "/tools/" + url.PathEscape(id) },
		"activity":  func(id uint64) string { return "/activity/" + strconv.FormatUint(id, 10) },
		"later":     func(t time.Time) bool { return t.After(p.now()) },
		"arguments": arguments,
		"query":     query,
		"pathOf":    url.PathEscape,
		"add":       func(a, b int) int { return a + b },
		"times100":  func(f float64) float64 { return 100 * f },
		"fingerprint": func(f string) string {
			b, _ := json.Marshal(ApproveRequest{Fingerprint: f}) // it is text
			return string(b)
		},
		"word": func(name string) string { return disclose.Line(strings.ReplaceAll(name, "_", " ")) },
		"tone": tone,
		"list": func(values ...any) []any { return values },
	}
}

// when is how long ago something was, or how long it is until then.
func (p *pages) when(t time.Time) string {
	d := p.now().Sub(t)
	if d < 0 {
		return "in " + span(-d)
	}
	if d < 5*time.Second {
		return "just now"
	}
	return span(d) + " ago"
}

// span is a time in one unit.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// arguments are what a signature says besides the tool's name, which stands beside it.
func arguments(signature string) string {
	if open := strings.IndexByte(signature, '('); open >= 0 {
		return signature[open:]
	}
	return ""
}

// stamp is a time for programs.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// group is a number with its thousands apart.
func group(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// plural is a number of things.
func plural(n any, one, many string) string {
	if fmt.Sprint(n) == "1" {
		return "1 " + one
	}
	return group(n) + " " + many
}

// millis is a time in milliseconds, or what fits better.
func millis(ms float64) string {
	switch {
	case ms < 10:
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	case ms < 10_000:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	}
	return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
}

// seconds is a limit in the unit that it was meant in.
func seconds(s float64) string {
	d := time.Duration(s * float64(time.Second))
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return strconv.Itoa(int(d.Hours())) + " h"
	case d >= time.Minute && d%time.Minute == 0:
		return strconv.Itoa(int(d.Minutes())) + " min"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}

// size is a number of bytes.
func size(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + " B"
	case n < 1_000_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " kB"
	}
	return strconv.FormatFloat(float64(n)/1_000_000, 'f', 1, 64) + " MB"
}

// percent is a part of a whole.
func percent(part, whole int64) string {
	if whole <= 0 {
		return "0 %"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + " %"
}

// pretty is JSON to be read, cleaned; what is none is shown as it is.
func pretty(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return disclose.Clean(string(raw))
	}
	return disclose.Clean(b.String())
}

// compactJSON is JSON on a line.
func compactJSON(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return disclose.Line(string(raw))
	}
	return disclose.Line(b.String())
}

// query is the query of a link: names and values in turn, of which empty ones are
// left out.
func query(pairs ...any) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if value := fmt.Sprint(pairs[i+1]); value != "" && value != "0" {
			q.Set(fmt.Sprint(pairs[i]), value)
		}
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// tones are the colours of words that tell how something stands.
var tones = map[string]string{
	ServerReady: "good", ServerFailed: "bad", ServerNeedsLogin: "warn", ServerNeedsApproval: "warn", ServerStarting: "warn",
	"degraded": "warn", "stopping": "bad",
	OutcomeOK: "good", OutcomeToolError: "bad", OutcomeRefused: "warn", OutcomeDenied: "warn", OutcomeUnreachable: "bad", OutcomeBusy: "warn",
	OutcomeTimeout: "bad", // OutcomeFailed is the word of a failed server
	"available":    "good", "unavailable": "bad", "not_callable": "warn",
	PinApproved: "good", PinHeld: "warn", PinWaits: "bad",
	"found": "good", "near": "warn", "withheld": "warn", "none": "bad",
	"allow": "good", "ask": "warn", "deny": "bad",
}

// tone is the class of a word, "" for one that is neither good nor bad.
func tone(word string) string { return tones[word] }
