package index

import (
	"testing"

	"toolcrib/internal/catalog"
)

// siblings are tools that differ in a word, as one server has them.
func siblings() []catalog.Listing {
	return []catalog.Listing{
		listing("registry",
			tool("registry_list", "List container registries in a subscription", "subscription"),
			tool("registry_repository_list", "List the repositories in a container registry", "registry", "subscription"),
			tool("registry_get", "Get details about one container registry", "registry"),
			tool("registry_create", "Create a container registry", "registry", "location"),
			tool("registry_delete", "Delete a container registry", "registry"),
		),
		listing("crm",
			tool("get_contact", "Get one contact by its id", "contact_id"),
			tool("get_contact_by_email", "Get one contact by its email address", "email"),
			tool("list_contacts", "List all contacts", "page"),
			tool("create_contact", "Create a new contact", "name", "email"),
			tool("update_contact", "Update the fields of a contact", "contact_id"),
			tool("delete_contact", "Delete a contact", "contact_id"),
			tool("delete_all_contacts", "Delete all contacts of the account"),
		),
		listing("files",
			tool("read_file", "Read the contents of a file", "path"),
			tool("read_multiple_files", "Read several files at once", "paths"),
			tool("write_file", "Write text into a file, replacing what is there", "path", "content"),
			tool("append_file", "Append text at the end of a file", "path", "content"),
			tool("move_file", "Move or rename a file", "source", "destination"),
		),
		listing("speech",
			tool("speech_tts", "Convert text to spoken audio", "text"),
			tool("speech_stt", "Transcribe an audio recording into text", "file"),
		),
		listing("kusto",
			tool("kusto_cluster_get", "Get details about one cluster", "cluster"),
			tool("kusto_cluster_list", "List all clusters in a subscription", "subscription"),
			tool("kusto_database_list", "List all databases in a cluster", "cluster"),
			tool("kusto_table_list", "List all tables in a database", "database"),
			tool("kusto_table_schema", "Get the schema of a table", "table"),
			tool("kusto_query", "Run a query against a cluster", "query"),
		),
	}
}

// Tools that differ in a word are told apart by it.
func TestSiblings(t *testing.T) {
	x := build(siblings()...)
	for _, c := range []struct{ query, first string }{
		{"list the container registries in my subscription", "registry.registry_list"},
		{"show me all repositories in the registry myregistry", "registry.registry_repository_list"},
		{"get the details of registry myregistry", "registry.registry_get"},
		{"create a container registry", "registry.registry_create"},
		{"delete the registry", "registry.registry_delete"},
		{"get the contact with id 42", "crm.get_contact"},
		{"find a contact by email address", "crm.get_contact_by_email"},
		{"list contacts", "crm.list_contacts"},
		{"show all contacts", "crm.list_contacts"},
		{"add a contact", "crm.create_contact"},
		{"change the phone number of a contact", "crm.update_contact"},
		{"remove a contact", "crm.delete_contact"},
		{"delete all contacts", "crm.delete_all_contacts"},
		{"read a file", "files.read_file"},
		{"read several files at once", "files.read_multiple_files"},
		{"write text to a file", "files.write_file"},
		{"append a line to the end of a file", "files.append_file"},
		{"rename a file", "files.move_file"},
		{"turn this text into spoken audio", "speech.speech_tts"},
		{"transcribe a recording", "speech.speech_stt"},
		{"list all clusters in my subscription", "kusto.kusto_cluster_list"},
		{"get the details of cluster mycluster", "kusto.kusto_cluster_get"},
		{"list all databases in the cluster", "kusto.kusto_database_list"},
		{"list all tables in the database", "kusto.kusto_table_list"},
		{"show the schema of table events", "kusto.kusto_table_schema"},
	} {
		r := x.Search(t.Context(), &Query{Text: c.query, Limit: 3})
		if len(r.Hits) == 0 || string(r.Hits[0].Tool.ID()) != c.first {
			t.Errorf("%q: %s, not %s", c.query, ids(r.Hits), c.first)
		}
	}
}
