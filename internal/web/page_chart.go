package web

import "fmt"

// Charts are drawn by templates as SVG; here is worked out where everything is.

// A slice is a part of a bar that is cut by kinds.
type slice struct {
	Name  string
	Value int
	Class string  // its colour
	X, W  float64 // of 100
}

// place lays slices side by side, with a gap between them.
func place(list []slice) {
	total := 0
	for _, s := range list {
		total += s.Value
	}
	if total == 0 {
		return
	}
	const gap = 0.4
	x, room := 0.0, 100-gap*float64(len(list)-1)
	for i := range list {
		list[i].X, list[i].W = x, room*float64(list[i].Value)/float64(total)
		x += list[i].W + gap
	}
}

// A bar is one line of a list of bars.
type bar struct {
	Name  string
	Value int
	Width float64 // of 100
}

// A chart is columns over time, each of what went well and what did not.
type chart struct {
	Width, Height float64
	Columns       []column
	Top           int64 // of the axis
	Total, Failed int64
	Says          string // the same in words
}

// A column is one minute.
type column struct {
	X, W        float64
	Y, H        float64 // of what went well
	BadY, BadH  float64
	Calls, Errs int64
	Minute      Minute
}

const (
	chartWidth  = 720.0
	chartHeight = 120.0
)

// callChart draws the calls of each minute.
func callChart(minutes []Minute) chart {
	c := chart{Width: chartWidth, Height: chartHeight, Top: 1}
	for _, m := range minutes {
		c.Top = max(c.Top, m.Calls)
		c.Total += m.Calls
		c.Failed += m.Errors
	}
	c.Top = roundUp(c.Top)
	step := chartWidth / float64(max(1, len(minutes)))
	for i, m := range minutes {
		scale := func(n int64) float64 { return chartHeight * float64(n) / float64(c.Top) }
		k := column{X: float64(i)*step + step*.12, W: step * .76, Calls: m.Calls, Errs: m.Errors, Minute: m}
		k.BadH = scale(min(m.Errors, m.Calls))
		k.H = scale(m.Calls) - k.BadH
		k.BadY = chartHeight - k.BadH
		k.Y = k.BadY - k.H
		c.Columns = append(c.Columns, k)
	}
	c.Says = fmt.Sprintf("%s in the last %d minutes, %s of them failed", plural(c.Total, "call", "calls"), len(minutes), group(c.Failed))
	return c
}

// roundUp is the next number that an axis may end at, one that is easily halved.
func roundUp(n int64) int64 {
	for top := int64(1); ; top *= 10 {
		for _, m := range [...]int64{1, 2, 4, 6, 8} {
			if top*m >= n {
				return top * m
			}
		}
	}
}
