package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// stdioClient is the program mcpstdio: mcpstdio REQUESTS PROGRAM ARGS... It is an
// agent that sends the lines of the file REQUESTS to a server, each after the
// answer to the one before, and prints what comes back. It fails if anything
// comes that is no JSON-RPC message, and ends as the server does.
func stdioClient(args []string) int {
	lines, err := os.ReadFile(args[0])
	if err != nil {
		return complain(err)
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return complain(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return complain(err)
	}
	if err := cmd.Start(); err != nil {
		return complain(err)
	}
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 16<<20)
	err = converse(strings.TrimSpace(string(lines)), in, answers)
	in.Close()
	for answers.Scan() {
		err = fmt.Errorf("after the last answer came %s", answers.Text())
	}
	if waitErr := cmd.Wait(); err == nil {
		err = waitErr
	}
	if err != nil {
		return complain(err)
	}
	return 0
}

type envelope struct {
	JSONRPC string
	ID      json.RawMessage
	Method  string
}

func converse(lines string, in io.Writer, answers *bufio.Scanner) error {
	for line := range strings.SplitSeq(lines, "\n") {
		var request envelope
		if err := json.Unmarshal([]byte(line), &request); err != nil {
			return fmt.Errorf("request %s: %w", line, err)
		}
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			return err
		}
		for answered := request.ID == nil; !answered; {
			if !answers.Scan() {
				return fmt.Errorf("no answer to %s: %v", line, answers.Err())
			}
			fmt.Println(answers.Text())
			var answer envelope
			if err := json.Unmarshal(answers.Bytes(), &answer); err != nil || answer.JSONRPC != "2.0" {
				return fmt.Errorf("no JSON-RPC message: %s", answers.Text())
			}
			answered = answer.Method == "" && string(answer.ID) == string(request.ID)
		}
	}
	return nil
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "mcpstdio:", err)
	return 1
}
