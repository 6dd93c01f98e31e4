package mcptest

// Lines that are JSON, but no JSON-RPC message.

func envelopeCases() [][2]string {
	ok := answerWith(plainResult)
	rest := `"id":` + idMark + `,"result":` + plainResult
	cases := [][2]string{
		{"empty object", `{}`},
		{"empty batch", `[]`},
		{"batch of one", `[` + ok + `]`},
		{"batch of two", `[` + ok + `,` + ok + `]`},
		{"batch of scalars", `[1,null,"a"]`},
		{"batch in a batch", `[[` + ok + `]]`},
		{"message as a string", `"{\"jsonrpc\":\"2.0\"}"`},
		{"no jsonrpc", `{` + rest + `}`},
		{"only jsonrpc", `{"jsonrpc":"2.0"}`},
		{"log line", `{"level":"info","msg":"ready"}`},
		{"neither result nor error", envelope(`"id":` + idMark)},
		{"result and error", envelope(rest + `,"error":{"code":-32000,"message":"both"}`)},
		{"error and result", envelope(`"error":{"code":-32000,"message":"both"},` + rest)},
		{"result and null error", envelope(rest + `,"error":null`)},
		{"null result and error", envelope(`"id":` + idMark + `,"result":null,"error":{"code":-32000,"message":"both"}`)},
		{"result and method", envelope(rest + `,"method":"ping"`)},
		{"error and method", envelope(`"id":` + idMark + `,"method":"ping","error":{"code":-32000,"message":"both"}`)},
		{"result without id", envelope(`"result":` + plainResult)},
		{"params without method", envelope(`"id":` + idMark + `,"params":{}`)},
		{"wrapped in a message", `{"message":` + ok + `}`},
	}
	cases = append(cases, namedBy("scalar ", `%s`, `null`, `true`, `false`, `0`, `-1.5e3`, `"text"`, `""`)...)
	cases = append(cases, namedBy("jsonrpc is ", `{"jsonrpc":%s,`+rest+`}`, `"1.0"`, `"2"`, `2`, `2.0`, `null`, `true`, `["2.0"]`, `{}`, `"2.0 "`, `"2.1"`, `""`)...)
	cases = append(cases, namedBy("method is ", envelope(`"id":"m1","method":%s`), `null`, `1`, `true`, `[]`, `{}`, `["ping"]`)...)
	cases = append(cases, namedBy("params is ", envelope(`"method":"notifications/message","params":%s`), `1`, `"text"`, `true`, `[]`, `[1,2]`)...)
	return append(cases, namedBy("request params is ", envelope(`"id":"p1","method":"ping","params":%s`), `1`, `"text"`, `false`, `[]`)...)
}

func idCases() [][2]string {
	return append(
		namedBy("response id is ", envelope(`"id":%s,"result":`+plainResult), `null`, `true`, `false`, `[]`, `{}`, `[1]`, `{"id":1}`, `1.5`, `-1.5`, `1e400`),
		namedBy("request id is ", envelope(`"id":%s,"method":"ping"`), `null`, `true`, `[]`, `{}`, `0.5`)...)
}

func errorCases() [][2]string {
	return namedBy("error is ", envelope(`"id":`+idMark+`,"error":%s`),
		`null`, `1`, `"text"`, `true`, `[]`, `{}`,
		`{"code":-32000}`, `{"message":"no code"}`, `{"code":"-32000","message":"text code"}`, `{"code":1.5,"message":"half"}`,
		`{"code":null,"message":"none"}`, `{"code":-32000,"message":null}`, `{"code":-32000,"message":5}`, `{"code":-32000,"message":{}}`,
		`{"code":[],"message":"list"}`, `{"code":1e100,"message":"huge"}`, `{"code":9223372036854775808,"message":"overflow"}`)
}
