package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pack makes the file that the index reads of what table.py wrote: words sorted,
// weights in a byte.
func pack(exported, trained, name, out string) error {
	var words []string
	if err := readJSON(filepath.Join(exported, "words.json"), &words); err != nil {
		return err
	}
	var settings struct {
		Fields []float32
		Theta  float32
	}
	if err := readJSON(filepath.Join(trained, name+".json"), &settings); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(trained, name+".bin"))
	if err != nil {
		return err
	}
	count, dimensions := int(binary.LittleEndian.Uint32(data)), int(binary.LittleEndian.Uint32(data[4:]))
	if count != len(words) || len(data) != 8+count*(dimensions+8) {
		return fmt.Errorf("%s.bin does not have %d words", name, len(words))
	}
	rows, queries, means := data[8:8+count*dimensions], data[8+count*dimensions:], data[8+count*(dimensions+4):]
	order := make([]int, count)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(words[a], words[b]) })

	var file, texts, ends, vectors, inQuery, inMean bytes.Buffer
	for _, i := range order {
		texts.WriteString(words[i])
		binary.Write(&ends, binary.LittleEndian, uint32(texts.Len()))
		vectors.Write(rows[i*dimensions : (i+1)*dimensions])
		inQuery.WriteByte(weight(queries[4*i:]))
		inMean.WriteByte(weight(means[4*i:]))
	}
	file.WriteString("toolcrib table 1")
	binary.Write(&file, binary.LittleEndian, []uint32{uint32(count), uint32(texts.Len())})
	binary.Write(&file, binary.LittleEndian, append([]float32{settings.Theta}, settings.Fields[:5]...))
	for _, b := range []*bytes.Buffer{&ends, &texts, &vectors, &inQuery, &inMean} {
		b.WriteTo(&file)
	}
	return os.WriteFile(out, file.Bytes(), 0o644)
}

func weight(raw []byte) byte {
	w := math.Float32frombits(binary.LittleEndian.Uint32(raw))
	return byte(min(max(math.Round(float64(w)*100), 1), 255))
}

func readJSON(file string, to any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}
