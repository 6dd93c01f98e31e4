package web

import "encoding/json"

// A Config is what the gateway was told, and what is wrong with that.
type Config struct {
	Files     []ConfigFile    `json:"files"`
	Problems  []ConfigProblem `json:"problems"`
	Effective string          `json:"effective,omitempty"` // what it comes to as YAML, without secrets
	Withheld  string          `json:"withheld,omitempty"`  // why parts are not shown to whoever asks
}

// A ConfigFile is one that is read, and read again when it changes.
type ConfigFile struct {
	Path   string `json:"path"`
	Main   bool   `json:"main"`   // the configuration itself
	Exists bool   `json:"exists"` // else it is watched for
}

// A ConfigProblem is something that is wrong in a file.
type ConfigProblem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"` // from 1; 0 is the whole file
	Column  int    `json:"column,omitempty"`
	Text    string `json:"text"`
	Excerpt string `json:"excerpt,omitempty"` // the line with a caret below
	Fatal   bool   `json:"fatal"`             // the file is not in use because of it
}

// A Script is one that is stored in the configuration.
type Script struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema"`           // of its arguments
	Source      string          `json:"source,omitempty"` // where it stands
}
