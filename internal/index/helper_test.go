package index

import (
	"encoding/json"
	"strings"
	"time"

	"toolcrib/internal/catalog"
)

// tool is a definition of a name, a description and names of parameters.
func tool(name, description string, parameters ...string) catalog.Found {
	properties := map[string]any{}
	for _, p := range parameters {
		properties[p] = map[string]any{"type": "string"}
	}
	raw, err := json.Marshal(map[string]any{
		"name": name, "description": description,
		"inputSchema": map[string]any{"type": "object", "properties": properties},
	})
	if err != nil {
		panic(err)
	}
	return catalog.Found{Raw: raw, Provenance: catalog.Protocol, Confidence: 1}
}

func listing(server string, tools ...catalog.Found) catalog.Listing {
	return catalog.Listing{Server: server, Tools: tools}
}

var moment = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func build(listings ...catalog.Listing) *Index {
	return New(nil, catalog.Build(listings, catalog.Rules{}, moment), nil)
}

func ids(hits []Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, string(h.Tool.ID()))
	}
	return strings.Join(out, " ")
}

// workshop are a few servers as they are found everywhere.
func workshop() []catalog.Listing {
	return []catalog.Listing{
		listing("github",
			tool("create_issue", "Create a new issue in a repository", "owner", "repo", "title"),
			tool("list_issues", "List issues of a repository", "owner", "repo"),
			tool("get_issue", "Get one issue by its number", "owner", "repo", "number"),
			tool("update_issue", "Update an issue", "owner", "repo", "number"),
			tool("create_pull_request", "Open a pull request", "owner", "repo", "head", "base"),
			tool("search_code", "Search code in all repositories", "query"),
		),
		listing("files",
			tool("read_file", "Read the contents of a file", "path"),
			tool("write_file", "Write text into a file", "path", "content"),
			tool("delete_file", "Delete a file", "path"),
			tool("directory_tree", "Show a folder and all below it as a tree", "path"),
		),
		listing("mail",
			tool("send_email", "Send a message to one or more recipients", "to", "subject", "body"),
			tool("list_folders", "List mail folders"),
		),
	}
}
