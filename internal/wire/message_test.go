package wire

import (
	"runtime"
	"testing"
)

const (
	smallResponse = `{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":"hello"}]}}`
	smallCall     = `{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"},"_meta":{"progressToken":7}}}`
)

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{"response": smallResponse, "call": smallCall} {
		b.Run(name, func(b *testing.B) {
			line := []byte(text)
			b.ReportAllocs()
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				if _, err := Parse(line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// bytesAllocated is how much memory f takes in all, freed or not.
func bytesAllocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
