// Command compatibility puts the table of what ran into docs/compatibility.md, or fails if another one is there.
//
//	compatibility [-update] DOCUMENT NOTES      the notes are what kit.Ran wrote
package main

import (
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
	made, err := table(strings.Split(strings.TrimSpace(string(ran)), "\n"))
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s does not have the lines %s%s", document, begin, end)
	}
	wanted := before + begin + made + end + after
	switch {
	case wanted == string(text):
		return nil
	case update:
		return os.WriteFile(document, []byte(wanted), 0o644)
	}
	return fmt.Errorf("%s has another table than what ran:\n%sUPDATE_COMPATIBILITY=1 tests/conformance/run writes it", document, made)
}

// table is one line for each part and version of Argo CD and of Kubernetes.
func table(ran []string) (string, error) {
	slices.Sort(ran)
	made := "| part | Argo CD | Kubernetes | Liqo |\n| --- | --- | --- | --- |\n"
	for _, part := range parts {
		var versions []string
		liqo := map[string][]string{}
		for _, line := range ran {
			// part, Liqo, Argo CD, Kubernetes
			fields := strings.Split(strings.ReplaceAll(line, "\tv", "\t")+"\t", "\t")
			if fields[0] != part.name {
				continue
			}
			version := fields[2] + " | " + fields[3]
			if liqo[version] == nil {
				versions = append(versions, version)
			}
			liqo[version] = append(liqo[version], fields[1])
		}
		if versions == nil {
			return "", fmt.Errorf("the part %s has not run", part.name)
		}
		slices.Sort(versions)
		for _, version := range versions {
			made += fmt.Sprintf("| %s | %s | %s |\n", part.title, version, strings.Join(liqo[version], ", "))
		}
	}
	return made, nil
}
