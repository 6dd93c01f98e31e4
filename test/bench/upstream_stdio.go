package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"io"
	"os"
)

// serveUpstreamStdio is the echo server as a child process.
func serveUpstreamStdio(_ context.Context, args []string) error {
	fs := flag.NewFlagSet("upstream-stdio", flag.ContinueOnError)
	which := fs.String("era", string(legacy), "legacy or modern")
	tools := fs.Int("tools", 0, "list so many tools that cannot be called instead of its own")
	note := fs.String("note", "", "add a line to this file")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if err := addLine(*note); err != nil {
		return err
	}
	e, err := parseEra(*which)
	if err != nil {
		return err
	}
	echo := &echoServer{era: e}
	if *tools > 0 {
		echo.tools = definitions(0, *tools)
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if a := echo.answer(line); a != nil {
			_, _ = out.Write(a)
			_ = out.WriteByte('\n')
		}
		if in.Buffered() == 0 { // answers to a burst leave in one write
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}

// addLine leaves a trace of a start, if it is asked for.
func addLine(file string) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString("started\n")
	return errors.Join(err, f.Close())
}
