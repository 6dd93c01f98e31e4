package corpus

var servers = []Server{
	{
		Name: "wrtnlabs-calculator-mcp", Package: "@wrtnlabs/calculator-mcp", Entry: "bin/index.js",
		Because: "prints on stdout before it answers",
	},
	{
		Name: "time-mcp", Package: "time-mcp", Entry: "dist/index.js",
		Because: "prints on stdout before it answers",
	},
	{
		Name: "agent-infra-mcp-server-commands", Package: "@agent-infra/mcp-server-commands", Entry: "dist/index.cjs",
		Because: "prints on stdout before it answers",
	},
	{
		Name: "agent-infra-mcp-server-filesystem", Package: "@agent-infra/mcp-server-filesystem", Entry: "dist/index.cjs",
		Args:    []string{"--allowed-directories", "{dir}"},
		Because: "prints on stdout before it answers",
	},
	{
		Name: "mcp-server-code-runner", Package: "mcp-server-code-runner", Entry: "dist/cli.js",
		Because: "prints on stdout before it answers",
	},
	{
		Name: "elastic-mcp-server-elasticsearch", Package: "@elastic/mcp-server-elasticsearch", Entry: "dist/index.js",
		Env:     map[string]string{"ES_URL": "http://127.0.0.1:9200", "ES_API_KEY": "fake"},
		Because: "JSON on stdout that is no message; stays",
	},
	{
		Name: "pokemon-mcp-server", Package: "pokemon-mcp-server", Entry: "build/cli.js",
		Because: "stays when its input ends",
	},
	{
		Name: "openbnb-mcp-server-airbnb", Package: "@openbnb/mcp-server-airbnb", Entry: "dist/index.js",
		Because: "stays when its input ends",
	},
	{
		Name: "delorenj-mcp-server-trello", Package: "@delorenj/mcp-server-trello", Entry: "build/index.js",
		Env:     map[string]string{"TRELLO_API_KEY": "fake0000000000000000000000000000", "TRELLO_TOKEN": "fake0000000000000000000000000000"},
		Because: "stays when its input ends",
		Asks:    []string{"TRELLO_API_KEY", "TRELLO_TOKEN"},
	},
	{
		Name: "zereight-mcp-gitlab", Package: "@zereight/mcp-gitlab", Entry: "build/index.js",
		Env:     map[string]string{"GITLAB_PERSONAL_ACCESS_TOKEN": "fake", "GITLAB_API_URL": "https://gitlab.example.invalid/api/v4"},
		Because: "starts a child; an answer of 160 KB",
		Asks:    []string{"GITLAB_PERSONAL_ACCESS_TOKEN"},
	},
	{
		Name: "softeria-ms-365-mcp-server", Package: "@softeria/ms-365-mcp-server", Entry: "dist/index.js",
		Args:    []string{"--org-mode"},
		Because: "an answer of 2 MB in one line",
	},
	{
		Name: "hostinger-api-mcp", Package: "hostinger-api-mcp", Entry: "src/servers/all.js",
		Env:     map[string]string{"API_TOKEN": "fake"},
		Because: "an answer of 360 KB; 401 tools",
	},
	{
		Name: "brave-brave-search-mcp-server", Package: "@brave/brave-search-mcp-server", Entry: "dist/index.js",
		Env:     map[string]string{"BRAVE_API_KEY": "fake", "BRAVE_MCP_TRANSPORT": "stdio"},
		Because: "an answer of 110 KB",
		Asks:    []string{"BRAVE_API_KEY"},
	},
	{
		Name: "cyanheads-git-mcp-server", Package: "@cyanheads/git-mcp-server", Entry: "dist/index.js",
		Because: "an answer of 73 KB",
	},
	{
		Name: "tmdb-mcp", Package: "tmdb-mcp", Entry: "dist/index.js",
		Because: "an answer of 98 KB",
	},
	{
		Name: "replicate-mcp", Package: "replicate-mcp", Entry: "index.js",
		Env:     map[string]string{"REPLICATE_API_TOKEN": "fake0000000000000000000000000000"},
		Because: "lists its tools on stderr",
		Asks:    []string{"REPLICATE_API_TOKEN"},
	},
	{
		Name: "hubspot-mcp", Package: "hubspot-mcp", Entry: "build/index.js",
		Env:     map[string]string{"HUBSPOT_API_KEY": "fake0000000000000000000000000000", "HUBSPOT_ACCESS_TOKEN": "fake0000000000000000000000000000"},
		Because: "writes its log as JSON",
		Asks:    []string{"HUBSPOT_API_KEY", "HUBSPOT_ACCESS_TOKEN"},
	},
	{
		Name: "strapi-mcp", Package: "strapi-mcp", Entry: "build/index.js",
		Env:     map[string]string{"STRAPI_API_TOKEN": "fake0000000000000000000000000000", "STRAPI_ADMIN_EMAIL": "user@example.com", "STRAPI_ADMIN_PASSWORD": "fake0000000000000000000000000000"},
		Because: "asks for one of several settings",
		Asks:    []string{"STRAPI_API_TOKEN"},
	},
	{
		Name: "airtable-mcp-server", Package: "airtable-mcp-server", Entry: "dist/main.js",
		Env:     map[string]string{"AIRTABLE_API_KEY": "fake0000000000000000000000000000"},
		Because: "a stack trace without its key",
		Asks:    []string{"AIRTABLE_API_KEY"},
	},
	{
		Name: "mysql-mcp-server", Package: "mysql-mcp-server", Entry: "build/index.js",
		Env:     map[string]string{"MYSQL_HOST": "127.0.0.1", "MYSQL_USER": "fake0000000000000000000000000000"},
		Because: "wants settings, not a key",
		Asks:    []string{"MYSQL_HOST"},
	},
	{
		Name: "alanse-mcp-neo4j-server", Package: "@alanse/mcp-neo4j-server", Entry: "build/index.js",
		Env:     map[string]string{"NEO4J_PASSWORD": "fake0000000000000000000000000000"},
		Because: "wants a password",
		Asks:    []string{"NEO4J_PASSWORD"},
	},
	{
		Name: "amap-amap-maps-mcp-server", Package: "@amap/amap-maps-mcp-server", Entry: "build/index.js",
		Env:     map[string]string{"AMAP_MAPS_API_KEY": "fake0000000000000000000000000000"},
		Because: "described in Chinese",
		Asks:    []string{"AMAP_MAPS_API_KEY"},
	},
	{
		Name: "codacy-codacy-mcp", Package: "@codacy/codacy-mcp", Entry: "dist/index.js",
		Env:     map[string]string{"CODACY_ACCOUNT_TOKEN": "fake0000000000000000000000000000"},
		Because: "wants a token",
		Asks:    []string{"CODACY_ACCOUNT_TOKEN"},
	},
	{
		Name: "unsplash-mcp-server", Package: "unsplash-mcp-server", Entry: "build/index.js",
		Env:     map[string]string{"UNSPLASH_ACCESS_KEY": "fake0000000000000000000000000000"},
		Because: "wants a key",
		Asks:    []string{"UNSPLASH_ACCESS_KEY"},
	},
	{
		Name: "resend-mcp", Package: "resend-mcp", Entry: "dist/index.js",
		Env:     map[string]string{"RESEND_API_KEY": "fake0000000000000000000000000000"},
		Because: "77 tools; wants a key",
		Asks:    []string{"RESEND_API_KEY"},
	},
	{
		Name: "ref-slack", Package: "@modelcontextprotocol/server-slack", Entry: "dist/index.js",
		Env:     map[string]string{"SLACK_BOT_TOKEN": "xoxb-fake", "SLACK_TEAM_ID": "T0000000"},
		Because: "wants two settings",
		Asks:    []string{"SLACK_BOT_TOKEN", "SLACK_TEAM_ID"},
	},
	{
		Name: "ref-brave-search", Package: "@modelcontextprotocol/server-brave-search", Entry: "dist/index.js",
		Env:     map[string]string{"BRAVE_API_KEY": "fake0000000000000000000000000000"},
		Because: "wants a key",
		Asks:    []string{"BRAVE_API_KEY"},
	},
	{
		Name: "ref-everything", Package: "@modelcontextprotocol/server-everything", Entry: "dist/index.js",
		Because: "uses all of the protocol",
		Adds:    []string{"get-roots-list", "trigger-elicitation-request", "trigger-sampling-request", "trigger-url-elicitation"},
	},
	{
		Name: "ref-filesystem", Package: "@modelcontextprotocol/server-filesystem", Entry: "dist/index.js",
		Args:    []string{"{dir}"},
		Because: "asks for roots",
	},
	{
		Name: "ref-memory", Package: "@modelcontextprotocol/server-memory", Entry: "dist/index.js",
		Because: "one of the reference servers",
	},
	{
		Name: "coding-solo-godot-mcp", Package: "@coding-solo/godot-mcp", Entry: "build/index.js",
		Because: "few packages",
	},
	{
		Name: "itseasy21-mcp-knowledge-graph", Package: "@itseasy21/mcp-knowledge-graph", Entry: "dist/index.js",
		Because: "an old version of the protocol",
	},
}
