package mcptest

// Proper messages that nobody waits for, or whose content is no MCP.

func strayCases() [][2]string {
	ok := answerWith(plainResult)
	cases := [][2]string{
		{"answered twice", ok + "\n" + ok},
		{"answered, then failed", ok + "\n" + envelope(`"id":`+idMark+`,"error":{"code":1,"message":"late"}`)},
		{"error without id", envelope(`"error":{"code":-32700,"message":"parse error"}`)},
		{"error with null id", envelope(`"id":null,"error":{"code":-32700,"message":"parse error"}`)},
		{"unknown members", envelope(`"id":` + idMark + `,"x-a":1,"result":` + plainResult + `,"x-b":{}`)},
		{"unknown request", envelope(`"id":"s1","method":"no/such"`)},
		{"unknown request, number id", envelope(`"id":-7,"method":"no/such","params":{}`)},
		{"request with the id of ours", envelope(`"id":` + idMark + `,"method":"ping"`)},
		{"request to initialize", envelope(`"id":"s2","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`)},
		{"request for our tools", envelope(`"id":"s3","method":"tools/list"`)},
		{"request with empty method", envelope(`"id":"s4","method":""`)},
		{"elicitation without params", envelope(`"id":"s5","method":"elicitation/create"`)},
		{"sampling without messages", envelope(`"id":"s6","method":"sampling/createMessage","params":{}`)},
		{"roots", envelope(`"id":"s7","method":"roots/list"`)},
		{"same request twice", envelope(`"id":"s8","method":"ping"`) + "\n" + envelope(`"id":"s8","method":"ping"`)},
		{"unknown notification", envelope(`"method":"notifications/no/such","params":{"a":1}`)},
		{"notification with empty method", envelope(`"method":""`)},
		{"initialized by the server", envelope(`"method":"notifications/initialized"`)},
		{"progress without params", envelope(`"method":"notifications/progress"`)},
		{"progress of an unknown token", envelope(`"method":"notifications/progress","params":{"progressToken":"none","progress":1}`)},
		{"progress that goes back", envelope(`"method":"notifications/progress","params":{"progressToken":` + idMark + `,"progress":-1,"total":-5}`)},
		{"progress with an odd token", envelope(`"method":"notifications/progress","params":{"progressToken":{"a":1},"progress":"much"}`)},
		{"cancelled without params", envelope(`"method":"notifications/cancelled"`)},
		{"cancelled, unknown", envelope(`"method":"notifications/cancelled","params":{"requestId":"none"}`)},
		{"cancelled, our own request", envelope(`"method":"notifications/cancelled","params":{"requestId":` + idMark + `}`)},
		{"cancelled, odd id", envelope(`"method":"notifications/cancelled","params":{"requestId":{"a":[]}}`)},
		{"log with an unknown level", envelope(`"method":"notifications/message","params":{"level":"loud","data":1}`)},
		{"log without params", envelope(`"method":"notifications/message"`)},
		{"list changed with odd params", envelope(`"method":"notifications/tools/list_changed","params":{"tools":[1]}`)},
		{"resource updated without uri", envelope(`"method":"notifications/resources/updated","params":{}`)},
		{"resource updated, uri is a number", envelope(`"method":"notifications/resources/updated","params":{"uri":7}`)},
		{"subscription acknowledged", envelope(`"method":"notifications/subscriptions/acknowledged","params":{"notifications":{}}`)},
		{"notification of an unknown subscription", envelope(`"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"none"}}`)},
	}
	return append(cases, namedBy("response to ", envelope(`"id":%s,"result":{}`), `424242`, `-1`, `0`, `"none"`, `""`, `"null"`, `9007199254740993`, `"server-1"`)...)
}

func shapeCases() [][2]string {
	return namedBy("result is ", envelope(`"id":`+idMark+`,"result":%s`),
		`null`, `true`, `7`, `"text"`, `[]`, `{}`, `{"content":null}`, `{"content":"text"}`, `{"content":{}}`, `{"content":[null]}`, `{"content":[[]]}`,
		`{"content":[{}]}`, `{"content":[{"type":7}]}`, `{"content":[],"isError":"yes"}`, `{"content":[],"structuredContent":null}`,
		`{"content":[],"_meta":null}`, `{"content":[],"_meta":[]}`, `{"resultType":"no-such"}`, `{"resultType":7}`,
		`{"resultType":"input_required"}`, `{"resultType":"input_required","inputRequests":[]}`, `{"resultType":"input_required","inputRequests":{"a":null}}`,
		`{"resultType":"input_required","inputRequests":{"a":{"method":"no/such"}}}`, `{"resultType":"input_required","requestState":7}`,
		`{"resultType":"task","task":null}`)
}
