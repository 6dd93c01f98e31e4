package script

import "time"

// Limits bound one script. A zero field is the default; more than the maximum is
// the maximum.
type Limits struct {
	Source      int           // bytes of the script: 64 KB, at most 256 KB
	Memory      int           // bytes that Lua may use: 64 MB, at most 256 MB
	Ticks       int           // of work, about 1 ms each: 2,000, at most 30,000
	Wall        time.Duration // from admission, waiting for calls included: 60 s, at most 300 s
	Calls       int           // of tools: 100, at most 1,000
	InFlight    int           // calls at a time: 8, at most 32; more wait their turn
	PerServer   int           // calls at a time to one server: 4, at most 32
	Arguments   int           // bytes of JSON per call: 1 MB, at most 4 MB
	CallResult  int           // bytes of one call's result: 8 MB, at most 32 MB
	Print       int           // bytes printed: 64 KB, at most 256 KB
	ResultBytes int           // of the answer: 4 MB, at most 4 MB
}

const (
	kb = 1 << 10
	mb = 1 << 20
)

var (
	defaultLimits = Limits{
		Source: 64 * kb, Memory: 64 * mb, Ticks: 2_000, Wall: time.Minute,
		Calls: 100, InFlight: 8, PerServer: 4,
		Arguments: 1 * mb, CallResult: 8 * mb, Print: 64 * kb, ResultBytes: 4 * mb,
	}
	maximumLimits = Limits{
		Source: 256 * kb, Memory: 256 * mb, Ticks: 30_000, Wall: 5 * time.Minute,
		Calls: 1_000, InFlight: 32, PerServer: 32,
		Arguments: 4 * mb, CallResult: 32 * mb, Print: 256 * kb, ResultBytes: 4 * mb,
	}
)

// Defaults are the limits where nothing else is asked for.
func Defaults() Limits { return defaultLimits }

// Maxima are the limits that no request can pass.
func Maxima() Limits { return maximumLimits }

func (l *Limits) withDefaults() Limits {
	if l == nil {
		return defaultLimits
	}
	d, m := &defaultLimits, &maximumLimits
	return Limits{
		Source:      bound(l.Source, d.Source, m.Source),
		Memory:      bound(l.Memory, d.Memory, m.Memory),
		Ticks:       bound(l.Ticks, d.Ticks, m.Ticks),
		Wall:        bound(l.Wall, d.Wall, m.Wall),
		Calls:       bound(l.Calls, d.Calls, m.Calls),
		InFlight:    bound(l.InFlight, d.InFlight, m.InFlight),
		PerServer:   bound(l.PerServer, d.PerServer, m.PerServer),
		Arguments:   bound(l.Arguments, d.Arguments, m.Arguments),
		CallResult:  bound(l.CallResult, d.CallResult, m.CallResult),
		Print:       bound(l.Print, d.Print, m.Print),
		ResultBytes: bound(l.ResultBytes, d.ResultBytes, m.ResultBytes),
	}
}

func bound[T int | time.Duration](asked, usual, most T) T {
	if asked <= 0 {
		return usual
	}
	return min(asked, most)
}
