package trace

import "go.opentelemetry.io/otel/attribute"

// Attributes of the conventions for MCP and generative AI, which are still being
// developed: a name that changes there changes here, and nowhere else.
const (
	keyMethod       = attribute.Key("mcp.method.name")
	keyProtocol     = attribute.Key("mcp.protocol.version")
	keySession      = attribute.Key("mcp.session.id")
	keyResource     = attribute.Key("mcp.resource.uri")
	keyTool         = attribute.Key("gen_ai.tool.name")
	keyPrompt       = attribute.Key("gen_ai.prompt.name")
	keyOperation    = attribute.Key("gen_ai.operation.name")
	keyArguments    = attribute.Key("gen_ai.tool.call.arguments")
	keyResult       = attribute.Key("gen_ai.tool.call.result")
	keyRequestID    = attribute.Key("jsonrpc.request.id")
	keyStatusCode   = attribute.Key("rpc.response.status_code")
	keyErrorType    = attribute.Key("error.type")
	keyTransport    = attribute.Key("network.transport")
	keyAddress      = attribute.Key("server.address")
	keyPort         = attribute.Key("server.port")
	executeTool     = "execute_tool"
	transportPipe   = "pipe"
	transportTCP    = "tcp"
	errorTool       = "tool_error"
	metricOfClients = "mcp.client.operation.duration"
	metricOfServers = "mcp.server.operation.duration"
)

// Attributes that Langfuse reads, besides those above.
const (
	keyLangfuseType   = attribute.Key("langfuse.observation.type")
	keyLangfuseLevel  = attribute.Key("langfuse.observation.level")
	keyLangfuseInput  = attribute.Key("langfuse.observation.input")
	keyLangfuseOutput = attribute.Key("langfuse.observation.output")
	keyLangfuseStatus = attribute.Key("langfuse.observation.status_message")
	keyLangfuseTrace  = attribute.Key("langfuse.trace.name")
	keySessionID      = attribute.Key("session.id")
	keyUser           = attribute.Key("user.id")

	typeTool      = "tool"
	typeRetriever = "retriever"
	typeChain     = "chain"
	typeSpan      = "span"
	levelError    = "ERROR"
)

// Attributes of our own.
const (
	keyID          = attribute.Key("toolcrib.tool") // the id that one of our own tools was given
	keyScriptError = attribute.Key("toolcrib.script.error")
	keyServer      = attribute.Key("toolcrib.server")
	keyCalls       = attribute.Key("toolcrib.calls") // that a request made at servers
	keyQuery       = attribute.Key("toolcrib.search.query")
	keyVerdict     = attribute.Key("toolcrib.search.verdict")
	keyTop         = attribute.Key("toolcrib.search.top")
	keyFound       = attribute.Key("toolcrib.search.found")
	keyRung        = attribute.Key("toolcrib.discovery.rung")
	keyToolCount   = attribute.Key("toolcrib.discovery.tool_count")
	keyToolNames   = attribute.Key("toolcrib.discovery.tools")
	keyCache       = attribute.Key("toolcrib.discovery.cache")
	keyHits        = attribute.Key("toolcrib.discovery.hits")
	keyMisses      = attribute.Key("toolcrib.discovery.misses")
	keyServers     = attribute.Key("toolcrib.config.servers")
	keyProblems    = attribute.Key("toolcrib.config.problems")
)

// Labels of metrics of our own, short because people write queries with them.
const (
	labelServer  = attribute.Key("server")
	labelOutcome = attribute.Key("outcome")
	labelVerdict = attribute.Key("verdict")
	labelState   = attribute.Key("state")
	labelVersion = attribute.Key("version")
)
