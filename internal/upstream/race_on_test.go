//go:build race

package upstream_test

// raceDetector multiplies the memory of whatever it watches.
const raceDetector = true
