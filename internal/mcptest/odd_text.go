package mcptest

import "strings"

// The texts of the behaviour odd. Each holds something that decoding and
// encoding again would change: big and oddly written numbers, escapes that need
// not be, spaces, unknown members at every level, unusual order.

const oddURI = "odd://b%C3%BCcher/\u03b1?x=1"

const oddInitialize = `{"instructions":"Tab\tand \u0041nd \/ and \ud83d\ude00 and 😀",` +
	`"serverInfo" : {"x-build":9223372036854775807,"version":"1.10","name":"odd","icons":[{"src":"data:,","sizes":["any"],"x-n":1e-7}]},` +
	`"capabilities":{"tools":{"x-mode":"odd","listChanged":true},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{},"experimental":{"vendor\/thing":{"level":1.10}},"extensions":{"com.example/odd":{"n":-0}}},` +
	`"x-unknown":[1,2.0,3e0],"protocolVersion":"@version@"}`

const oddDiscover = `{"x-unknown":[1,2.0,3e0],"supportedVersions":@versions@, "ttlMs":60000,"cacheScope":"public",` +
	`"instructions":"Tab\tand \u0041nd \/ and \ud83d\ude00 and 😀","resultType":"complete",` +
	`"capabilities":{"tools":{"x-mode":"odd","listChanged":true},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{},"experimental":{"vendor\/thing":{"level":1.10}},"extensions":{"com.example/odd":{"n":-0}}},` +
	`"_meta":{"io.modelcontextprotocol/serverInfo":{"x-build":9223372036854775807,"version":"1.10","name":"odd"},"com.example/trace":"\u0061bc"}}`

const oddPromptList = `{"prompts":[{"x-first":true,"arguments":[{"required":true,"name":"a","x-hint":1e-7,"description":"caf\u00e9"}],"name":"odd","title":"O\/dd","description":"Line one\nline two","icons":[{"src":"https:\/\/example.com\/i.png"}],"_meta":{"k":{"n":18446744073709551615}}}],` + modernMark + cacheMark + `"x-total":1.0}`

const oddResourceList = `{` + cacheMark + `"x-before":null,"resources" : [ {"name":"b\u00fccher","uri":"` + oddURI + `","size":9007199254740993,"annotations":{"priority":0.10,"audience":["user"],"x-a":[]},"mimeType":"text/x-odd; charset=utf-8"} ],` + modernMark + `"_meta":{}}`

const oddTemplateList = `{` + modernMark + `"resourceTemplates":[{"uriTemplate":"odd://{+path}{?q*}","name":"odd","x-y":{"z":1.0e+2},"description":""}],` + cacheMark + `"x-after":[[[]]]}`

const oddPrompt = `{"x-p":0.0,"messages":[{"content":{"text":"\u00e9 is \\u00e9, \/ is /","type":"text","x-c":1},"role":"user","x-m":2},{"role":"assistant","content":{"type":"x-vendor/chart","points":[[1,1e-7],[2,9223372036854775807]]}}],` + modernMark + `"description":"d"}`

const oddResource = `{"contents":[{"text":"raw 😀, escaped \ud83d\ude00, \u2028 and ` + "\u2028" + `","uri":"` + oddURI + `","x-etag":"W\/\"1\"","_meta":{"n":-9223372036854775808}},{"uri":"odd://blob","blob":"AAEC\/w=="}],` + cacheMark + modernMark + `"x-z":{}}`

const oddCompletion = `{"completion":{"hasMore":false,"x-scores":[0.10,1E5],"values":["x\u0079z","x\/y"],"total":2.0},` + modernMark + `"x-c":""}`

type oddTool struct {
	name       string
	definition string
	answer     string
	fault      bool
}

func oddToolList() string {
	var all []string
	for _, t := range oddTools() {
		all = append(all, t.definition)
	}
	return `{"x-vendor":{"page":1.0},` + cacheMark + `"tools" : [` + strings.Join(all, " , ") + `],` + modernMark + `"_meta":{"com.example/n":12345678901234567890}}`
}

