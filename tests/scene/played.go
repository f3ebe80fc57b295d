package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// compatibility is a table of docs/compatibility.md: the lines between which it is, and its head.
type compatibility struct {
	begins, ends, head string
}

var (
	sets = compatibility{
		begins: "<!-- made by tests/scene/run: the sets of versions that it was played with -->", ends: "<!-- end of the sets -->",
		head: "| Argo CD | Kubernetes | Liqo | steps |\n| --- | --- | --- | --- |\n",
	}
	pairs = compatibility{
		begins: "<!-- made by tests/scene/run --pair: what ran -->", ends: "<!-- end of the pairs -->",
		head: "| Liqo of the consumer | of the provider | seen |\n| --- | --- | --- |\n",
	}
)

// record writes one line: the newest first, and one line for what was played.
func (t compatibility) record(page string, played []string, seen string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(text), t.begins+"\n")
	old, after, ends := strings.Cut(rest, t.ends)
	if !begins || !ends {
		return fmt.Errorf("%s has no table between %q and %q", page, t.begins, t.ends)
	}
	line := "| " + strings.Join(played, " | ") + " |"
	lines := slices.DeleteFunc(strings.Split(strings.TrimPrefix(old, t.head), "\n"), func(other string) bool {
		return other == "" || strings.HasPrefix(other, line)
	})
	lines = append(lines, line+" "+seen+" |")
	slices.SortFunc(lines, newestFirst)
	return os.WriteFile(page, []byte(before+t.begins+"\n"+t.head+strings.Join(lines, "\n")+"\n"+t.ends+after), 0o644)
}

// newestFirst compares two lines by the numbers in them: 3.10 is newer than 3.9.
func newestFirst(a, b string) int {
	return slices.Compare(numbers(b), numbers(a))
}

func numbers(line string) (found []int) {
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r < '0' || r > '9' }) {
		var number int
		fmt.Sscan(word, &number)
		found = append(found, number)
	}
	return found
}
