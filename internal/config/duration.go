package config

import (
	"strconv"
	"time"
)

const (
	longestTime = 30 * 24 * time.Hour

	// leastMillis is the least number without a unit that is taken for
	// milliseconds. Who writes 30 means seconds; who writes 30000 does not.
	leastMillis = 1000
)

// duration reads a time such as 30s, or a number of milliseconds. never is what
// the word never stands for; 0 if the word has no meaning there.
func (d *decoder) duration(n *node, what string, never time.Duration) time.Duration {
	if n.about != nil {
		n.about.duration(never != 0)
		return 0
	}
	if never != 0 && n.kind == textNode && n.text == "never" {
		return never
	}
	v, err := parseDuration(n.text)
	if (n.kind == textNode || n.kind == numberNode) && err == nil && v > 0 && v <= longestTime {
		return v
	}
	example := "30s, 1m30s or 2h"
	if never != 0 {
		example += ", or never"
	}
	if millis, err := strconv.Atoi(n.text); err == nil && millis > 0 && millis < leastMillis {
		d.problem(n.at, "%s must be a time such as %s: %d without a unit would be milliseconds, write %ds or %dms", what, example, millis, millis, millis)
		return 0
	}
	d.problem(n.at, "%s must be a time such as %s, at most %s", what, example, longestTime)
	return 0
}

func parseDuration(text string) (time.Duration, error) {
	if millis, err := strconv.ParseInt(text, 10, 64); err == nil && millis >= leastMillis && millis <= longestTime.Milliseconds() {
		return time.Duration(millis) * time.Millisecond, nil
	}
	return time.ParseDuration(text)
}
