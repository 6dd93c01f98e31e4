package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// rungs are in words what tells where tools are from.
var rungs = map[string]string{
	"none":          "nothing",
	"stdout":        "what it printed when it was started a second time",
	"stderr":        "what it printed among its errors when it was started a second time",
	"approved_name": "names that are approved for it",
	"predicted":     "a model's guess",
}

func (i *inspection) printDiscovery(server config.Server, found *app.Discovery, raw bool) error {
	known := found.Server
	width := terminalOf(i.out, i.getenv).width
	about := &table{}
	if title := clean(strings.TrimSpace(known.Title() + " " + known.Version())); title != "" {
		about.add("Server", title)
	}
	about.add("Reached", clean(reach(server)))
	listing := known.Listing()
	if found.Failure == nil {
		about.add("Answered", fmt.Sprintf("the protocol, %s, %s", clean(listing.Version), listing.Era))
		about.add("Offers", fmt.Sprintf("%s, %s, %s, %s", count(known.Len(), "tool"), count(len(listing.Prompts), "prompt"),
			count(len(listing.Resources), "resource"), count(len(listing.Templates), "resource template")))
	} else {
		about.add("Failed", clean(found.Failure.Reason))
		if found.Failure.Next != "" {
			about.add("Next", clean(found.Failure.Next))
		}
		about.add("Tools from", rungs[found.Rung])
		for _, n := range found.Notes {
			if telling(n.Rung.String(), found) {
				about.add("", clean(fmt.Sprintf("%s: %s", n.Rung, n.Text)))
			}
		}
	}
	for _, p := range found.Problems {
		about.add("Problem", clean(p.Text))
	}
	if err := about.print(i.out); err != nil {
		return err
	}
	if known.Len() > 0 {
		tools := &table{width: width}
		tools.add("TOOL", "FOUND BY", "SURE", "DESCRIPTION")
		for _, t := range known.Tools() {
			tools.add(clean(t.Name()), string(t.Provenance()), percent(t.Confidence()), clean(t.Description()))
		}
		fmt.Fprintln(i.out)
		if err := tools.print(i.out); err != nil {
			return err
		}
	}
	if raw {
		return i.printRaw(found)
	}
	return nil
}

// telling tells whether there was anything to look at on a rung.
func telling(rung string, found *app.Discovery) bool {
	return rung == found.Rung || rung == "stdout" && len(found.Stdout) > 0 || rung == "stderr" && len(found.Stderr) > 0
}

// printRaw writes what a server printed as it is, except to a terminal, which
// would act on it.
func (i *inspection) printRaw(found *app.Discovery) error {
	if !found.Launched {
		_, err := fmt.Fprintln(i.out, "\nThe server is not started by us, so there is nothing that it prints.")
		return err
	}
	for _, stream := range []struct {
		name string
		text []byte
	}{{"standard output", found.Stdout}, {"standard error", found.Stderr}} {
		text := string(stream.text)
		if terminalOf(i.out, i.getenv).width > 0 {
			text = cleanLines(stream.text)
		}
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if _, err := io.WriteString(i.out, fmt.Sprintf("\n--- %s, %s\n%s", stream.name, count(len(stream.text), "byte"), text)); err != nil {
			return err
		}
	}
	return nil
}

func percent(confidence float64) string { return fmt.Sprintf("%.0f%%", confidence*100) }

// reach says how a server was reached. Its arguments may hold secrets, but they
// stand on the command line just above.
func reach(s config.Server) string {
	if s.URL != "" {
		return s.URL
	}
	return commandLine(append([]string{s.Command}, s.Args...))
}

type discoveredJSON struct {
	Version      int             `json:"version"`
	Transport    string          `json:"transport"`
	Rung         string          `json:"rung"`
	Protocol     *protocolJSON   `json:"protocol,omitempty"`
	ServerInfo   json.RawMessage `json:"server_info,omitempty"`
	Instructions string          `json:"instructions,omitempty"`
	Tools        []foundJSON     `json:"tools"`
	Prompts      int             `json:"prompts"`
	Resources    int             `json:"resources"`
	Templates    int             `json:"resource_templates"`
	Problems     []string        `json:"problems,omitempty"`
	Failure      *app.Failure    `json:"failure,omitempty"`
	Notes        []noteJSON      `json:"notes,omitempty"`
	Raw          *rawJSON        `json:"raw,omitempty"`
}

type protocolJSON struct {
	Era     string `json:"era"`
	Version string `json:"version"`
}

type foundJSON struct {
	Name       string          `json:"name"`
	Provenance string          `json:"provenance"`
	Confidence float64         `json:"confidence"`
	Callable   bool            `json:"callable"`
	Definition json.RawMessage `json:"definition"`
}

type noteJSON struct {
	Rung string `json:"rung"`
	Text string `json:"text"`
}

type rawJSON struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
}

func discoveryJSON(server config.Server, found *app.Discovery, raw bool) discoveredJSON {
	l := found.Server.Listing()
	out := discoveredJSON{
		Version: jsonVersion, Transport: string(server.Type), Rung: found.Rung, Failure: found.Failure,
		ServerInfo: l.ServerInfo, Instructions: l.Instructions, Tools: []foundJSON{},
		Prompts: len(l.Prompts), Resources: len(l.Resources), Templates: len(l.Templates),
	}
	if found.Failure == nil {
		out.Protocol = &protocolJSON{Era: l.Era, Version: l.Version}
	}
	for _, t := range found.Server.Tools() {
		out.Tools = append(out.Tools, foundJSON{
			Name: t.Name(), Provenance: string(t.Provenance()), Confidence: t.Confidence(), Callable: t.Callable(), Definition: t.Raw(),
		})
	}
	for _, p := range found.Problems {
		out.Problems = append(out.Problems, p.Text)
	}
	for _, n := range found.Notes {
		out.Notes = append(out.Notes, noteJSON{n.Rung.String(), n.Text})
	}
	if raw && found.Launched {
		out.Raw = &rawJSON{Stdout: string(found.Stdout), Stderr: string(found.Stderr)}
	}
	return out
}
