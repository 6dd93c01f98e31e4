//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// screen is the size of the terminal that f is; ok is unset if it is none.
func screen(f *os.File) (width, height int, ok bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0, false
	}
	return int(size.Col), int(size.Row), true
}

func actsOnCodes(*os.File) bool { return true }
