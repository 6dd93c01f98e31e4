package wire

import "testing"

func TestAddContent(t *testing.T) {
	const block = `{"type":"text","text":"docs"}`
	for _, c := range []struct{ result, first, last string }{
		{`{}`, `{"content":[B]}`, `{"content":[B]}`},
		{`{"content":null}`, `{"content":[B]}`, `{"content":[B]}`},
		{`{"content":[]}`, `{"content":[B]}`, `{"content":[B]}`},
		{`{"content":[ ]}`, `{"content":[B]}`, `{"content":[B]}`},
		{`{"content":[1]}`, `{"content":[B,1]}`, `{"content":[1,B]}`},
		{"{ \"content\" : [ 1 , {\"x\":[]} ] ,\n\"n\":1e400 }", "{ \"content\" : [B, 1 , {\"x\":[]} ] ,\n\"n\":1e400 }", "{ \"content\" : [ 1 , {\"x\":[]} ,B] ,\n\"n\":1e400 }"},
		{`{"a":9223372036854775807,"content":["]"],"structuredContent":{"content":[]}}`, `{"a":9223372036854775807,"content":[B,"]"],"structuredContent":{"content":[]}}`, `{"a":9223372036854775807,"content":["]",B],"structuredContent":{"content":[]}}`},
	} {
		for first, want := range map[bool]string{true: c.first, false: c.last} {
			got, err := AddContent([]byte(c.result), []byte("B"), first)
			if err != nil || string(got) != want {
				t.Errorf("%s: got %s, want %s (%v)", c.result, got, want, err)
			}
			if got, err = AddContent([]byte(c.result), []byte(block), first); err != nil || CheckJSON(got) != nil {
				t.Errorf("%s: got %s (%v)", c.result, got, err)
			}
		}
	}
	for _, result := range []string{"", "null", "[]", `{"content":{}}`, `{"content":"text"}`, `{"content":7}`, `{"content":[],"content":[]}`, `{"content":[`} {
		if got, err := AddContent([]byte(result), []byte(block), true); err == nil {
			t.Errorf("%s: got %s", result, got)
		}
	}
}

// The result is a large buffer that others may hold: it must stay as it is.
func TestAddContentLeavesTheResultAlone(t *testing.T) {
	const text = `{"content":[1,2],"x":3}`
	result := append(make([]byte, 0, 1000), text...)
	for _, first := range []bool{true, false} {
		if _, err := AddContent(result, []byte(`"a block that is longer than what follows"`), first); err != nil {
			t.Fatal(err)
		}
		if string(result) != text {
			t.Fatalf("the result became %s", result)
		}
	}
}
