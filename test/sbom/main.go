// Command sbom prints what a binary of Toolcrib is made of, as a CycloneDX document.
//
//	go run ./test/sbom bin/toolcrib > bin/toolcrib.cdx.json
//
// It reads what Go wrote into the binary when it was built: every module with its
// version and the sum by which it was checked, and the version of Go. What is in it
// besides, and Go does not know of, is named here.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sbom BINARY")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func write(binary string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("read what %s was built of: %w", binary, err)
	}
	b, err := json.MarshalIndent(billOf(info), "", "  ")
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(append(b, '\n'))
	return err
}
