package script

import "testing"

func TestValues(t *testing.T) {
	for source, want := range map[string]string{
		`return 1`: `1`,
		`local s = calculator.add({ a = 10, b = 20 }):await() return s.result`: `30`,
		`result(calculator.add({a=5,b=3}):await())`:                            `{"result":8}`,
		`return 1, nil, "x"`: `[1,null,"x"]`,
	} {
		if got := value(t, source, newHost()); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}
