package script

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// position is what Lua puts in front of a message.
var position = regexp.MustCompile(`^script:(\d+): `)

// explain makes the error of a script that raised one and did not catch it.
func (m *machine) explain(source string) *Error {
	var told struct {
		Code    Code   `json:"code"`
		Server  string `json:"server"`
		Tool    string `json:"tool"`
		Line    int    `json:"line"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(m.failure, &told); err != nil {
		told.Message = "the script failed, and its error could not be told"
	}
	e := &Error{Code: told.Code, Server: told.Server, Tool: told.Tool, Line: told.Line, Message: told.Message}
	if at := position.FindStringSubmatch(e.Message); at != nil {
		e.Line, _ = strconv.Atoi(at[1])
		e.Message = e.Message[len(at[0]):]
	}
	e.Message = clip(e.Message, 4*kb)
	switch {
	case strings.HasSuffix(e.Message, "not enough memory"):
		e.Code = CodeMemoryLimit
		e.Message = fmt.Sprintf("the script wanted more than its %d MB of memory", m.limits.Memory/mb)
		if m.linear.refuse {
			e.Message = "all scripts together have no more memory"
		}
	case e.Code == "":
		e.Code = CodeRuntime
	}
	e.Hint = m.hint(source, e)
	return e
}

// notes are what the author of the script should know, whatever came of it.
func (m *machine) notes(source string, unfinished []*call) (notes []string) {
	if m.awaited {
		notes = append(notes, "result() was given a call that was not awaited; it was awaited for you: write :await()")
	}
	if !m.resultOf && m.stopped == nil && m.failure == nil {
		notes = append(notes, noResult(source))
	}
	if m.inexact != "" {
		notes = append(notes, fmt.Sprintf("the integer %s does not fit 64 bits and was rounded", m.inexact))
	}
	if len(unfinished) > 0 {
		names := make([]string, 0, len(unfinished))
		for _, c := range unfinished {
			names = append(names, c.server+"."+c.tool)
		}
		notes = append(notes, clip(fmt.Sprintf("not awaited, and cancelled if still under way: %s", strings.Join(names, ", ")), 500))
	}
	return notes
}

var localResult = regexp.MustCompile(`\blocal\s+result\b`)

func noResult(source string) string {
	if localResult.MatchString(source) {
		return "the script gave no result: its local variable result hides the function result(); end with: return result"
	}
	return "the script gave no result: end with return value, or call result(value)"
}
