package probe

import (
	"strconv"
	"strings"
	"testing"
)

func TestApprovedNames(t *testing.T) {
	tests := []struct{ name, server, entries, want string }{
		{"plain", "weather", "get_it,set-it, cut.it ,getIt", "get_it set-it cut.it getIt"},
		{"patterns", "weather", "*,get_*,?,mcp__weather__*,weather:*,*:*,*:get_it,[a-z],(x),", ""},
		{"all of a server", "weather", "mcp__weather,mcp__weather__", ""},
		{"claude", "weather", "mcp__weather__get_it", "get_it"},
		{"cursor", "weather", "weather:get_it", "get_it"},
		{"another server", "weather", "mcp__other__get_it,other:get_it,mcp__weather2__get_it", ""},
		{"server with the separator", "my__weather", "mcp__my__weather__get_it", "get_it"},
		{"tool with the separator", "weather", "mcp__weather__get__it", "get__it"},
		{"server's name as clients write it", "My Weather.v2", "mcp__My_Weather_v2__get_it,mcp__my-weather-v2__set_it", "get_it set_it"},
		{"server's name beyond ASCII", "wétter", "mcp__w_tter__get_it,mcp__wétter__set_it", "get_it set_it"},
		{"server unknown", "", "mcp__x__get_it,x:set_it", "get_it set_it"},
		{"other permissions", "weather", "Bash(ls:*),Read(~/x),WebFetch(domain:x)", ""},
		{"twice", "weather", "get_it,mcp__weather__get_it,weather:get_it", "get_it"},
		{"hidden characters", "weather", "get\u202eit,get\x00it,\x1b[31mx", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(ApprovedNames(test.server, strings.Split(test.entries, ",")), " ")
			if got != test.want {
				t.Errorf("named %q, want %q", got, test.want)
			}
		})
	}
}

func TestApprovedNamesAreBounded(t *testing.T) {
	var many []string
	for i := range 2 * maxTools {
		many = append(many, "tool_"+strconv.Itoa(i))
	}
	many = append(many, strings.Repeat("x", maxName+1))
	if got := len(ApprovedNames("x", many)); got != maxTools {
		t.Errorf("%d names, want %d", got, maxTools)
	}
}
