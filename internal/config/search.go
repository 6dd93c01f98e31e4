package config

// Search is how tools are found, beyond what the gateway knows by itself.
type Search struct {
	NoLearning bool // which tools are called together, and after a search, is not counted
	Embedder   Embedder
}

// Embedder is a model of somebody's own that tells what texts mean. It is off
// without a URL.
type Embedder struct {
	URL    string // of an OpenAI-compatible interface, such as http://127.0.0.1:11434/v1
	Model  string
	KeyEnv string // the environment variable that holds its key
}

func (d *decoder) search(n *node) Search {
	var out Search
	d.fields(n, "search", []field{
		{"learn", func(n *node) { out.NoLearning = !d.boolean(n, "search.learn") }},
		{"embedder", func(n *node) { out.Embedder = d.embedder(n) }},
	})
	return out
}

func (d *decoder) embedder(n *node) Embedder {
	var e Embedder
	before := len(d.problems)
	d.fields(n, "search.embedder", []field{
		{"url", func(n *node) {
			e.URL = d.text(n, "search.embedder.url")
			if e.URL != "" && !isWebAddress(e.URL) {
				d.problem(n.at, "search.embedder.url must be an address such as http://127.0.0.1:11434/v1")
			}
		}},
		{"model", func(n *node) { e.Model = d.text(n, "search.embedder.model") }},
		{"key_env", func(n *node) { e.KeyEnv = d.text(n, "search.embedder.key_env") }},
	})
	if len(d.problems) == before && n.kind == mapNode && (e.URL == "" || e.Model == "") {
		d.problem(n.at, "search.embedder needs a url and a model")
	}
	return e
}
