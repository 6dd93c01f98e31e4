package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// brief is a note in a list.
type brief struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Tags    []string `json:"tags"`
	Created string   `json:"created"`
	URI     string   `json:"uri" jsonschema:"the note as a resource"`
}

type briefs struct {
	Notes      []brief `json:"notes"`
	Total      int     `json:"total" jsonschema:"how many there are, of which at most limit are listed"`
	Unreadable int     `json:"unreadable,omitempty" jsonschema:"files in the directory that are damaged"`
}

type fullNote struct {
	brief
	Text string `json:"text"`
}

type noteID struct {
	ID string `json:"id" jsonschema:"the note's id, as list_notes shows it"`
}

type deleted struct {
	Deleted string `json:"deleted" jsonschema:"the id of the note that is gone"`
}

func (n note) brief() brief {
	return brief{ID: n.ID, Title: n.Title, Tags: n.Tags, Created: n.Created.Format(time.RFC3339), URI: noteScheme + n.ID}
}

func (n *notes) addTools() {
	limit := object{"type": "integer", "minimum": 1, "maximum": maxNotes, "default": 50, "description": "how many to list at most"}
	add(n.server, &mcp.Tool{
		Name: "add_note", Title: "Add note", Annotations: changing(false, false),
		Description: "Save a new note. Returns its id and its resource, note://<id>.",
	}, n.add)
	add(n.server, &mcp.Tool{
		Name: "list_notes", Title: "List notes", Annotations: readOnly(),
		Description: "List all notes, the newest first, without their texts.",
		InputSchema: schemaOf(object{
			"tag":   object{"type": "string", "description": "only notes with this tag"},
			"limit": limit,
		}),
	}, n.list)
	add(n.server, &mcp.Tool{
		Name: "get_note", Title: "Read note", Annotations: readOnly(),
		Description: "Read one note with its text.",
	}, n.get)
	add(n.server, &mcp.Tool{
		Name: "search_notes", Title: "Search notes", Annotations: readOnly(),
		Description: "Find notes by a word or phrase in their title or text, or by a tag. Upper and lower case are the same.",
		InputSchema: schemaOf(object{
			"query": object{"type": "string", "minLength": 1, "description": "what to look for"},
			"limit": limit,
		}, "query"),
	}, n.search)
	add(n.server, &mcp.Tool{
		Name: "delete_note", Title: "Delete note", Annotations: changing(true, true),
		Description: "Delete a note for good.",
	}, n.delete)
}

type newNote struct {
	Title string   `json:"title" jsonschema:"a short title"`
	Text  string   `json:"text" jsonschema:"the note itself, as Markdown"`
	Tags  []string `json:"tags,omitempty" jsonschema:"words to find it by"`
}

func (n *notes) add(_ context.Context, in newNote) (string, brief, error) {
	note, err := n.store.add(in.Title, in.Text, in.Tags, time.Now())
	if err != nil {
		return "", brief{}, err
	}
	n.show(note)
	return fmt.Sprintf("Saved note %s.", note.ID), note.brief(), nil
}

type listNotes struct {
	Tag   string `json:"tag"`
	Limit int    `json:"limit"`
}

func (n *notes) list(_ context.Context, in listNotes) (string, briefs, error) {
	return n.found(in.Limit, func(note note) bool {
		return in.Tag == "" || contains(note.Tags, in.Tag)
	})
}

type searchNotes struct {
	Query string `json:"query"`
	Limit int    `json:"limit"`
}

func (n *notes) search(_ context.Context, in searchNotes) (string, briefs, error) {
	return n.found(in.Limit, func(note note) bool { return note.matches(in.Query) })
}

// found lists the notes that are wanted.
func (n *notes) found(limit int, wanted func(note) bool) (string, briefs, error) {
	all, unreadable, err := n.store.all()
	if err != nil {
		return "", briefs{}, err
	}
	out := briefs{Notes: []brief{}, Unreadable: unreadable}
	var text strings.Builder
	for _, note := range all {
		if !wanted(note) {
			continue
		}
		if out.Total++; out.Total > limit {
			continue
		}
		out.Notes = append(out.Notes, note.brief())
		fmt.Fprintf(&text, "%s: %s\n", note.ID, note.Title)
	}
	head := fmt.Sprintf("%d of %d notes:\n", len(out.Notes), out.Total)
	if out.Total == 0 {
		head = "No notes. Add one with add_note.\n"
	}
	if unreadable > 0 {
		fmt.Fprintf(&text, "%d files in the directory are damaged.\n", unreadable)
	}
	return strings.TrimSpace(head + text.String()), out, nil
}

func (n *notes) get(_ context.Context, in noteID) (string, fullNote, error) {
	note, err := n.store.get(in.ID)
	if err != nil {
		return "", fullNote{}, err
	}
	return note.markdown(), fullNote{brief: note.brief(), Text: note.Text}, nil
}

func (n *notes) delete(_ context.Context, in noteID) (string, deleted, error) {
	if err := n.store.delete(in.ID); err != nil {
		return "", deleted{}, err
	}
	n.server.RemoveResources(noteScheme + in.ID)
	return fmt.Sprintf("Deleted note %s.", in.ID), deleted{Deleted: in.ID}, nil
}

func contains(tags []string, tag string) bool {
	for _, t := range tags {
		if strings.EqualFold(t, tag) {
			return true
		}
	}
	return false
}
