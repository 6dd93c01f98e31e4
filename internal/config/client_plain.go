package config

// These keep mcpServers in a file of their own, as most do, and differ in nothing
// but where that is.
var (
	lmStudio = client{name: "lm-studio", title: "LM Studio", places: user("~/.lmstudio/mcp.json")}
	junie    = client{name: "junie", title: "JetBrains Junie", places: append(user("~/.junie/mcp/mcp.json"), project("{project}/.junie/mcp/mcp.json")...)}
	kimi     = client{name: "kimi", title: "Kimi CLI", places: user("~/.kimi/mcp.json"), write: shape{remote: func(r remote) *node {
		return part(pair{"url", text(r.url)}, pair{"transport", text("http")}, pair{"headers", r.headers})
	}}}
	factory = client{name: "factory", title: "Factory Droid", places: append(user("~/.factory/mcp.json"), project("{project}/.factory/mcp.json")...), forms: plainForm, write: shape{remote: typedRemote("http")}}
	trae    = client{name: "trae", title: "Trae", places: append(user("{config}/Trae/User/mcp.json"), project("{project}/.trae/mcp.json")...)}
	qoder   = client{name: "qoder", title: "Qoder", places: user("{config}/Qoder/SharedClientCache/mcp.json")}
)
