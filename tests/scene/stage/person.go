package stage

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Checkout is the person's clone of the repository.
const Checkout = Home + "/peerings"

// patience is how long a command may take: one that asks what no answer is for, or waits for a finalizer, never ends.
const patience = 15 * time.Minute

// command is a line as a person runs it, in the folder of the checkout once there is one.
func (s *Stage) command(line string) *exec.Cmd {
	ends, end := context.WithTimeout(context.Background(), patience)
	command := exec.CommandContext(ends, "bash", "-euo", "pipefail", "-c", line)
	command.Cancel = func() error {
		end()
		return command.Process.Kill()
	}
	command.WaitDelay = 10 * time.Second // what it started may hold its output
	command.Dir = Home
	if exists(Checkout) {
		command.Dir = Checkout
	}
	command.Env = s.people
	return command
}

// Run runs a command, which is in the transcript and must succeed, and returns what it printed.
func (s *Stage) Run(line string) string {
	text, err := s.command(line).CombinedOutput()
	s.shell(line, string(text))
	if err != nil {
		s.Fail("`%s`: %v\n%s", line, err, text)
	}
	return string(text)
}

// Fails runs a command that must fail, and returns what it printed.
func (s *Stage) Fails(line string) string {
	text, err := s.command(line).CombinedOutput()
	s.shell(line, string(text))
	if err == nil {
		s.Fail("`%s` succeeds:\n%s", line, text)
	}
	return string(text)
}

// Ask runs a command of which the transcript knows nothing.
func (s *Stage) Ask(line string) (string, error) {
	text, err := s.command(line).Output()
	return strings.TrimSpace(string(text)), err
}

// Edit replaces a text of a file of the checkout, which must be there once.
func (s *Stage) Edit(file, from, to string) {
	path := filepath.Join(Checkout, file)
	text, err := os.ReadFile(path)
	s.must(err)
	if strings.Count(string(text), from) != 1 {
		s.Fail("%s has %q not once:\n%s", file, from, text)
	}
	s.must(os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644))
}

// Write writes a file below the person's home.
func (s *Stage) Write(text string, path ...string) {
	file := filepath.Join(append([]string{Home}, path...)...)
	s.must(os.MkdirAll(filepath.Dir(file), 0o755))
	s.must(os.WriteFile(file, []byte(text), 0o644))
}

// Read is a file of this repository.
func (s *Stage) Read(path string) string {
	text, err := os.ReadFile(filepath.Join(s.Root, path))
	s.must(err)
	return string(text)
}

// Block are the commands of a fenced block of a page of this repository: the one that has a text. A command goes on after a line
// that ends with a backslash or `&&`, and as long as a quotation is open.
func (s *Stage) Block(page, has string) []string {
	for i, block := range strings.Split(s.Read(page), "```") {
		body, isShell := strings.CutPrefix(block, "sh\n")
		if i%2 == 0 || !isShell || !strings.Contains(body, has) {
			continue
		}
		var commands []string
		open := false
		for _, line := range strings.Split(strings.NewReplacer("\\\n", "", "&&\n", "&& ").Replace(body), "\n") {
			line = strings.Join(strings.Fields(line), " ")
			if line == "" || line[0] == '#' {
				continue
			}
			if open {
				commands[len(commands)-1] += " " + line
			} else {
				commands = append(commands, line)
			}
			open = strings.Count(commands[len(commands)-1], "'")%2 == 1
		}
		return commands
	}
	s.Fail("%s has no block of commands with %q", page, has)
	return nil
}

// Inline is the command of a page of this repository that stands between backticks in its text and begins so.
func (s *Stage) Inline(page, begins string) string {
	_, rest, found := strings.Cut(s.Read(page), "`"+begins)
	command, _, closed := strings.Cut(rest, "`")
	if !found || !closed {
		s.Fail("%s has no command `%s…`", page, begins)
	}
	return begins + command
}

// Equals runs a command and asserts what it prints.
func (s *Stage) Equals(line, expected string) {
	text := strings.TrimSpace(s.Run(line))
	if text != expected {
		s.Fail("`%s` prints %q and not %q", line, text, expected)
	}
}
