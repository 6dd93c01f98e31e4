package cli

import (
	"io"
	"os"
	"strconv"
)

// A terminal is what is known of where a stream ends. The zero value is none.
type terminal struct {
	width, height int  // in characters; 0 if it is no terminal
	live          bool // lines can be written over
	colour        bool
}

// terminalOf tells what w writes to.
func terminalOf(w io.Writer, getenv func(string) string) terminal {
	f, ok := w.(*os.File)
	if !ok {
		return terminal{}
	}
	width, height, ok := screen(f)
	if !ok {
		return terminal{}
	}
	if width <= 0 {
		width, _ = strconv.Atoi(getenv("COLUMNS"))
	}
	if width < 20 {
		width = 80
	}
	if height < 4 {
		height = 24
	}
	t := terminal{width: width, height: height}
	t.live = getenv("TERM") != "dumb" && actsOnCodes(f)
	t.colour = t.live && getenv("NO_COLOR") == ""
	return t
}

const (
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

func (t terminal) paint(colour, text string) string {
	if !t.colour {
		return text
	}
	return colour + text + plain
}
