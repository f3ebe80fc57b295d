// Package health runs the checks of argocd-app/health with Argo CD's own Lua engine, as a user installs them: Argo CD's
// settings read the ConfigMap, and no library of Lua is open.
package health

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"argocd-peering.example/conformance/internal/pack"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// status is Argo CD's HealthStatus. Before 3.6 it has no DeletionMessage.
type status struct{ Status, Message, DeletionMessage string }

// script is the Lua of a kind in a pack.
func script(t *testing.T, checks lua.ResourceHealthOverrides, object *unstructured.Unstructured) string {
	t.Helper()
	vm := lua.VM{ResourceOverrides: checks}
	script, libraries, err := vm.GetHealthScript(object)
	kit.Must(t, err)
	if script == "" || libraries {
		t.Fatalf("%s: the pack has no check of its own", object.GroupVersionKind())
	}
	return script
}

// ask runs a check. Argo CD before 3.6 does not run it for what is being deleted, and its engine drops a
// `deletionMessage`, so that one is asked for as a message.
func ask(t *testing.T, checks lua.ResourceHealthOverrides, object *unstructured.Unstructured) status {
	t.Helper()
	source := script(t, checks, object)
	if object.GetDeletionTimestamp() != nil {
		source = "local function check()\n" + source + "\nend\nlocal hs = check()\n" +
			"return { status = hs.status, message = hs.deletionMessage }\n"
	}
	got, err := lua.VM{}.ExecuteHealthLua(object, source)
	kit.Must(t, err)
	if object.GetDeletionTimestamp() != nil {
		return status{Status: string(got.Status), DeletionMessage: got.Message}
	}
	return status{Status: string(got.Status), Message: got.Message}
}

// waits are Liqo's kinds with a later wave in some stream. They are written down here once more, so that a kind that
// is wrong in the pack is wrong against something.
var waits = []string{"Configuration", "GatewayClient", "GatewayServer", "Identity", "ResourceSlice", "Tenant", "VirtualNode"}

// stored is what the default pack must say where the full one says truth.
func stored(kind string, truth status) status {
	hidden := slices.Contains(waits, kind) && truth.Status != "Healthy" ||
		kind == "NamespaceOffloading" && (truth.Status == "Progressing" || truth.Status == "Suspended")
	if !hidden || truth.DeletionMessage != "" {
		return truth
	}
	return status{Status: "Healthy", Message: "Stored (" + truth.Status + "): " + truth.Message}
}

// The cases are in Argo CD's own layout (util/lua/health_test.go).
func TestChecks(t *testing.T) {
	folder := filepath.Join(kit.Root(t), "argocd-app", "health")
	scripts, err := filepath.Glob(filepath.Join(folder, "*", "*", "health.lua"))
	kit.Must(t, err)
	if len(scripts) < 12 {
		t.Fatalf("only %d checks", len(scripts))
	}
	for _, install := range []string{"argocd-cm.yaml", "values.yaml"} {
		full, standard := pack.Read(t, "health-full", install), pack.Read(t, "health", install)
		if len(full) != len(scripts) || len(standard) != len(scripts) {
			t.Errorf("%s: %d and %d checks, not %d", install, len(full), len(standard), len(scripts))
		}
		for _, check := range scripts {
			kind := filepath.Dir(check)
			text, err := os.ReadFile(filepath.Join(kind, "health_test.yaml"))
			kit.Must(t, err)
			var test struct {
				Tests []struct {
					InputPath    string
					HealthStatus status
				}
			}
			kit.Must(t, yaml.UnmarshalStrict(text, &test))
			for _, test := range test.Tests {
				input := filepath.Join(kind, test.InputPath)
				name, _ := filepath.Rel(folder, input)
				t.Run(install+"/"+strings.TrimSuffix(name, ".yaml"), func(t *testing.T) {
					text, err := os.ReadFile(input)
					kit.Must(t, err)
					object := &unstructured.Unstructured{}
					kit.Must(t, yaml.UnmarshalStrict(text, &object.Object))
					if got := ask(t, full, object); got != test.HealthStatus {
						t.Errorf("the full pack says\n%+v\nand not\n%+v", got, test.HealthStatus)
					}
					want := stored(object.GetKind(), test.HealthStatus)
					if got := ask(t, standard, object); got != want {
						t.Errorf("the default pack says\n%+v\nand not\n%+v", got, want)
					}
				})
			}
		}
	}
}
