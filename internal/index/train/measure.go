package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"toolcrib/internal/index"
	"toolcrib/internal/index/trial"
)

// measure prints how well a table and weights do on the sets for choosing.
func measure(data, table, weights string) error {
	options, err := optionsOf(table, weights)
	if err != nil {
		return err
	}
	for _, s := range []struct{ name, tools string }{
		{"dev/corpus", ""}, {"dev/none", "dev/corpus"}, {"dev/authored", "train/toucan"}, {"dev/metatool_multi", ""}, {"dev/livemcp_agent", ""},
	} {
		set, err := trial.Load(filepath.Join(data, s.name), filepath.Join(data, s.tools, "tools.jsonl"))
		if err != nil {
			return err
		}
		run, err := trial.Measure(context.Background(), set, options)
		if err != nil {
			return err
		}
		fmt.Printf("%s, build %v, p50 %v, p99 %v, %.1f MB\n", s.name, run.Build, run.Latency.P50, run.Latency.P99, float64(run.Bytes)/1e6)
		for _, f := range append([]trial.Figures{run.All}, run.Kinds...) {
			fmt.Printf("  %-12s %5d  %5.1f %5.1f %5.1f  ndcg %5.1f  doubted %5.1f denied %5.1f  noticed %5.1f refused %5.1f\n", f.Kind, f.Queries,
				100*f.Recall1, 100*f.Recall5, 100*f.Recall10, 100*f.NDCG10, 100*f.Doubted, 100*f.Denied, 100*f.Noticed, 100*f.Refused)
		}
	}
	return nil
}

// optionsOf reads a table and weights from files; "" is what the binary has.
func optionsOf(table, weights string) (*index.Options, error) {
	o := &index.Options{}
	if table != "" {
		data, err := os.ReadFile(table)
		if err != nil {
			return nil, err
		}
		if o.Table, err = index.LoadTable(data); err != nil {
			return nil, fmt.Errorf("read %s: %w", table, err)
		}
	}
	if weights != "" {
		data, err := os.ReadFile(weights)
		if err != nil {
			return nil, err
		}
		if o.Weights, err = index.LoadWeights(data); err != nil {
			return nil, fmt.Errorf("read %s: %w", weights, err)
		}
	}
	return o, nil
}
