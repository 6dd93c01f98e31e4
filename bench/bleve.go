package main

import (
	"context"
	"fmt"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
	"toolcrib/internal/index/trial"
)

// A document is a tool as Bleve is given it.
type document struct{ Name, Description, Parameters, Server string }

// measureBleve indexes the same text in memory and asks as a gateway would: the
// words of the query in the name, the description and the parameters.
func measureBleve(ctx context.Context, snapshot *catalog.Snapshot, queries []trial.Query) error {
	var x bleve.Index
	var failed error
	build, bytes := cost(func() { x, failed = bleveIndex(snapshot) })
	if failed != nil {
		return fmt.Errorf("index with Bleve: %w", failed)
	}
	defer x.Close()
	report("bleve", snapshot.Len(), build, bytes, times(queries, func(text string) {
		var parts []query.Query
		for field, boost := range map[string]float64{"Name": 2, "Description": 1, "Parameters": .5, "Server": 1} {
			q := bleve.NewMatchQuery(text)
			q.SetField(field)
			q.SetBoost(boost)
			parts = append(parts, q)
		}
		if _, err := x.SearchInContext(ctx, bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(parts...), 10, 0, false)); err != nil {
			failed = err
		}
	}))
	return failed
}

func bleveIndex(snapshot *catalog.Snapshot) (bleve.Index, error) {
	x, err := bleve.NewMemOnly(bleve.NewIndexMapping())
	if err != nil {
		return nil, err
	}
	batch := x.NewBatch()
	for _, t := range snapshot.Tools() {
		if err := batch.Index(string(t.ID()), document{t.Name(), t.Description(), index.ParameterText(t), t.Server().Name()}); err != nil {
			return nil, err
		}
		if batch.Size() == 500 {
			if err := x.Batch(batch); err != nil {
				return nil, err
			}
			batch = x.NewBatch()
		}
	}
	return x, x.Batch(batch)
}
