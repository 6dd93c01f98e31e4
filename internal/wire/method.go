package wire

import "slices"

// Methods and notifications that we look at. Any other passes through unread.
const (
	MethodInitialize    = "initialize"
	MethodInitialized   = "notifications/initialized"
	MethodDiscover      = "server/discover"
	MethodPing          = "ping"
	MethodToolsList     = "tools/list"
	MethodToolsCall     = "tools/call"
	MethodPromptsList   = "prompts/list"
	MethodPromptsGet    = "prompts/get"
	MethodResourcesList = "resources/list"
	MethodTemplatesList = "resources/templates/list"
	MethodResourcesRead = "resources/read"
	MethodSubscribe     = "resources/subscribe"
	MethodUnsubscribe   = "resources/unsubscribe"
	MethodComplete      = "completion/complete"
	MethodSetLevel      = "logging/setLevel"
	MethodListen        = "subscriptions/listen"
	MethodTasksList     = "tasks/list"
	MethodTasksGet      = "tasks/get"
	MethodTasksUpdate   = "tasks/update"
	MethodTasksCancel   = "tasks/cancel"
	MethodTasksResult   = "tasks/result"

	MethodElicit    = "elicitation/create"
	MethodSample    = "sampling/createMessage"
	MethodRootsList = "roots/list"

	MethodCancelled        = "notifications/cancelled"
	MethodProgress         = "notifications/progress"
	MethodLogMessage       = "notifications/message"
	MethodToolsChanged     = "notifications/tools/list_changed"
	MethodPromptsChanged   = "notifications/prompts/list_changed"
	MethodResourcesChanged = "notifications/resources/list_changed"
	MethodResourceUpdated  = "notifications/resources/updated"
	MethodRootsChanged     = "notifications/roots/list_changed"
	MethodElicitComplete   = "notifications/elicitation/complete"
	MethodAcknowledged     = "notifications/subscriptions/acknowledged"
)

// Members of a request's _meta that the modern protocol reserves.
const (
	MetaVersion            = "io.modelcontextprotocol/protocolVersion"
	MetaClientInfo         = "io.modelcontextprotocol/clientInfo"
	MetaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaLogLevel           = "io.modelcontextprotocol/logLevel"
	MetaServerInfo         = "io.modelcontextprotocol/serverInfo"
	MetaSubscription       = "io.modelcontextprotocol/subscriptionId"
	MetaRelatedTask        = "io.modelcontextprotocol/related-task"
)

// Protocol versions. The modern one has no handshake: every request says what
// the others say once, in initialize.
const (
	VersionModern = "2026-07-28"
	Version202511 = "2025-11-25"
	Version202506 = "2025-06-18"
	Version202503 = "2025-03-26"
	Version202411 = "2024-11-05"
)

// LegacyVersions are the versions with a handshake, newest first.
var LegacyVersions = []string{Version202511, Version202506, Version202503, Version202411}

// Versions are all that we speak, newest first.
var Versions = append([]string{VersionModern}, LegacyVersions...)

// An Era is one of the two ways to speak MCP.
type Era uint8

const (
	Legacy Era = iota + 1 // initialize, sessions, requests in both directions
	Modern                // 2026-07-28: every request stands alone
)

func (e Era) String() string {
	switch e {
	case Legacy:
		return "legacy"
	case Modern:
		return "modern"
	}
	return "unknown"
}

// Negotiate picks the legacy version for an agent that asked for requested.
func Negotiate(requested string) string {
	if slices.Contains(LegacyVersions, requested) {
		return requested
	}
	return LegacyVersions[0]
}

// namedMember is the params member that the Mcp-Name header repeats.
func namedMember(method string) string {
	switch method {
	case MethodToolsCall, MethodPromptsGet:
		return "name"
	case MethodResourcesRead:
		return "uri"
	case MethodTasksGet, MethodTasksUpdate, MethodTasksCancel:
		return "taskId"
	}
	return ""
}
