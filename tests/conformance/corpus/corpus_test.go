// Package corpus puts every manifest that the modules of Argo CD, of Liqo and of the other parts bring with them beside a sound
// folder. A newer version brings newer files, so no file is named here: what is expected follows from what a file has.
package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
)

const (
	// beside is the folder of the foreign files.
	beside = "foreign"
	// searched is at most what is read of a file that names Argo CD (docs/project/bounds.md).
	searched = 4 << 20
)

// repository is a sound peering with its provider's Application and both projects, and room for one Application more.
type repository struct {
	root  string
	sound report
}

// report is what `validate --format json` prints.
type report struct {
	Findings []struct {
		Code, Level, Message, File string
		Range                      struct{ Line int }
	}
	More   int
	Judged []struct {
		Kind       string
		Judged, Of int
	}
	NotJudged []notJudged
}

type notJudged struct {
	Kind, What, Reason string
	Asked              bool
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	example := kit.Quickstart(t)
	r := &repository{root: example.Checkout(t)}
	// foreign Applications mostly go to Argo CD's own cluster
	kit.Edit(t, filepath.Join(r.root, example.Path, "peering.yaml"), "clusterID: consumer\n", "clusterID: consumer\n    argocdCluster: in-cluster\n")
	for _, name := range []string{"provider.yaml", "project-consumer.yaml", "project-provider.yaml"} {
		text, err := os.ReadFile(filepath.Join(kit.Root(t), "argocd-app", name))
		kit.Must(t, err)
		kit.WriteFile(t, string(text), r.root, "applications", name)
	}
	output, err := exec.Command("git", "init", "--quiet", r.root).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	r.sound = r.validate(t)
	return r
}

// put replaces what is beside the sound folder.
func (r *repository) put(t *testing.T, files map[string][]byte) {
	t.Helper()
	kit.Must(t, os.RemoveAll(filepath.Join(r.root, beside)))
	for name, text := range files {
		kit.WriteFile(t, string(text), r.root, beside, name)
	}
}

// validate ends in bounded time with an exit code of a document, whatever is beside it.
func (r *repository) validate(t *testing.T) report {
	t.Helper()
	within, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(within, kit.Binary(t), "validate", "--format", "json", ".")
	command.Dir = r.root
	var notes bytes.Buffer
	command.Stderr = &notes
	output, err := command.Output()
	wrong := command.ProcessState.ExitCode() == 1
	if err != nil && !wrong || notes.Len() > 0 {
		t.Fatalf("validate: %v\n%s", err, &notes)
	}
	var printed report
	kit.Must(t, json.Unmarshal(output, &printed))
	if isWrong := slices.ContainsFunc(printed.levels(), func(level string) bool { return level == "error" }); isWrong != wrong {
		t.Errorf("the exit code is not that of the report %+v", printed)
	}
	return printed
}

func (r report) levels() []string {
	var levels []string
	for _, finding := range r.Findings {
		levels = append(levels, finding.Level)
	}
	return levels
}

// count is how many of a kind were judged.
func (r report) count(kind string) int {
	for _, row := range r.Judged {
		if row.Kind == kind {
			return row.Judged
		}
	}
	return 0
}

// block is an example of a page.
var block = regexp.MustCompile("(?ms)^( *)```(?:yaml|yml)\\b[^\n]*\n(.*?)^ *```")

// manifests are the files of a module that can have objects, by their paths, and the examples of its pages as files.
func manifests(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	kit.Must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		kind := filepath.Ext(path)
		if err != nil || !entry.Type().IsRegular() || !slices.Contains([]string{".yaml", ".yml", ".json", ".md"}, kind) {
			return err
		}
		name, err := filepath.Rel(dir, path)
		kit.Must(t, err)
		text, err := os.ReadFile(path)
		if kind != ".md" {
			found[name] = text
			return err
		}
		for i, example := range block.FindAllSubmatch(text, -1) {
			lines := strings.ReplaceAll("\n"+string(example[2]), "\n"+string(example[1]), "\n")
			found[fmt.Sprintf("%s.%d.yaml", name, i+1)] = []byte(lines)
		}
		return err
	}))
	if len(found) == 0 {
		t.Fatalf("no manifest in %s", dir)
	}
	return found
}

