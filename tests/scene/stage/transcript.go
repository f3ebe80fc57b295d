package stage

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Transcript is what was done and seen, as Markdown.
type Transcript struct {
	text strings.Builder
	// open tells whether the last line is one of a block of commands, and noted whether it is of a list.
	open, noted bool
}

// failure ends a step.
type failure struct{ text string }

// Play runs one step and returns how it failed, if it did.
func (t *Transcript) Play(number int, name, asserts string, step func()) (took time.Duration, failed string) {
	fmt.Printf("%2d  %s\n", number, name)
	t.close()
	fmt.Fprintf(&t.text, "\n## %d. %s\n\n%s\n", number, name, asserts)
	t.noted = false
	start := time.Now()
	defer func() {
		took = time.Since(start)
		if recovered := recover(); recovered != nil {
			end, expected := recovered.(failure)
			if !expected {
				panic(recovered)
			}
			failed = end.text
			t.Note("FAILED: %s", failed)
		}
		t.close()
	}()
	step()
	return
}

// Fail ends the step.
func (t *Transcript) Fail(format string, args ...any) {
	panic(failure{fmt.Sprintf(format, args...)})
}

// must ends the step on an error.
func (t *Transcript) must(err error) {
	if err != nil {
		t.Fail("%v", err)
	}
}

// Holds notes something that is asserted, and fails if it is not so.
func (t *Transcript) Holds(so bool, what string, instead any) {
	if !so {
		t.Fail("not so: %s; instead:\n%v", what, instead)
	}
	t.Note("%s", what)
}

// Note writes a line about what was seen.
func (t *Transcript) Note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	fmt.Println("      -", line)
	t.close()
	if !t.noted {
		t.text.WriteString("\n")
		t.noted = true
	}
	fmt.Fprintf(&t.text, "- %s\n", strings.ReplaceAll(line, "\n", "\n  "))
}

// lines are how many of a command's lines a reader is shown.
const lines = 80

var spaces = regexp.MustCompile(" {3,}")

// shell writes a command and what it printed.
func (t *Transcript) shell(command, printed string) {
	fmt.Println("      $", command)
	if !t.open {
		t.text.WriteString("\n```console\n")
		t.open, t.noted = true, false
	}
	fmt.Fprintf(&t.text, "$ %s\n", command)
	shown := strings.Split(strings.TrimRight(printed, "\n"), "\n")
	if len(shown) > lines {
		shown = append(shown[:lines:lines], fmt.Sprintf("… %d more lines", len(shown)-lines))
	}
	for _, line := range shown {
		// a table with a long message is wider than anyone reads
		if len(line) > 250 {
			line = spaces.ReplaceAllString(line, "  ")
		}
		if line = strings.TrimRight(line, " \t\r"); line != "" || len(shown) > 1 {
			t.text.WriteString(line + "\n")
		}
	}
}

func (t *Transcript) close() {
	if t.open {
		t.text.WriteString("```\n")
		t.open = false
	}
}

// String is the Markdown.
func (t *Transcript) String() string {
	t.close()
	return t.text.String()
}
