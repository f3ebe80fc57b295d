package kit

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

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
	return split(t, e.generate(t, role))
}

// Secrets are those of a side's stream, and those that are brought in their place: by the sealed-secrets controller's own
// code, or with `delivery: External` by a person, from `keys export`.
func (e Example) Secrets(t testing.TB, role string) []*unstructured.Unstructured {
	t.Helper()
	side := func(field string) string {
		text, _, err := unstructured.NestedString(e.Document(t), "spec", role, field)
		Must(t, err)
		return text
	}
	var stream []byte
	switch side("delivery") {
	case "SealedSecret":
		// each example's consumer has the certificate of rome, and its provider that of milan
		owner := map[string]string{"consumer": "rome", "provider": "milan"}[role]
		key := filepath.Join(Root(t), "tests", "certificates", owner+".key")
		unseal := exec.Command("go", "run", "-mod=readonly", ".", key)
		unseal.Dir = filepath.Join(Root(t), "tests", "conformance", "delivery")
		unseal.Stdin = bytes.NewReader(e.generate(t, role))
		stream = output(t, unseal)
	case "External":
		stream = output(t, exec.Command(Binary(t), "keys", "export", e.Dir, "--role", role, "--identity-file", e.Identity(t), "--format", "secret"))
	default:
		stream = e.generate(t, role)
	}
	return slices.DeleteFunc(split(t, stream), func(object *unstructured.Unstructured) bool { return object.GetKind() != "Secret" })
}

func (e Example) generate(t testing.TB, role string) []byte {
	t.Helper()
	return output(t, exec.Command(Binary(t), "generate", e.Dir, "--local", "--role", role, "--identity-file", e.Identity(t)))
}

func output(t testing.TB, command *exec.Cmd) []byte {
	t.Helper()
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command.Args, err, stderr.String())
	}
	return stdout
}

// Start runs a command until the test ends, and shows what it printed if the test failed.
func Start(t testing.TB, name string, command *exec.Cmd) {
	t.Helper()
	var printed bytes.Buffer
	command.Stdout, command.Stderr = &printed, &printed
	Must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("%s printed:\n%s", name, &printed)
		}
	})
}
