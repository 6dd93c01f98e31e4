package config

import (
	"net/url"
	"time"
)

// Discovery is how the gateway learns what servers offer.
type Discovery struct {
	TTL      time.Duration // how long a listing holds if the server does not say
	Parallel int           // servers that are listed at once
	Timeout  time.Duration // of each other way to learn what a server offers
	NoProbe  bool          // a server that does not answer the protocol is left at that
	NoCache  bool          // listings are not kept for the next start
	Predict  Predict
}

// Predict is a model that guesses the tools of servers that tell nothing. It is
// off without a URL.
type Predict struct {
	URL    string // of an OpenAI-compatible interface, such as https://host/v1
	Model  string
	KeyEnv string // the environment variable that holds its key
}

// A CategoryRule puts tools into a category.
type CategoryRule struct {
	Category string
	Server   string   // pattern; empty for all
	Tools    []string // patterns
	Words    []string // whole words of names and descriptions
}

func (d *decoder) discovery(n *node) Discovery {
	var out Discovery
	d.fields(n, "discovery", []field{
		{"ttl", func(n *node) { out.TTL = d.duration(n, "discovery.ttl", 0) }},
		{"parallel", func(n *node) { out.Parallel = d.integer(n, "discovery.parallel", 1, 64) }},
		{"probe", func(n *node) { out.NoProbe = !d.boolean(n, "discovery.probe") }},
		{"enabled", func(n *node) { out.NoProbe = !d.boolean(n, "discovery.enabled") }}, // what others call probe
		{"cache", func(n *node) { out.NoCache = !d.boolean(n, "discovery.cache") }},
		{"timeout", func(n *node) { out.Timeout = d.duration(n, "discovery.timeout", 0) }},
		{"predict", func(n *node) { out.Predict = d.predict(n) }},
	})
	return out
}

func (d *decoder) predict(n *node) Predict {
	var p Predict
	before := len(d.problems)
	d.fields(n, "discovery.predict", []field{
		{"url", func(n *node) {
			p.URL = d.text(n, "discovery.predict.url")
			if p.URL != "" && !isWebAddress(p.URL) {
				d.problem(n.at, "discovery.predict.url must be an address such as https://models.example.com/v1")
			}
		}},
		{"model", func(n *node) { p.Model = d.text(n, "discovery.predict.model") }},
		{"key_env", func(n *node) { p.KeyEnv = d.text(n, "discovery.predict.key_env") }},
	})
	if len(d.problems) == before && n.kind == mapNode && (p.URL == "" || p.Model == "") {
		d.problem(n.at, "discovery.predict needs a url and a model")
	}
	return p
}

func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func (d *decoder) categories(n *node) (out []CategoryRule) {
	d.list(n, "categories", func(item *node) {
		var r CategoryRule
		before := len(d.problems)
		d.fields(item, "a category rule", []field{
			{"category", func(n *node) { r.Category = d.text(n, "category") }},
			{"server", func(n *node) { r.Server = d.text(n, "server") }},
			{"tools", func(n *node) { r.Tools = d.texts(n, "tools") }},
			{"words", func(n *node) { r.Words = d.texts(n, "words") }},
		})
		switch {
		case len(d.problems) > before || item.about != nil:
		case r.Category == "":
			d.problem(item.at, "a category rule needs a category")
		case r.Server == "" && len(r.Tools) == 0 && len(r.Words) == 0:
			d.problem(item.at, "a category rule needs a server, tools or words that it is about")
		default:
			out = append(out, r)
		}
	})
	return out
}
