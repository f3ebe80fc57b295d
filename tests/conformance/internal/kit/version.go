package kit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The modules whose versions are of interest to a reader.
const (
	ArgoCD     = "github.com/argoproj/argo-cd/v3"
	Kubernetes = "k8s.io/kubernetes"
)

// Ran notes for docs/compatibility.md that a part passed, with the versions that are linked into this test. It does so
// when the test has ended, and only if it passed.
func Ran(t *testing.T, part, liqo string, modules ...string) {
	t.Helper()
	file := os.Getenv("CONFORMANCE_RAN")
	if file == "" {
		return
	}
	t.Cleanup(func() {
		if t.Failed() {
			return
		}
		note := part + "\t" + liqo
		for _, module := range modules {
			note += "\t" + version(t, module)
		}
		notes, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		Must(t, err)
		_, err = fmt.Fprintln(notes, note)
		Must(t, err)
		Must(t, notes.Close())
	})
}

// APIServer is a program of ../../kubernetes that is called as its release, or nothing: then API servers are those of this test.
func APIServer() string {
	return os.Getenv("CONFORMANCE_APISERVER")
}

func version(t *testing.T, module string) string {
	t.Helper()
	if program := APIServer(); module == Kubernetes && program != "" {
		return filepath.Base(program)
	}
	return linked(t, module, "{{.Version}}")
}

// ModuleDir is where a module is whose code this test is built with.
func ModuleDir(t *testing.T, module string) string {
	t.Helper()
	return linked(t, module, "{{.Dir}}")
}

// linked is what Go knows of a module that this test is built with; GOFLAGS says from which file, if it is not go.mod.
func linked(t *testing.T, module, format string) string {
	t.Helper()
	said, err := exec.Command("go", "list", "-m", "-f", format, module).Output()
	Must(t, err)
	return strings.TrimSpace(string(said))
}

// LiqoTags are the tags of Liqo whose Go types tests/conformance/liqo has.
func LiqoTags(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Root(t), "tests", "conformance", "liqo", "v*.mod"))
	Must(t, err)
	var tags []string
	for _, file := range files {
		tags = append(tags, strings.TrimSuffix(filepath.Base(file), ".mod"))
	}
	return tags
}