var toolchain = regexp.MustCompile(`(?m)^toolchain (\S+)$`)

// bring is a module whose manifests are in the corpus, and the file of a module that requires it.
type bring struct{ module, in, modfile string }

func (b bring) dir(t *testing.T) string {
	t.Helper()
	in, flag := filepath.Join(kit.Root(t), "tests", "conformance", b.in), "-modfile="+b.modfile
	requirements, err := os.ReadFile(filepath.Join(in, b.modfile))
	kit.Must(t, err)
	run := func(args ...string) string {
		command := exec.Command("go", args...)
		command.Dir = in
		command.Env = append(os.Environ(), "GOFLAGS=-mod=readonly")
		// a newer Go than the other modules need
		if newer := toolchain.FindSubmatch(requirements); newer != nil {
			command.Env = append(command.Env, "GOTOOLCHAIN="+string(newer[1]))
		}
		output, err := command.Output()
		if err != nil {
			t.Fatalf("%v: %v", command.Args, err)
		}
		return strings.TrimSpace(string(output))
	}
	run("mod", "download", flag, b.module)
	return run("list", "-m", flag, "-f", "{{.Dir}}", b.module)
}

// brings are the modules of the half: the Argo CD and the newest Liqo that the other tests have; or all.
func brings(t *testing.T) []bring {
	t.Helper()
	liqo := kit.LiqoTags(t)
	half := []bring{
		{kit.ArgoCD, ".", "go.mod"},
		{"github.com/liqotech/liqo", "liqo", liqo[len(liqo)-1] + ".mod"},
	}
	if testing.Short() {
		return half
	}
	all := append(half, bring{kit.Kubernetes, ".", "go.mod"},
		bring{"github.com/bitnami/sealed-secrets", "delivery", "go.mod"},
		bring{"github.com/external-secrets/external-secrets", "delivery", "external-secrets.mod"})
	for _, tag := range liqo[:len(liqo)-1] {
		all = append(all, bring{"github.com/liqotech/liqo", "liqo", tag + ".mod"})
	}
	others, err := filepath.Glob(filepath.Join(kit.Root(t), "tests", "conformance", "argocd-*.mod"))
	kit.Must(t, err)
	for _, other := range others {
		all = append(all, bring{kit.ArgoCD, ".", filepath.Base(other)})
	}
	return all
}

// Of a foreign file nothing is reported.
func TestForeignFiles(t *testing.T) {
	repository := newRepository(t)
	for _, bring := range brings(t) {
		dir := bring.dir(t)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			files := manifests(t, dir)
			repository.put(t, files)
			now := repository.validate(t)
			foreign := func(name string) (string, bool) { return strings.CutPrefix(name, "./"+beside+"/") }
			of := 0
			for _, finding := range now.Findings {
				name, isForeign := foreign(finding.File)
				if !isForeign {
					of++
					continue
				}
				t.Errorf("%s:%d: %s[%s] %s", name, finding.Range.Line, finding.Level, finding.Code, finding.Message)
			}
			if of != len(repository.sound.Findings) || now.More > 0 {
				t.Errorf("of the sound folder is found %+v", now)
			}
			for _, it := range now.NotJudged[len(repository.sound.NotJudged):] {
				// a foreign Application over the whole repository is named, and was not to be judged
				if name, isForeign := foreign(it.What); !isForeign || it.Asked && len(files[name]) <= searched {
					t.Errorf("not judged: %+v", it)
				}
			}
			if got := now.count("Application") - repository.sound.count("Application"); got != 0 {
				t.Errorf("%d foreign Applications were judged", got)
			}
			t.Logf("%d files", len(files))
		})
	}
}
