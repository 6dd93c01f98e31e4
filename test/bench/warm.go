package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

const (
	warmServers = 50
	warmTools   = 25 // of each
)

// A warmRow is how long after its start a gateway answers a first question about
// many stdio servers that an earlier process has listed.
type warmRow struct {
	Asked    string    `json:"asked"` // on passthrough all tools; on standard a search
	Agent    string    `json:"agent"` // modern: one request; legacy: initialize first
	Servers  int       `json:"servers"`
	Tools    int       `json:"tools"` // in the answer
	Millis   []float64 `json:"ms"`    // of every start, sorted
	Children int       `json:"children_started"`
	Cold     float64   `json:"cold_s"` // how long listing them took before
}

// warmStarts lists the servers once, and then starts gateways that know them.
func (b *bench) warmStarts(ctx context.Context, r *report) error {
	if b.toolcrib == "" || !b.named(fmt.Sprintf("warm-start/%d", warmServers)) {
		return nil
	}
	fmt.Fprintf(b.log, "warm start with %d servers\n", warmServers)
	starts := filepath.Join(b.dir, "starts")
	configs := map[string]string{}
	for _, q := range warmQuestions {
		var err error
		if configs[q.surface], err = b.writeServers(starts, q.surface); err != nil {
			return err
		}
	}
	began := time.Now()
	list := exec.CommandContext(ctx, b.toolcrib, "refresh", "--config", configs[warmQuestions[0].surface], "--json")
	list.Env = b.environment()
	if out, err := list.CombinedOutput(); err != nil {
		return fmt.Errorf("list the servers: %w\n%s", err, out)
	}
	cold := time.Since(began).Seconds()
	for _, q := range warmQuestions {
		for _, e := range []era{modern, legacy} {
			row := warmRow{Asked: q.method, Agent: string(e), Servers: warmServers, Cold: cold}
			if err := b.warmStart(ctx, configs[q.surface], starts, q, e, &row); err != nil {
				return fmt.Errorf("warm start, %s agent, %s: %w", e, q.method, err)
			}
			r.WarmStarts = append(r.WarmStarts, row)
		}
	}
	return nil
}

// A warmQuestion is what an agent asks first.
type warmQuestion struct {
	surface, method string
	params          string // members, with a comma behind the last
	tools           int    // in the answer
}

var warmQuestions = []warmQuestion{
	{surface: "passthrough", method: "tools/list", tools: warmServers * warmTools},
	{surface: "standard", method: "tools/call", params: `"name":"search_tools","arguments":{"query":"echo a text"},`, tools: 10},
}

func (b *bench) warmStart(ctx context.Context, config, starts string, q warmQuestion, e era, row *warmRow) error {
	if err := os.Remove(starts); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for range max(5, 5*b.options.rounds) {
		took, tools, err := b.firstAnswer(ctx, config, q, e)
		if err != nil {
			return err
		}
		row.Millis, row.Tools = append(row.Millis, millis(took)), tools
	}
	slices.Sort(row.Millis)
	var err error
	row.Children, err = countLines(starts)
	return err
}

// writeServers writes a configuration of servers that note their starts.
func (b *bench) writeServers(starts, surface string) (string, error) {
	servers := map[string]any{}
	for n := range warmServers {
		servers[fmt.Sprintf("server-%02d", n)] = map[string]any{
			"command": b.self,
			"args":    []string{"upstream-stdio", "--era", string(legacy), "--tools", fmt.Sprint(warmTools), "--note", starts},
		}
	}
	c, err := json.Marshal(map[string]any{"servers": servers, "disclosure": map[string]any{"surface": surface}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(b.dir, "warm-"+surface+".json")
	return path, os.WriteFile(path, c, 0o600)
}

// firstAnswer starts a gateway as an agent does and waits for what it asks.
func (b *bench) firstAnswer(ctx context.Context, config string, q warmQuestion, e era) (time.Duration, int, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.toolcrib, "serve", "--config", config, "--log-level", "error")
	cmd.Env, cmd.Stderr = b.environment(), b.log
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	answers := bufio.NewReaderSize(out, 1<<20)
	tools, err := q.ask(in, answers, e)
	took := time.Since(began)
	in.Close()
	return took, tools, errors.Join(err, cmd.Wait())
}

func (q warmQuestion) ask(in io.Writer, answers *bufio.Reader, e era) (int, error) {
	asked := request("2", q.method, "{"+q.params+modernMeta+"}")
	if e == legacy {
		if _, err := io.WriteString(in, request("1", "initialize", initializeParams)+"\n"); err != nil {
			return 0, err
		}
		if _, err := answers.ReadBytes('\n'); err != nil {
			return 0, fmt.Errorf("no answer to initialize: %w", err)
		}
		asked = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + request("2", q.method, "{"+strings.TrimSuffix(q.params, ",")+"}")
	}
	if _, err := io.WriteString(in, asked+"\n"); err != nil {
		return 0, err
	}
	for {
		line, err := answers.ReadBytes('\n')
		if err != nil {
			return 0, fmt.Errorf("no answer to %s: %w", q.method, err)
		}
		type found struct{ Tools []json.RawMessage }
		var answer struct {
			ID     int
			Error  json.RawMessage
			Result struct {
				found
				StructuredContent found
			}
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			return 0, err
		}
		if answer.ID != 2 {
			continue
		}
		tools := len(answer.Result.Tools) + len(answer.Result.StructuredContent.Tools)
		if tools < min(q.tools, 1) || q.method == "tools/list" && tools != q.tools {
			return 0, fmt.Errorf("%d tools, not %d: %.300s", tools, q.tools, line)
		}
		return tools, nil
	}
}

func countLines(file string) (int, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	return strings.Count(string(text), "\n"), err
}

func (r *report) printWarmStarts(w io.Writer) error {
	if len(r.WarmStarts) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nfrom the start of the process to the first answer, servers listed before (which took %.1f s)\n", r.WarmStarts[0].Cold)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "asked\tagent\tservers\ttools\tstarts\tbest ms\tmedian ms\tworst ms\tchildren\t\n")
	for _, s := range r.WarmStarts {
		n := len(s.Millis)
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%.1f\t%.1f\t%.1f\t%d\t\n", s.Asked, s.Agent, s.Servers, s.Tools, n, s.Millis[0], s.Millis[n/2], s.Millis[n-1], s.Children)
	}
	return tw.Flush()
}
