package script

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// What Lua asks of the host, one method per import. A method that returns -1 has left
// a fault for Lua to raise.

func (m *machine) print(text []byte) {
	room := m.limits.Print - m.printed.Len()
	if len(text)+1 > room {
		m.printed.Write(wholeRunes(text[:min(len(text), room)]))
		m.stop(&Error{
			Code:    CodePrintLimit,
			Message: fmt.Sprintf("the script printed more than %d bytes", m.limits.Print),
			Hint:    "return what is wanted, and print less",
		})
	}
	if utf8.Valid(text) {
		m.printed.Write(text)
	} else {
		m.printed.WriteString(strings.ToValidUTF8(string(text), "\uFFFD"))
	}
	m.printed.WriteByte('\n')
}

// wholeRunes drops what is left of a character that was cut at the end.
func wholeRunes(text []byte) []byte {
	for cut := 0; cut < utf8.UTFMax && cut < len(text); cut++ {
		if r, size := utf8.DecodeLastRune(text[:len(text)-cut]); r != utf8.RuneError || size != 1 {
			return text[:len(text)-cut]
		}
	}
	return text
}

func (m *machine) setResult(text []byte) {
	value, err := m.blobs.expand(text, m.limits.ResultBytes)
	if err != nil {
		m.stop(&Error{Code: CodeResultLimit, Message: err.Error(), Hint: "return fewer pieces of binary content"})
	}
	m.result, m.resultOf = value, true
}

// server finds a server. One that is not there is nothing but nil where a global was
// read, and a fault where a server is wanted.
func (m *machine) server(name string, wanted bool) int {
	if !m.host.Server(name) {
		if wanted {
			m.setFault(&fault{Code: CodeUnknownServer, Server: name, Message: m.unknownServer(name)})
		}
		return -1
	}
	return m.servers.number(name)
}

func (m *machine) tool(server int, name string) int {
	where := m.servers.all[server]
	t := m.host.Tool(where, name)
	if t == nil {
		m.setFault(&fault{Code: CodeUnknownTool, Server: where, Tool: name, Message: m.unknownTool(where, name)})
		return -1
	}
	key := toolKey{where, name}
	id := m.tools.number(key)
	if id == len(m.bound) {
		m.bound = append(m.bound, &boundTool{key, t})
	}
	return id
}

func (m *machine) startCall(tool int, arguments []byte, line int) int {
	t := m.bound[tool]
	if len(m.flight.calls) >= m.limits.Calls {
		m.stop(&Error{
			Code: CodeCallLimit, Line: line, Server: t.server, Tool: t.name,
			Message: fmt.Sprintf("the script made %d calls already, which is all it may", m.limits.Calls),
			Hint:    "look for a tool that does many at once, or split the work over several scripts",
		})
	}
	if bytes.IndexByte(arguments, emptyTable) >= 0 {
		arguments = fillEmpty(arguments, t.InputSchema)
	}
	arguments, err := m.blobs.expand(arguments, m.limits.Arguments)
	if err != nil {
		m.setFault(&fault{Code: CodeArgumentLimit, Server: t.server, Tool: t.name, Message: err.Error()})
		return -1
	}
	if arguments[0] != '{' {
		m.setFault(&fault{Code: CodeBadArguments, Server: t.server, Tool: t.name, Message: wantsTable(t)})
		return -1
	}
	return m.flight.start(&call{server: t.server, tool: t.name, arguments: arguments, line: line})
}

// await waits for a call and returns the size of its value, -1 if it failed.
func (m *machine) await(id int) int {
	m.waitFor([]int{id})
	c := m.flight.calls[id]
	if c.fault != nil {
		m.setFault(c.fault)
		return -1
	}
	return len(c.value)
}

// awaitAny waits until one of some calls is done; they come as 32-bit integers.
func (m *machine) awaitAny(list []byte) {
	ids := make([]int, len(list)/4)
	for i := range ids {
		ids[i] = int(binary.LittleEndian.Uint32(list[i*4:]))
	}
	m.waitFor(ids)
}

// waitFor waits without a turn: others can work meanwhile.
func (m *machine) waitFor(ids []int) {
	for _, id := range ids {
		m.flight.calls[id].awaited = true
	}
	if m.flight.anyDone(ids) {
		m.check()
		return
	}
	m.giveTurn()
	m.flight.waitAny(m.ctx, ids)
	m.check()
	m.mustTakeTurn()
}

// maxFault is MAX_FAULT of lua/bridge.h.
const maxFault = 16 * kb

func (m *machine) setFault(f *fault) {
	text, err := json.Marshal(f)
	if err == nil && len(text) > maxFault {
		text, err = json.Marshal(&fault{f.Code, clip(f.Server, kb/2), clip(f.Tool, kb/2), clip(f.Message, kb)}) // each byte may be written as six
	}
	if err != nil {
		m.stop(&Error{Code: CodeInternal, Message: err.Error()})
	}
	m.fault = text
}
