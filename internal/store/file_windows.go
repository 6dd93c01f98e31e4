package store

import (
	"os"
	"time"
)

// rename tries for a while: on Windows a file that someone reads cannot be
// replaced, and readers are done in a moment.
func rename(from, to string) error {
	wait := time.Millisecond
	for {
		err := os.Rename(from, to)
		if err == nil || wait > 128*time.Millisecond {
			return err
		}
		time.Sleep(wait)
		wait *= 2
	}
}

// syncDir has nothing to do: Windows offers no such thing.
func syncDir(string) error { return nil }
