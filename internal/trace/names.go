package trace

import (
	"go.opentelemetry.io/otel/attribute"
	"google.golang.org/protobuf/encoding/protowire"

	"toolcrib/internal/wire"
)

// A key is the name of an attribute, written as an attribute of that name begins: see
// record.
type key string

func newKey(name string) key {
	return key(append(protowire.AppendString([]byte{tagKey}, name), tagValue))
}

// label is the same as a label of metrics.
func (k key) label() attribute.Key {
	name, _ := protowire.ConsumeString([]byte(k[1:]))
	return attribute.Key(name)
}

// A mark is an attribute that is the same in many spans, as it is written.
type mark string

func (k key) as(value string) mark {
	return mark(record(nil).text(k, value))
}

// Attributes of the conventions for MCP and generative AI, which are still being
// developed: a name that changes there changes here, and nowhere else.
var (
	keyMethod     = newKey("mcp.method.name")
	keyProtocol   = newKey("mcp.protocol.version")
	keySession    = newKey("mcp.session.id")
	keyResource   = newKey("mcp.resource.uri")
	keyTool       = newKey("gen_ai.tool.name")
	keyPrompt     = newKey("gen_ai.prompt.name")
	keyOperation  = newKey("gen_ai.operation.name")
	keyArguments  = newKey("gen_ai.tool.call.arguments")
	keyResult     = newKey("gen_ai.tool.call.result")
	keyRequestID  = newKey("jsonrpc.request.id")
	keyStatusCode = newKey("rpc.response.status_code")
	keyErrorType  = newKey("error.type")
	keyTransport  = newKey("network.transport")
	keyAddress    = newKey("server.address")
	keyPort       = newKey("server.port")
)

// What they say of most spans.
var (
	markToolsCall   = keyMethod.as(wire.MethodToolsCall)
	markExecuteTool = keyOperation.as("execute_tool")
	markPipe        = keyTransport.as("pipe")
	markTCP         = keyTransport.as("tcp")
)

const (
	errorTool       = "tool_error"
	metricOfClients = "mcp.client.operation.duration"
	metricOfServers = "mcp.server.operation.duration"
)

// Attributes that Langfuse reads, besides those above.
var (
	keyLangfuseType   = newKey("langfuse.observation.type")
	keyLangfuseLevel  = newKey("langfuse.observation.level")
	keyLangfuseInput  = newKey("langfuse.observation.input")
	keyLangfuseOutput = newKey("langfuse.observation.output")
	keyLangfuseStatus = newKey("langfuse.observation.status_message")
	keyLangfuseTrace  = newKey("langfuse.trace.name")
	keySessionID      = newKey("session.id")
	keyUser           = newKey("user.id")
)

// What they say to it.
var (
	markTool      = keyLangfuseType.as("tool")
	markRetriever = keyLangfuseType.as("retriever")
	markChain     = keyLangfuseType.as("chain")
	markSpan      = keyLangfuseType.as("span")
	markFailed    = keyLangfuseLevel.as("ERROR")
)

// Attributes of our own.
var (
	keyID          = newKey("toolcrib.tool") // the id that one of our own tools was given
	keyScriptError = newKey("toolcrib.script.error")
	keyServer      = newKey("toolcrib.server")
	keyCalls       = newKey("toolcrib.calls") // that a request made at servers
	keyQuery       = newKey("toolcrib.search.query")
	keyVerdict     = newKey("toolcrib.search.verdict")
	keyTop         = newKey("toolcrib.search.top")
	keyFound       = newKey("toolcrib.search.found")
	keyRung        = newKey("toolcrib.discovery.rung")
	keyToolCount   = newKey("toolcrib.discovery.tool_count")
	keyToolNames   = newKey("toolcrib.discovery.tools")
	keyCache       = newKey("toolcrib.discovery.cache")
	keyHits        = newKey("toolcrib.discovery.hits")
	keyMisses      = newKey("toolcrib.discovery.misses")
	keyServers     = newKey("toolcrib.config.servers")
	keyProblems    = newKey("toolcrib.config.problems")
)

// Labels of metrics of our own, short because people write queries with them.
const (
	labelServer  = attribute.Key("server")
	labelOutcome = attribute.Key("outcome")
	labelVerdict = attribute.Key("verdict")
	labelState   = attribute.Key("state")
	labelVersion = attribute.Key("version")
)
