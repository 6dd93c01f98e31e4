package probe

import (
	"strings"
	"testing"
)

func TestArgumentsThatMayLeave(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-y @acme/weather-mcp", "-y @acme/weather-mcp"},
		{"-y @acme/weather-mcp@1.2.3 --stdio", "-y @acme/weather-mcp@1.2.3 --stdio"},
		{"-m mcp_server_git --repository /home/jane/secret-project", "-m mcp_server_git --repository ***"},
		{"run -i --rm -e GITHUB_TOKEN=ghp_abc ghcr.io/github/github-mcp-server", "run -i --rm -e *** ghcr.io/github/github-mcp-server"},
		{"/home/jane/servers/weather-mcp/index.js", "index.js"},
		{`C:\Users\jane\weather-mcp.exe`, "weather-mcp.exe"},
		{"weather-mcp --token hunter2", "weather-mcp --token ***"},
		{"weather-mcp --token=hunter2", "weather-mcp --token=***"},
		{"weather-mcp --mode=fast hunter2", "weather-mcp --mode=*** ***"},
		{"weather-mcp -phunter2", "weather-mcp ***"},
		{"weather-mcp --token --mcp-pass-word", "weather-mcp --token --mcp-pass-word"},
		{"--header Authorization:Bearer-xyz mcp-remote https://user:pw@host.example/hooks/T01/secret?key=1", "--header *** mcp-remote https://host.example"},
		{"start napi_0123456789abcdefghijklmnopqrstuv", "start ***"},
		{"start sk-live-0123456789abcdef", "start ***"},
		{"postgresql://u:p@127.0.0.1:5432/db", "postgresql://127.0.0.1:5432"},
		{"AC00000000000000000000000000000000/SK00000000000000000000000000000000:fakesecret", "***"},
		{"dist/index.js 0123456789", "dist/index.js ***"},
		{"x\u202ey", "***"},
	} {
		if got := strings.Join(redactArguments(strings.Fields(test.args)), " "); got != test.want {
			t.Errorf("%s\n tells %s\n  want %s", test.args, got, test.want)
		}
	}
}

func TestIdentityIsBounded(t *testing.T) {
	id := Identity{Name: strings.Repeat("x", 10_000), Command: strings.Repeat("y", 10_000), URL: "https://host/" + strings.Repeat("z", 10_000)}
	for range 1000 {
		id.Args = append(id.Args, strings.Repeat("a", 10_000))
		id.Variables = append(id.Variables, "A_"+strings.Repeat("B", 50), "not a name", "X=secret")
	}
	d := id.described()
	if len(d.Name)+len(d.Command)+len(d.URL) > 3*maxArgument || len(d.Arguments) > maxArguments || len(d.Variables) > maxArguments {
		t.Errorf("%d, %d, %d bytes, %d arguments, %d variables", len(d.Name), len(d.Command), len(d.URL), len(d.Arguments), len(d.Variables))
	}
	for _, v := range d.Variables {
		if !strings.HasPrefix(v, "A_") {
			t.Errorf("variable %q", v)
		}
	}
}

func TestSecretsInShownText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Incorrect API key provided: sk-proj-1234567890abcdefghij", "Incorrect API key provided: ***"},
		{"token=abcdef123456 refused", "token=*** refused"},
		{"Authorization: Bearer abc123def456", "Authorization: Bearer ***"},
		{"connect to postgres://jane:hunter2@db.example:5432/x failed", "connect to postgres://***@db.example:5432/x failed"},
		{"jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc refused", "jwt *** refused"},
		{"key ghp_16C7e42F292c6912E7710c838347Ae178B4a", "key ***"},
		{"MongoServerSelectionError: connect ECONNREFUSED 127.0.0.1:27017", "MongoServerSelectionError: connect ECONNREFUSED 127.0.0.1:27017"},
		{"Set INFISICAL_UNIVERSAL_AUTH_CLIENT_SECRET in your environment", "Set INFISICAL_UNIVERSAL_AUTH_CLIENT_SECRET in your environment"},
		{"Cannot find module '@modelcontextprotocol/sdk/dist/esm/server/mcp'", "Cannot find module '@modelcontextprotocol/sdk/dist/esm/server/mcp'"},
		{"API_KEY=your_api_key or token: required", "API_KEY=your_api_key or token: required"},
	} {
		if got := redactText(test.text); got != test.want {
			t.Errorf("%s\nshown as %s\n    want %s", test.text, got, test.want)
		}
	}
}
