package wire

import "testing"

const (
	legacyParams = `{"name":"echo","arguments":{"text":"hello"},"_meta":{"progressToken":7}}`
	modernParams = `{"name":"echo","arguments":{"text":"hello"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"sampling":{},"roots":{}}}}`
)

func BenchmarkReadMeta(b *testing.B) {
	for name, text := range map[string]string{"legacy": legacyParams, "modern": modernParams} {
		b.Run(name, func(b *testing.B) {
			params := []byte(text)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := readMeta(params); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
