package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const noteScheme = "note://"

// notes is the notes server: a store and what of it is shown as resources.
type notes struct {
	store  *store
	server *mcp.Server
}

// newNotes takes the directory as its argument.
func newNotes(args []string) (*mcp.Server, func() error, error) {
	if len(args) != 1 || args[0] == "" {
		return nil, nil, errors.New("it needs one argument, the directory to keep the notes in")
	}
	store, err := openStore(args[0])
	if err != nil {
		return nil, nil, err
	}
	n := &notes{store: store, server: newServer("notes", "Notes", &mcp.ServerOptions{
		Instructions: "Notes kept on this machine. Each note is also a resource, note://<id>. Use search_notes before adding a note that may already exist.",
	})}
	n.addTools()
	n.server.AddPrompt(&mcp.Prompt{
		Name: "summarize_notes", Title: "Summarize notes",
		Description: "Summarize all notes, or those about one topic.",
		Arguments: []*mcp.PromptArgument{
			{Name: "topic", Title: "Topic", Description: "Only notes that contain this text or have this tag"},
		},
	}, n.summarize)
	n.server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: noteScheme + "{id}", Name: "note", Title: "A note by its id",
		Description: "The text of one note.", MIMEType: "text/markdown",
	}, n.read)
	saved, _, err := store.all()
	if err != nil {
		return nil, nil, errors.Join(err, store.close())
	}
	for _, note := range saved {
		n.show(note)
	}
	return n.server, store.close, nil
}

// show makes a note a resource; clients are told that the list changed.
func (n *notes) show(note note) {
	n.server.AddResource(&mcp.Resource{
		URI: noteScheme + note.ID, Name: note.ID, Title: note.Title, MIMEType: "text/markdown",
		Size: int64(len(note.Text)), Annotations: &mcp.Annotations{LastModified: note.Created.Format(time.RFC3339)},
	}, n.read)
}

func (n *notes) read(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	note, err := n.store.get(strings.TrimPrefix(r.Params.URI, noteScheme))
	if err != nil {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
		URI: r.Params.URI, MIMEType: "text/markdown", Text: note.markdown(),
	}}}, nil
}

func (n note) markdown() string { return "# " + n.Title + "\n\n" + n.Text + "\n" }

func (n *notes) summarize(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	topic := strings.TrimSpace(r.Params.Arguments["topic"])
	all, _, err := n.store.all()
	if err != nil {
		return nil, err
	}
	messages := []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{}}}
	for _, note := range all {
		if topic != "" && !note.matches(topic) {
			continue
		}
		messages = append(messages, &mcp.PromptMessage{Role: "user", Content: &mcp.EmbeddedResource{
			Resource: &mcp.ResourceContents{URI: noteScheme + note.ID, MIMEType: "text/markdown", Text: note.markdown()},
		}})
	}
	ask := fmt.Sprintf("Summarize my %d notes in at most five sentences. Name the note behind each point by its title.", len(messages)-1)
	switch {
	case len(messages) == 1 && topic != "":
		ask = fmt.Sprintf("I have no notes about %q. Tell me so, and offer to add one.", topic)
	case len(messages) == 1:
		ask = "I have no notes yet. Tell me so, and offer to add one."
	case topic != "":
		ask = fmt.Sprintf("Summarize what my %d notes say about %q in at most five sentences. Name the note behind each point by its title.", len(messages)-1, topic)
	}
	messages[0].Content = &mcp.TextContent{Text: ask}
	return &mcp.GetPromptResult{Description: "A summary of notes", Messages: messages}, nil
}

// matches says whether a note is about a text: in its title, its text or a tag.
func (n note) matches(query string) bool {
	query = strings.ToLower(query)
	return strings.Contains(strings.ToLower(n.Title), query) ||
		strings.Contains(strings.ToLower(n.Text), query) ||
		slices.ContainsFunc(n.Tags, func(tag string) bool { return strings.EqualFold(tag, query) })
}
