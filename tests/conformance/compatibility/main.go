// Command compatibility puts the table of what ran into docs/compatibility.md, or fails if another one is there.
//
//	compatibility [-update] DOCUMENT NOTES      the notes are what kit.Ran wrote
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

const (
	begin = "<!-- made by tests/conformance/run: what ran -->\n"
	end   = "<!-- end of what ran -->\n"
)

// The parts, in the order of the table.
var parts = []struct{ name, title string }{
	{"cmp", "the plugin in Argo CD's cmp-server"},
	{"reposerver", "an Application through Argo CD's repo-server; the ApplicationSet"},
	{"apiserver", "sync, order, diff and prune by Argo CD's gitops-engine on API servers; Liqo's CRDs and Go types"},
}

func main() {
	update := flag.Bool("update", false, "write the table")
	flag.Parse()
	if err := run(flag.Arg(0), flag.Arg(1), *update); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(document, notes string, update bool) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	ran, err := os.ReadFile(notes)
	if err != nil {
		return err
	}
	made, err := table(string(ran))
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s does not have the lines %s%s", document, begin, end)
	}
	wanted := before + begin + made + end + after
	if wanted == string(text) {
		return nil
	}
	if update {
		return os.WriteFile(document, []byte(wanted), 0o644)
	}
	return fmt.Errorf("%s has another table than what ran:\n%sUPDATE_COMPATIBILITY=1 tests/conformance/run writes it", document, made)
}

// table is one line for each part and version of Argo CD.
func table(ran string) (string, error) {
	liqo := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(ran), "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) < 3 {
			return "", errors.New("no part has passed")
		}
		part, tag, versions := fields[0], fields[1], fields[2:]
		key := part + "\t" + strings.Join(versions, "\t")
		liqo[key] = append(liqo[key], strings.TrimPrefix(tag, "v"))
	}
	var keys []string
	for key := range liqo {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	made := "| part | Argo CD | Kubernetes | Liqo |\n| --- | --- | --- | --- |\n"
	for _, part := range parts {
		rows := 0
		for _, key := range keys {
			fields := strings.Split(strings.ReplaceAll(key, "\tv", "\t"), "\t")
			if fields[0] != part.name {
				continue
			}
			kubernetes := ""
			if len(fields) > 2 {
				kubernetes = fields[2]
			}
			slices.Sort(liqo[key])
			made += fmt.Sprintf("| %s | %s | %s | %s |\n", part.title, fields[1], kubernetes, strings.Join(liqo[key], ", "))
			rows++
		}
		if rows == 0 {
			return "", fmt.Errorf("the part %s has not run", part.name)
		}
	}
	return made, nil
}
