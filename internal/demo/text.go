package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxText is the most that one argument of a text tool may hold.
const maxText = 1 << 20

// aText is the schema of a text argument.
func aText(about string) object {
	return object{"type": "string", "maxLength": maxText, "description": about}
}

func oneOf(about string, values ...string) object {
	return object{"type": "string", "enum": values, "description": about}
}

func newText() *mcp.Server {
	s := newServer("text", "Text utilities", &mcp.ServerOptions{
		Instructions:      "Count, change, compare, hash and encode text. Nothing is stored.",
		CompletionHandler: completeTone,
	})
	add(s, &mcp.Tool{
		Name: "word_count", Title: "Count words", Annotations: readOnly(),
		Description: "Count the words, lines, characters and bytes of a text.",
		InputSchema: schemaOf(object{"text": aText("the text to count")}, "text"),
	}, wordCount)
	add(s, &mcp.Tool{
		Name: "change_case", Title: "Change case", Annotations: readOnly(),
		Description: "Change the case of a text: UPPER, lower, Title or Sentence case, or names such as snake_case, kebab-case, camelCase and PascalCase.",
		InputSchema: schemaOf(object{"text": aText("the text to change"), "to": oneOf("the case wanted", cases()...)}, "text", "to"),
	}, changeCase)
	add(s, &mcp.Tool{
		Name: "diff", Title: "Compare texts", Annotations: readOnly(),
		Description: "Compare two texts line by line and return the changes as a unified diff.",
		InputSchema: schemaOf(object{
			"before":  aText("the old text"),
			"after":   aText("the new text"),
			"context": object{"type": "integer", "minimum": 0, "maximum": 100, "default": 3, "description": "unchanged lines to show around a change"},
		}, "before", "after"),
	}, diffTool)
	add(s, &mcp.Tool{
		Name: "find_replace", Title: "Find and replace", Annotations: readOnly(),
		Description: "Replace every occurrence of a text, or of a regular expression (RE2 syntax, with $1 for groups).",
		InputSchema: schemaOf(object{
			"text":    aText("the text to work on"),
			"find":    object{"type": "string", "minLength": 1, "maxLength": 10_000, "description": "what to find"},
			"replace": object{"type": "string", "maxLength": 10_000, "description": "what to put in its place"},
			"regex":   object{"type": "boolean", "default": false, "description": "whether find is a regular expression"},
		}, "text", "find", "replace"),
	}, findReplace)
	add(s, &mcp.Tool{
		Name: "hash", Title: "Hash", Annotations: readOnly(),
		Description: "Compute a checksum of a text's UTF-8 bytes, in hexadecimal.",
		InputSchema: schemaOf(object{
			"text":      aText("the text to hash"),
			"algorithm": object{"type": "string", "enum": hashNames(), "default": "sha256", "description": "which checksum"},
		}, "text"),
	}, hashText)
	add(s, &mcp.Tool{
		Name: "base64", Title: "Base64", Annotations: readOnly(),
		Description: "Encode text as base64, or decode base64 to text.",
		InputSchema: schemaOf(object{
			"text":      aText("what to encode or decode"),
			"direction": object{"type": "string", "enum": []string{"encode", "decode"}, "default": "encode", "description": "which way"},
			"url_safe":  object{"type": "boolean", "default": false, "description": "use - and _ instead of + and / when encoding; decoding takes both"},
		}, "text"),
	}, base64Text)
	s.AddPrompt(&mcp.Prompt{
		Name: "rewrite", Title: "Rewrite text", Description: "Rewrite a text in another tone.",
		Arguments: []*mcp.PromptArgument{
			{Name: "text", Title: "Text", Description: "The text to rewrite", Required: true},
			{Name: "tone", Title: "Tone", Description: "Such as friendly or formal", Required: true},
		},
	}, rewrite)
	return s
}

func tones() []string {
	return []string{"academic", "cheerful", "concise", "diplomatic", "formal", "friendly", "playful", "plain", "poetic", "urgent"}
}

func rewrite(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text, tone := r.Params.Arguments["text"], r.Params.Arguments["tone"]
	if text == "" || tone == "" {
		return nil, invalid("the prompt rewrite needs the arguments text and tone, such as %q", tones()[5])
	}
	return &mcp.GetPromptResult{Description: "A text to rewrite", Messages: []*mcp.PromptMessage{{
		Role:    "user",
		Content: &mcp.TextContent{Text: fmt.Sprintf("Rewrite the following text in a %s tone. Keep its meaning and its language.\n\n%s", tone, text)},
	}}}, nil
}

// completeTone completes the tone of the prompt rewrite.
func completeTone(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := []string{}
	if ref := r.Params.Ref; ref != nil && ref.Type == "ref/prompt" && ref.Name == "rewrite" && r.Params.Argument.Name == "tone" {
		typed := strings.ToLower(r.Params.Argument.Value)
		values = slices.DeleteFunc(tones(), func(t string) bool { return !strings.HasPrefix(t, typed) })
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}
