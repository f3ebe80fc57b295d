package kit

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Root is the repository under test.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	Must(t, err)
	for ; dir != "/"; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "Cargo.toml")); err == nil {
			return dir
		}
	}
	t.Fatal("no Cargo.toml above the working directory")
	return ""
}

// Binary is the program under test, from ARGOCD_PEERING_BIN, which tests/conformance/run sets.
func Binary(t testing.TB) string {
	t.Helper()
	binary := os.Getenv("ARGOCD_PEERING_BIN")
	if binary == "" {
		t.Fatal("ARGOCD_PEERING_BIN does not name the program: use tests/conformance/run")
	}
	return binary
}

// Local is the example's stream as a person gets it at their own machine, without Argo CD.
func (e Example) Local(t testing.TB, role string) []*unstructured.Unstructured {
	t.Helper()
	command := exec.Command(Binary(t), "generate", e.Dir, "--local", "--role", role, "--identity-file", e.Identity(t))
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.Output()
	if err != nil {
		t.Fatalf("generate --local: %v\n%s", err, stderr.String())
	}
	objects, err := kube.SplitYAML(stdout)
	Must(t, err)
	return objects
}
