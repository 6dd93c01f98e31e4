package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"toolcrib/internal/config"
)

// welcome is what toolcrib alone prints: where one stands, what was found on this
// computer, and the next commands. --help has all of them.
func (s *streams) welcome() error {
	var b strings.Builder
	b.WriteString("Toolcrib is one gateway in front of many MCP servers.\n\n")
	c, err := s.load("")
	var bad *config.Error
	_, _, missing := s.reader().Files()
	switch {
	case missing != nil && s.named("") == "":
		s.welcomeNew(&b)
	case errors.As(err, &bad):
		fmt.Fprintf(&b, "The configuration %s cannot be used: it has %s.\n\n", bad.Problems[0].File, count(len(bad.Problems), "problem"))
		next(&b, "toolcrib config validate", "shows what is wrong, and where", "toolcrib doctor", "checks everything else too")
	case err != nil:
		return err
	default:
		fmt.Fprintf(&b, "It is configured in %s, with %s.\n\n", c.File, count(len(c.Servers), "server"))
		next(&b, "toolcrib doctor", "checks that everything works", "toolcrib servers", "shows the servers and what is known of them",
			"toolcrib tools search WORDS", "finds a tool by what it does", "toolcrib install CLIENT", "puts this gateway into a client's file",
			"toolcrib serve --http "+defaultAddress, "serves agents at an address")
	}
	_, err = io.WriteString(s.out, b.String())
	return err
}

// welcomeNew is for somebody who has no configuration yet.
func (s *streams) welcomeNew(b *strings.Builder) {
	b.WriteString("There is no configuration yet. ")
	found, err := s.reader().Import(config.OwnFile(s.getenv), false)
	fresh := 0
	var clients []string
	if err == nil {
		fresh, clients = s.listFound(b, found)
	}
	if fresh == 0 {
		b.WriteString("No other client has servers on this computer.\n\n")
		next(b, "toolcrib demo", "serves small servers that need nothing installed", "toolcrib config schema", "prints what a configuration may hold, for editors",
			"toolcrib config path", "says where it is looked for, and shows a first one")
		return
	}
	next(b, "toolcrib import --write", fmt.Sprintf("makes a configuration of %s; without --write shows them", count(fresh, "server")),
		"toolcrib install "+clients[0], "puts this gateway into that client's file, after that",
		"toolcrib demo", "serves small servers that need nothing installed")
}

// listFound tells what other clients have.
func (s *streams) listFound(b *strings.Builder, found *config.Import) (fresh int, clients []string) {
	type one struct {
		client, file string
		servers      []string
	}
	var files []*one
	for _, c := range found.Candidates {
		if c.Status == config.Added {
			fresh++
		} else if c.Status == config.Itself {
			continue
		}
		i := slices.IndexFunc(files, func(f *one) bool { return f.file == c.Source })
		if i < 0 {
			i = len(files)
			files = append(files, &one{client: c.Client, file: c.Source})
			clients = append(clients, c.Client)
		}
		files[i].servers = append(files[i].servers, c.Name)
	}
	if fresh == 0 {
		return 0, nil
	}
	b.WriteString("On this computer there are:\n\n")
	t := &table{width: terminalOf(s.out, s.getenv).width}
	for _, f := range files {
		t.add("  "+f.client, f.file, several(f.servers))
	}
	_ = t.print(b) // into memory
	b.WriteByte('\n')
	return fresh, clients
}

// next lists commands with what each does, and how to find the others.
func next(b *strings.Builder, pairs ...string) {
	b.WriteString("Next:\n")
	t := &table{}
	for i := 0; i+1 < len(pairs); i += 2 {
		t.add("  "+pairs[i], pairs[i+1])
	}
	t.add("  toolcrib --help", "lists all commands")
	_ = t.print(b) // into memory
}
