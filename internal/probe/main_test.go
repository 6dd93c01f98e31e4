package probe

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"toolcrib/internal/catalog"
)

// actVariable in the environment makes the test binary be a server that does not
// speak the protocol.
const actVariable = "TOOLCRIB_PROBE_ACT"

func TestMain(m *testing.M) {
	if act := os.Getenv(actVariable); act != "" {
		os.Exit(perform(act))
	}
	goleak.VerifyTestMain(m)
}

// perform is such a server.
func perform(act string) int {
	switch act {
	case "obeys": // lists itself when the variables ask for it, and only to the bare request
		request := make([]byte, len(bareRequest))
		if _, err := io.ReadFull(os.Stdin, request); err != nil || string(request) != string(bareRequest) {
			fmt.Fprintf(os.Stderr, "unexpected request %q\n", request)
			return 3
		}
		for name, value := range discoveryEnvironment() {
			if os.Getenv(name) != value {
				fmt.Fprintf(os.Stderr, "%s is not %s\n", name, value)
				return 4
			}
		}
		fmt.Println("starting up")
		fmt.Println(`{"functions":[{"name":"get_weather","description":"The weather."}]}`)
	case "complains":
		fmt.Fprintln(os.Stderr, "Error: WEATHER_API_KEY environment variable is required")
		return 1
	case "hangs":
		fmt.Println(`{"name":"first_half","description":"Said before it hung."}`)
		_, _ = io.Copy(io.Discard, os.Stdin)
		select {}
	}
	return 0
}

// names are those of the tools, in order.
func names(t *testing.T, tools []catalog.Found) []string {
	t.Helper()
	var out []string
	for _, f := range tools {
		var d struct{ Name string }
		if err := json.Unmarshal(f.Raw, &d); err != nil {
			t.Fatalf("a definition that is no JSON: %v in %q", err, f.Raw)
		}
		out = append(out, d.Name)
	}
	return out
}

// joined are the names in one line.
func joined(t *testing.T, tools []catalog.Found) string {
	t.Helper()
	return strings.Join(names(t, tools), " ")
}
