package mcptest

import "strings"

// JSON-RPC messages that are legal, or nearly, and dangerous.

func doubledCases() [][2]string {
	r := `"result":` + plainResult
	id := `"id":` + idMark
	return [][2]string{
		{"doubled jsonrpc", envelope(`"jsonrpc":"2.0",` + id + `,` + r)},
		{"doubled jsonrpc, one wrong", envelope(`"jsonrpc":"1.0",` + id + `,` + r)},
		{"doubled id, equal", envelope(id + `,` + id + `,` + r)},
		{"doubled id, right one last", envelope(`"id":424242,` + id + `,` + r)},
		{"doubled id, right one first", envelope(id + `,"id":424242,` + r)},
		{"doubled id, one null", envelope(id + `,"id":null,` + r)},
		{"doubled id, one escaped", envelope(id + `,"\u0069d":424242,` + r)},
		{"escaped id alone", envelope(`"i\u0064":` + idMark + `,` + r)},
		{"doubled result", envelope(id + `,` + r + `,"result":{"content":[]}`)},
		{"doubled result, one escaped", envelope(id + `,` + r + `,"resul\u0074":{"content":[]}`)},
		{"doubled error", envelope(id + `,"error":{"code":1,"message":"a"},"error":{"code":2,"message":"b"}`)},
		{"doubled method", envelope(`"method":"ping","method":"tools/list","id":"d1"`)},
		{"doubled params", envelope(`"method":"notifications/message","params":{},"params":{"level":"info"}`)},
		{"doubled code", envelope(id + `,"error":{"code":1,"code":2,"message":"a"}`)},
		{"doubled member of result", answerWith(`{"content":[],"content":[{"type":"text","text":"b"}]}`)},
		{"doubled member deep down", answerWith(`{"content":[{"type":"text","text":"a","text":"b"}]}`)},
		{"doubled isError", answerWith(`{"content":[],"isError":false,"isError":true}`)},
		{"doubled resultType", answerWith(`{"content":[],"resultType":"complete","resultType":"input_required"}`)},
		{"doubled _meta", answerWith(`{"content":[],"_meta":{},"_meta":{"a":1}}`)},
		{"doubled empty name", answerWith(`{"content":[],"":1,"":2}`)},
		{"doubled name with astral character", answerWith(`{"content":[],"😀":1,"\ud83d\ude00":2}`)},
	}
}

func wrongCaseCases() [][2]string {
	r := `"result":` + plainResult
	id := `"id":` + idMark
	return [][2]string{
		{"Id", envelope(`"Id":` + idMark + `,` + r)},
		{"ID", envelope(`"ID":` + idMark + `,` + r)},
		{"Jsonrpc", `{"Jsonrpc":"2.0",` + id + `,` + r + `}`},
		{"JSONRPC", `{"JSONRPC":"2.0",` + id + `,` + r + `}`},
		{"jsonRpc", `{"jsonRpc":"2.0",` + id + `,` + r + `}`},
		{"Result", envelope(id + `,"Result":` + plainResult)},
		{"RESULT", envelope(id + `,"RESULT":` + plainResult)},
		{"result and Result", envelope(id + `,` + r + `,"Result":{"content":[]}`)},
		{"Error", envelope(id + `,"Error":{"code":1,"message":"a"}`)},
		{"result and ERROR", envelope(id + `,` + r + `,"ERROR":{"code":1,"message":"a"}`)},
		{"Method", envelope(`"Method":"ping","id":"w1"`)},
		{"method and Method", envelope(`"method":"ping","Method":"tools/list","id":"w2"`)},
		{"Params", envelope(`"method":"notifications/message","Params":{}`)},
		{"id and ID", envelope(id + `,"ID":424242,` + r)},
		{"long s in result", envelope(id + `,"re\u017fult":` + plainResult)},
		{"raw long s in result", envelope(id + ",\"re\u017fult\":" + plainResult)},
		{"escaped upper case", envelope(id + `,` + r + `,"\u0052esult":{}`)},
		{"Code", envelope(id + `,"error":{"Code":1,"message":"a"}`)},
		{"Message", envelope(id + `,"error":{"code":1,"Message":"a"}`)},
	}
}

func extremeCases() [][2]string {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	var many strings.Builder
	for i := range 100_000 {
		if i > 0 {
			many.WriteByte(',')
		}
		many.WriteString(`"k` + strings.Repeat("x", i%3) + string(encode(i)) + `":0`)
	}
	return [][2]string{
		{"nested 1,001 deep", answerWith(`{"d":` + nested(1001) + `}`)},
		{"nested 9,000 deep", answerWith(`{"d":` + nested(9000) + `}`)},
		{"objects nested 5,000 deep", answerWith(strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000))},
		{"id nested 2,000 deep", envelope(`"id":` + nested(2000) + `,"result":{}`)},
		{"error data nested 5,000 deep", envelope(`"id":` + idMark + `,"error":{"code":1,"message":"a","data":` + nested(5000) + `}`)},
		{"unknown member nested 5,000 deep", envelope(`"id":` + idMark + `,"x":` + nested(5000) + `,"result":` + plainResult)},
		{"100,000 members", answerWith(`{` + many.String() + `}`)},
		{"number of 100,000 digits", answerWith(`{"n":` + strings.Repeat("9", 100_000) + `}`)},
		{"exponent of 1,000 digits", answerWith(`{"n":1e` + strings.Repeat("9", 1000) + `}`)},
		{"fraction of 100,000 digits", answerWith(`{"n":0.` + strings.Repeat("3", 100_000) + `}`)},
		{"number beyond a double", answerWith(`{"n":1e400,"m":-1e400,"s":1e-400}`)},
		{"id of 1,000 digits", envelope(`"id":` + strings.Repeat("9", 1000) + `,"result":{}`)},
		{"id of 1 MB", envelope(`"id":"` + strings.Repeat("i", 1<<20) + `","result":{}`)},
		{"method of 1 MB", envelope(`"method":"` + strings.Repeat("m", 1<<20) + `"`)},
		{"name of 1 MB", answerWith(`{"` + strings.Repeat("k", 1<<20) + `":1}`)},
		{"1 MB of escapes", answerWith(`{"s":"` + strings.Repeat(`\u0041`, 1<<20/6) + `"}`)},
		{"1 MB of spaces", `{"jsonrpc":"2.0",` + strings.Repeat(" ", 1<<20) + `"id":` + idMark + `,"result":` + plainResult + `}`},
		{"lone high surrogate", answerWith(`{"content":[{"type":"text","text":"\ud800"}]}`)},
		{"lone low surrogate", answerWith(`{"content":[{"type":"text","text":"\udc00"}]}`)},
		{"surrogates the wrong way round", answerWith(`{"content":[{"type":"text","text":"\ude00\ud83d"}]}`)},
		{"high surrogate before text", answerWith(`{"content":[{"type":"text","text":"\ud83dx"}]}`)},
		{"high surrogate before an escape", answerWith(`{"content":[{"type":"text","text":"\ud83d\n"}]}`)},
		{"two high surrogates", answerWith(`{"content":[{"type":"text","text":"\ud83d\ud83d\ude00"}]}`)},
		{"lone surrogate in a name", answerWith(`{"content":[],"\ud800":1}`)},
		{"lone surrogate in id", envelope(`"id":"\ud800","result":{}`)},
		{"null character in a name", answerWith(`{"content":[],"a\u0000b":1}`)},
		{"names of a prototype", answerWith(`{"content":[],"__proto__":{"isError":true},"constructor":{"prototype":{}}}`)},
	}
}
