package probe

import (
	"bytes"
	"strings"

	"toolcrib/internal/lazyre"
	"toolcrib/internal/wire"
)

var (
	// What stands in front of a message in a log.
	logPrefix = lazyre.New(`^(?:\[[^\]]{0,60}\]|\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-][\d:]+)?|\d\d:\d\d:\d\d[\d.,]*|(?:FATAL|ERROR|WARN|WARNING|INFO|DEBUG|TRACE)\b:?\s|(?i:warn|warning|info|debug|trace|critical)\s*:|\(\d+\):|:\s|[-–|•*→>✖✗❌⚠️️🚨📍🔧✅ℹ🧪]+)\s*`)
	// Lines of a program's text and the places of an exception.
	codeLine = lazyre.New(`^(?:at\s.*|\^+|~+|[\^~\s]+|throw\s.*|raise\s.*|.*=\s*new\s+\w*Error\(.*|Node\.js v\S+|node:\S+:\d+|(?:file:)?\S+\.[cm]?[jt]s:\d+(?::\d+)?|File ".*|Traceback .*|Require stack:.*|-\s\S+\.[cm]?js|[\[\]{}(),;]+|goroutine .*|panic\(.*|\S+\.go:\d+.*|\(Use .node --trace.*)$`)
	// A member of a printed object: only what it says is a statement.
	member  = lazyre.New("^[\"']?([A-Za-z_]+)[\"']?\\s*:\\s*[\"'`](.*)[\"'`],?$")
	saying  = lazyre.New(`^(?:message|msg|error|reason|detail|details|cause|err|hostname|\[cause\])$`)
	printed = lazyre.New(`^["']?(?:code|path|minimum|maximum|type|inclusive|exact|validation|errno|syscall|stack|issues|errors|addIssues?|name|expected|received|stale|compatible|servers|requireStack|status|address|port)["']?\s*:`)

	bareUsage = lazyre.New(`(?i)^usage:?$`)
	usage     = lazyre.New(`(?i)^usage\b`)
	raised    = lazyre.New(`^\w*(?:Error|Exception)(?: \[\w+\])?: `)
	errorLine = lazyre.New(`(?i)\b(?:error|exception|fail(?:ed|ure|s)?|fatal|cannot|can't|could not|unable|invalid|refused|denied|not found|missing|must)\b|Error:`)
)

// statements are the lines with which a server may have said why it fails: what
// it answered as an error, then its stderr, then its stdout, each without what
// surrounds a message in a log and without the places of an exception.
func statements(stderr, stdout []byte, exit Exit) []string {
	var said []string
	add := func(s string) {
		s = clip(plain(s), maxLine)
		switch n := len(said); {
		case s == "":
		case n > 0 && bareUsage.MatchString(said[n-1]):
			said[n-1] += " " + s // the next line says how
		default:
			said = append(said, s)
		}
	}
	if exit.Failure != "" {
		add(exit.Failure)
	}
	eachObject(tail(stdout), func(start, end int) {
		raw := tail(stdout)[start:end]
		if e := wire.Find(raw, "error"); e != nil && wire.Find(raw, "jsonrpc") != nil {
			message, _ := wire.Text(wire.Find(e, "message"))
			add(message)
		}
	})
	for _, text := range [][]byte{stderr, stdout} {
		lines := textLines(tail(text))
		for _, l := range lines[max(0, len(lines)-maxStatements):] {
			for _, s := range statement(l) {
				add(s)
			}
		}
	}
	return said
}

// tail is the end of a stream, from the beginning of a line.
func tail(b []byte) []byte {
	if len(b) <= maxDiagnosed {
		return b
	}
	b = b[len(b)-maxDiagnosed:]
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[i+1:]
	}
	return b
}

// statement is what one line says, of a structured one each message.
func statement(line string) []string {
	if strings.HasPrefix(line, "{") && wire.CheckJSON([]byte(line)) == nil {
		return recordSays([]byte(line))
	}
	for range 6 {
		cut := strings.TrimSpace(logPrefix.ReplaceAllString(line, ""))
		if cut == line || cut == "" {
			break
		}
		line = cut
	}
	if line == "" || codeLine.MatchString(line) || printed.MatchString(line) {
		return nil
	}
	if m := member.FindStringSubmatch(line); m != nil && saying.MatchString(m[1]) {
		line = m[2]
	}
	return []string{line}
}

// recordSays are the messages of a log record, and of an error inside of it. A
// record of the protocol is none.
func recordSays(raw []byte) []string {
	if wire.Find(raw, "jsonrpc") != nil {
		return nil
	}
	var out []string
	for _, name := range []string{"msg", "message", "error", "err", "reason"} {
		value := wire.Find(raw, name)
		if text, ok := wire.Text(value); ok {
			out = append(out, text)
		} else if text, ok := wire.Text(wire.Find(value, "message")); ok {
			out = append(out, text)
		}
	}
	return out
}
