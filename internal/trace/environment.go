package trace

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// signals are what goes out by OTLP.
type signals struct{ traces, metrics bool }

// fromEnvironment reads what the standard variables ask for. Without any of them
// nothing is sent: that a collector listens on this machine is no reason to send
// it what agents do.
func fromEnvironment() (on signals, err error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return on, nil
	}
	if on.traces, err = wanted("TRACES"); err != nil {
		return signals{}, err
	}
	if on.metrics, err = wanted("METRICS"); err != nil {
		return signals{}, err
	}
	return on, nil
}

// wanted tells whether one signal is to be sent.
func wanted(signal string) (bool, error) {
	exporter := os.Getenv("OTEL_" + signal + "_EXPORTER")
	switch exporter {
	case "none":
		return false, nil
	case "prometheus":
		if signal == "METRICS" {
			return false, nil // they are at /metrics anyway
		}
	}
	if exporter != "" && exporter != "otlp" {
		return false, fmt.Errorf("OTEL_%s_EXPORTER is %q: only otlp and none are known", signal, exporter)
	}
	if exporter == "" && os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT") == "" {
		return false, nil
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_" + signal + "_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		protocol := os.Getenv(name)
		if protocol == "" {
			continue
		}
		if protocol != "http/protobuf" {
			return false, fmt.Errorf("%s is %q: set it to http/protobuf, the one that is spoken, and the endpoint to the port for it, 4318 as a rule", name, protocol)
		}
		break
	}
	return true, nil
}

// queueOptions are how spans are gathered.
type queueOptions struct {
	size, batch  int
	delay, limit time.Duration // between two batches; for one of them to be sent
}

// Bounds of what the variables may ask for.
const (
	mostQueued = 1 << 16
	mostBatch  = 1 << 13
)

// Four times what SDKs have, which gather the spans of one service: a gateway that makes
// 70,000 a second fills their queue in 30 ms, and with a quarter of the batches its busy
// callers wait about 2 % less.
const (
	usualQueue = 8192
	usualBatch = 2048
)

func queueFromEnvironment() queueOptions {
	o := queueOptions{
		size:  number("OTEL_BSP_MAX_QUEUE_SIZE", usualQueue, mostQueued),
		batch: number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", usualBatch, mostBatch),
		delay: time.Duration(number("OTEL_BSP_SCHEDULE_DELAY", 5000, 600_000)) * time.Millisecond,
		limit: time.Duration(number("OTEL_BSP_EXPORT_TIMEOUT", 30_000, 600_000)) * time.Millisecond,
	}
	o.batch = min(o.batch, o.size)
	return o
}

// number is a variable's value; one that is none, or out of bounds, does not
// count, as the specification of the variables has it.
func number(name string, usual, most int) int {
	n, err := strconv.Atoi(strings.TrimSpace(os.Getenv(name)))
	if err != nil || n < 1 {
		return usual
	}
	return min(n, most)
}
