package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// The table of docs/compatibility.md is between these lines.
const (
	tableBegins = "<!-- made by tests/scene/run: the sets of versions that it was played with -->"
	tableEnds   = "<!-- end of the sets -->"
	tableHead   = "| Argo CD | Kubernetes | Liqo | steps |\n| --- | --- | --- | --- |\n"
)

// record writes the line of one set of versions: the newest first, and one line a set.
func record(page, versions string, steps int) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(text), tableBegins+"\n")
	table, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return fmt.Errorf("%s has no table between %q and %q", page, tableBegins, tableEnds)
	}
	set := "| " + strings.Join(strings.Fields(versions), " | ") + " |"
	lines := slices.DeleteFunc(strings.Split(strings.TrimPrefix(table, tableHead), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, set)
	})
	lines = append(lines, fmt.Sprintf("%s all %d |", set, steps))
	slices.SortFunc(lines, newestFirst)
	return os.WriteFile(page, []byte(before+tableBegins+"\n"+tableHead+strings.Join(lines, "\n")+"\n"+tableEnds+after), 0o644)
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
