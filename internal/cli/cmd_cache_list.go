package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
)

func newCacheList(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show what is saved, and how large it is",
		Long: `Show every saved listing, also of servers that are configured no more, with its
size and age. Nothing is changed, and no server is started.

Exit codes: 0 done, 1 the cache cannot be read, 2 wrong usage.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			c, err := s.cache()
			if err != nil {
				return err
			}
			survey := c.Survey()
			if survey.Err != nil {
				return fmt.Errorf("read the cache: %w", survey.Err)
			}
			if asJSON {
				return s.printJSON(cacheJSON(survey))
			}
			return s.printCache(survey)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (s *streams) printCache(survey app.CacheSurvey) error {
	t := &table{width: terminalOf(s.out, s.getenv).width}
	t.add("SERVER", "TOOLS", "SIZE", "AGE", "FILE")
	for _, one := range survey.Saved {
		t.add(clean(one.Server), fmt.Sprint(one.Tools), size(one.Size), age(one.Taken), one.File)
	}
	if err := t.print(s.out); err != nil {
		return err
	}
	parts := []string{count(len(survey.Saved), "listing"), size(survey.Total()) + " in all"}
	if survey.Engine > 0 {
		parts = append(parts, size(survey.Engine)+" of it the compiled script engine")
	}
	for _, more := range []struct {
		n    int
		what string
	}{{len(survey.Damaged), "damaged file"}, {len(survey.Others), "file"}} {
		if more.n > 0 {
			parts = append(parts, count(more.n, more.what))
		}
	}
	if len(survey.Others) > 0 {
		parts[len(parts)-1] += " of other versions"
	}
	if len(survey.Locked) > 0 {
		parts = append(parts, "being listed now: "+several(survey.Locked))
	}
	fmt.Fprintln(s.err, strings.Join(parts, ", "))
	return nil
}

type cacheOutput struct {
	Version  int         `json:"version"`
	Path     string      `json:"path"`
	Bytes    int64       `json:"bytes"` // of everything
	Engine   int64       `json:"engine_bytes"`
	Vectors  int64       `json:"vector_bytes"`
	Listings []savedJSON `json:"listings"`
	Damaged  []string    `json:"damaged"`
	Others   []string    `json:"other_versions"`
	Foreign  []string    `json:"foreign"`
	Locked   []string    `json:"locked"`
}

type savedJSON struct {
	Server string    `json:"server"`
	Tools  int       `json:"tools"`
	Bytes  int64     `json:"bytes"`
	Taken  time.Time `json:"taken,omitzero"` // none if it never listed itself
	Failed bool      `json:"failed"`
	File   string    `json:"file"`
}

func cacheJSON(survey app.CacheSurvey) cacheOutput {
	names := func(n []string) []string { return append([]string{}, n...) }
	out := cacheOutput{
		Version: jsonVersion, Path: survey.Dir, Bytes: survey.Total(), Engine: survey.Engine, Vectors: survey.Vectors, Listings: []savedJSON{},
		Damaged: names(survey.Damaged), Others: names(survey.Others), Foreign: names(survey.Foreign), Locked: names(survey.Locked),
	}
	for _, one := range survey.Saved {
		out.Listings = append(out.Listings, savedJSON{one.Server, one.Tools, one.Size, one.Taken, one.Failed, one.File})
	}
	return out
}

// age is how long ago something was, which may be never.
func age(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return ago(time.Since(t))
}

// size is a number of bytes as one would say it.
func size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}
