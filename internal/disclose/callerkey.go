package disclose

import (
	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// conversationKeys are the members of _meta by which agents tell one
// conversation from another, the surest first. Each is taken with the name of
// its member, so that none can be mistaken for another.
var conversationKeys = []string{
	"threadId",              // Codex
	"vscode.conversationId", // VS Code
	"openai/session",        // ChatGPT
	"sessionID",             // opencode
	"sessionId",             // Codex, others
}

// maxKey bounds what an agent can make us keep of it.
const maxKey = 200

// CallerKey is whom a call is made for: what first-call documentation hangs on.
// It is never the process, nor the model's name: of what tells callers apart, the
// most exact wins.
//
//  1. a conversation that the agent names in _meta
//  2. the header that the configuration names
//  3. the session: a stdio connection, or a legacy one over HTTP
//  4. who is authenticated, with the name of the client
//
// All of it is within what the caller is authenticated as. It saves tokens and
// decides nothing else: an agent can name any conversation it likes.
func CallerKey(r *call.Request) string {
	who := r.Caller
	key := "subject\x00" + clipKey(who.Subject)
	if name, value := conversation(r.Params); name != "" {
		return key + "\x00meta " + name + "\x00" + value
	}
	if who.Conversation != "" {
		return key + "\x00header\x00" + clipKey(who.Conversation)
	}
	if who.Session != nil {
		return key + "\x00session\x00" + who.Session.ID
	}
	name, _ := wire.Text(wire.Find(who.ClientInfo, "name"))
	return key + "\x00client\x00" + clipKey(name)
}

// conversation is what _meta names a conversation by.
func conversation(params []byte) (name, value string) {
	meta := wire.Find(params, "_meta")
	if meta == nil {
		return "", ""
	}
	for _, name := range conversationKeys {
		if text, ok := wire.Text(wire.Find(meta, name)); ok && text != "" {
			return name, clipKey(text)
		}
	}
	return "", ""
}

func clipKey(text string) string { return text[:min(len(text), maxKey)] }
