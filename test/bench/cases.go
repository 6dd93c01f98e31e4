package main

import "strconv"

// A benchCase is a load with a name.
type benchCase struct {
	name string
	load load
}

const echoArguments = `{"message":"hello from the bench, are you there?"}`

// cases of a run, the big results last because they leave memory behind; scale shrinks or grows the number of calls.
func cases(scale float64) []benchCase {
	n := func(calls, least int) int { return max(least, int(float64(calls)*scale)) }
	echo := func(callers, calls int) benchCase {
		return benchCase{"echo-" + strconv.Itoa(callers), load{callers: callers, calls: n(calls, 4*callers), tool: "echo", arguments: echoArguments}}
	}
	blob := func(name string, size, calls int) benchCase {
		return benchCase{name, load{callers: 1, calls: n(calls, 2), tool: "blob", arguments: `{"size":` + strconv.Itoa(size) + `}`, wantBytes: size}}
	}
	return []benchCase{
		echo(1, 1500),
		echo(8, 4000),
		echo(64, 6000),
		{"agents-200x10", load{callers: n(200, 20), calls: n(200, 20) * 10, tool: "echo", arguments: echoArguments, agents: true}},
		blob("result-1MB", 1<<20, 30),
		blob("result-10MB", 10<<20, 5),
	}
}

// allocationCases are few: allocations per call hardly vary.
func allocationCases(scale float64) []benchCase {
	n := func(calls int) int { return max(2, int(float64(calls)*scale)) }
	return []benchCase{
		{"echo-8", load{callers: 8, calls: max(40, n(1000)), tool: "echo", arguments: echoArguments}},
		{"result-1MB", load{callers: 1, calls: n(10), tool: "blob", arguments: `{"size":1048576}`, wantBytes: 1 << 20}},
		{"result-10MB", load{callers: 1, calls: n(4), tool: "blob", arguments: `{"size":10485760}`, wantBytes: 10 << 20}},
	}
}