func oddTools() []oddTool {
	return []oddTool{
		{
			name:       "numbers",
			definition: `{"inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807,"default":1.10,"multipleOf":1e-7,"enum":[0,-0,1E+2,18446744073709551616]}},"x-order":[3,1,2]},"name":"numbers","x-vendor":{"deep":{"deeper":[1.0]}},"description":"Numbers that a double cannot hold"}`,
			answer:     `{"structuredContent":{"int64":9223372036854775807,"min":-9223372036854775808,"big":123456789012345678901234567890,"small":1e-7,"price":1.10,"exp":1E+2,"minus":-0,"zero":0.0,"long":0.1000000000000000055511151231257827021181583404541015625},` + modernMark + `"content":[{"text":"9223372036854775807","type":"text"}]}`,
		},
		{
			name:       "text",
			definition: `{"name":"text","title":"T\u0065xt","description":"Escapes that need not be: \u0041, \/, \ud83d\ude00, and a raw 😀","inputSchema":{"$schema":"http:\/\/json-schema.org\/draft-07\/schema#","type":"object","definitions":{"a":{"type":["string","null"]}},"properties":{"a":{"$ref":"#\/definitions\/a"}},"dependencies":{"a":["b"]},"additionalItems":false}}`,
			answer:     `{` + modernMark + `"content":[{"type":"text","text":"\u0041\/\ud83d\ude00😀\u0000\u001f\u007f` + "\u007f" + `\b\f\n\r\t\"\\"},{"type":"text","text":"e\u0301 e` + "\u0301" + ` \u202e \ufeff ` + "\ufeff" + ` \uFFFD"}],"isError" : false}`,
		},
		{
			name:       "vendor",
			definition: `{"name":"vendor","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"node":{"$anchor":"n","type":"object","properties":{"next":{"$ref":"#n"}},"unevaluatedProperties":false}},"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},"x-ui":{"widget":"tree"}},"outputSchema":{"type":"object","$defs":{},"x-out":1.0},"annotations":{"readOnlyHint":true,"x-cost":0.10,"title":"V"},"icons":[{"src":"data:image\/png;base64,AA==","x-i":1}],"execution":{"taskSupport":"optional","x-e":null},"_meta":{"ui":{"resourceUri":"ui:\/\/odd"},"com.example\/k":[9223372036854775807]}}`,
			answer:     `{"content":[{"x-vendor":true,"type":"x-vendor\/chart","points":[[1,1e-7]],"_meta":{"n":1.10}},{"type":"resource_link","name":"l","uri":"odd:\/\/l","size":9007199254740993,"x-l":[]},{"data":"AA==","mimeType":"image\/png","type":"image","annotations":{"priority":1.0,"x-a":1}},{"type":"resource","resource":{"x-r":{},"uri":"odd:\/\/r","text":"\u0072"}}],"x-result":{"a":[{"b":[{"c":1e-7}]}]},"_meta":{"com.example/k":{"n":18446744073709551615}},` + modernMark + `"structuredContent":{"b":2,"a":1,"10":1,"9":2}}`,
		},
		{
			name:       "scalar",
			definition: `{"name":"scalar","description":"Structured content that is no object","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}`,
			answer:     `{"structuredContent":[1.0,{"a":null},"\u0078"],"content":[],` + modernMark + `"isError":true}`,
		},
		{
			name:       "deep",
			definition: `{"name":"deep","inputSchema":{"type":"object","properties":{"d":` + strings.Repeat(`{"items":`, 60) + `{}` + strings.Repeat(`}`, 60) + `}}}`,
			answer:     `{` + modernMark + `"content":[{"type":"text","text":""}],"structuredContent":{"d":` + strings.Repeat(`[`, 200) + `1.0` + strings.Repeat(`]`, 200) + `}}`,
		},
		{
			name:       "fault",
			definition: `{"name":"fault","inputSchema":{"type":"object"}}`,
			answer:     `{"x-e":1.0,"message":"odd \u0065rror \/ 😀","data":{"n":9223372036854775807,"s":"\u0041","a":[1e-7,1.10],"x":{"y":null}},"code":-32051}`,
			fault:      true,
		},
		{
			name:       "fault.scalar-data",
			definition: `{"name":"fault.scalar-data","inputSchema":{"type":"object"}}`,
			answer:     `{"code":4242,"message":"","data":1.10}`,
			fault:      true,
		},
	}
}

// OddToolDefinitions are the entries of odd's tools/list, byte for byte.
func OddToolDefinitions() map[string][]byte {
	all := map[string][]byte{}
	for _, t := range oddTools() {
		all[t.name] = []byte(t.definition)
	}
	return all
}
