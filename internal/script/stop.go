package script

import (
	"context"
	"errors"
	"fmt"
)

// turnTicks is after how much work a turn is given up, if others wait for one.
const turnTicks = 10

// stop ends the script. It does not return.
func (m *machine) stop(why *Error) {
	if m.stopped == nil {
		m.stopped = why
	}
	panic(errStopped)
}

// tick counts work, and is where a script can be stopped while it works.
func (m *machine) tick(units int64) {
	m.units += units
	if m.units > int64(m.limits.Ticks)*unitsPerTick {
		m.stop(&Error{
			Code:    CodeCPULimit,
			Message: fmt.Sprintf("the script did more than %d ticks of work (about %d ms)", m.limits.Ticks, m.limits.Ticks),
			Hint:    "look for a loop that does not end, or let a tool do the work",
		})
	}
	m.check()
	if m.ticks++; m.ticks >= turnTicks {
		m.ticks = 0
		if m.engine.turns.crowded() {
			m.giveTurn()
			m.mustTakeTurn()
		}
	}
}

// check stops the script if its time is up.
func (m *machine) check() {
	if m.ctx.Err() != nil {
		m.stop(m.stopReason())
	}
}

// stopReason is why the script's context ended.
func (m *machine) stopReason() *Error {
	cause := context.Cause(m.ctx)
	switch {
	case errors.Is(cause, errTimeLimit):
		return &Error{
			Code:    CodeTimeLimit,
			Message: fmt.Sprintf("the script took longer than %v", m.limits.Wall),
			Hint:    "make calls at the same time with parallel() or await_all(), or give a longer timeout",
		}
	case m.engine.ctx.Err() != nil:
		return &Error{Code: CodeCancelled, Message: context.Cause(m.engine.ctx).Error()}
	case errors.Is(cause, context.DeadlineExceeded):
		return &Error{Code: CodeTimeLimit, Message: "the time of the request that started the script was up"}
	default:
		return &Error{Code: CodeCancelled, Message: "the request that started the script was cancelled"}
	}
}

func (m *machine) takeTurn() bool {
	m.turn = m.engine.turns.acquire(m.ctx)
	return m.turn
}

func (m *machine) mustTakeTurn() {
	if !m.takeTurn() {
		m.stop(m.stopReason())
	}
}

func (m *machine) giveTurn() {
	if m.turn {
		m.turn = false
		m.engine.turns.release()
	}
}
