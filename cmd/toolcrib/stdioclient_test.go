package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// stdioClient is the program mcpstdio: mcpstdio REQUESTS PROGRAM ARGS... It is an
// agent that sends the lines of the file REQUESTS to a server, each after the
// answer to the one before, and prints what comes back. A line that begins with
// "until TEXT " is sent again and again until its answer holds TEXT. It fails if
// anything comes that is no JSON-RPC message, and ends as the server does.
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
	for err == nil && answers.Scan() { // news may still come, talk may not
		_, err = message(answers)
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
	deadline := time.Now().Add(time.Minute)
	for line := range strings.SplitSeq(lines, "\n") {
		var wanted string
		if rest, again := strings.CutPrefix(line, "until "); again {
			wanted, line, _ = strings.Cut(rest, " ")
		}
		for {
			answer, err := ask(line, in, answers)
			if err != nil {
				return err
			}
			if strings.Contains(answer, wanted) {
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("no answer to %s held %s", line, wanted)
			}
		}
	}
	return nil
}

// ask sends a line and returns the answer, "" to a notification.
func ask(line string, in io.Writer, answers *bufio.Scanner) (string, error) {
	var request envelope
	if err := json.Unmarshal([]byte(line), &request); err != nil {
		return "", fmt.Errorf("request %s: %w", line, err)
	}
	if _, err := io.WriteString(in, line+"\n"); err != nil || request.ID == nil {
		return "", err
	}
	for answers.Scan() {
		fmt.Println(answers.Text())
		answer, err := message(answers)
		if err != nil {
			return "", err
		}
		if answer.Method == "" && string(answer.ID) == string(request.ID) {
			return answers.Text(), nil
		}
	}
	return "", fmt.Errorf("no answer to %s: %v", line, answers.Err())
}

func message(answers *bufio.Scanner) (envelope, error) {
	var e envelope
	if err := json.Unmarshal(answers.Bytes(), &e); err != nil || e.JSONRPC != "2.0" {
		return e, fmt.Errorf("no JSON-RPC message: %s", answers.Text())
	}
	return e, nil
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "mcpstdio:", err)
	return 1
}
