//go:build !linux

package proc

// Only Linux lets us look; elsewhere nothing is reported as left behind.
func members(int) []int { return nil }
