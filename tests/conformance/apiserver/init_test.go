package apiserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What `init` reads of a provider beside Liqo's own objects.
const reachable = `
{apiVersion: v1, kind: Node, metadata: {name: worker}}
`

// From two clusters that only have Liqo to two streams that their API servers take: `init` reads both through the real
// kubectl, with Liqo's own CRDs behind it.
func TestInit(t *testing.T) {
	endpoint, tags := etcd(t), kit.LiqoTags(t)
	tag := tags[len(tags)-1]
	crds := crdsOf(t, tag)
	clusters := map[string]*cluster{}
	for _, role := range kit.Roles {
		clusters[role] = newCluster(t, endpoint, "init-"+role)
		clusters[role].install(t, crds)
		for _, object := range clusters[role].bring(t, installed, role, tag) {
			if object.GetKind() != "Network" {
				continue
			}
			cidr, _, err := unstructured.NestedString(object.Object, "spec", "cidr")
			kit.Must(t, err)
			kit.Must(t, unstructured.SetNestedField(object.Object, cidr, "status", "cidr"))
			_, err = clusters[role].client(object).UpdateStatus(t.Context(), object, metav1.UpdateOptions{FieldValidation: "Strict"})
			kit.Must(t, err)
		}
	}
	for _, node := range clusters["provider"].bring(t, reachable, "provider", tag) {
		addresses := []any{map[string]any{"type": "InternalIP", "address": "192.0.2.77"}}
		kit.Must(t, unstructured.SetNestedSlice(node.Object, addresses, "status", "addresses"))
		_, err := clusters["provider"].client(node).UpdateStatus(t.Context(), node, metav1.UpdateOptions{})
		kit.Must(t, err)
	}

	began := time.Now()
	kubectl, err := exec.LookPath("kubectl")
	kit.Must(t, err)
	folder := filepath.Join(kit.ShortDir(t), "peerings", "rome-milan")
	recipient, err := os.ReadFile(filepath.Join(kit.Root(t), "examples", "identities", "demo-identity.txt"))
	kit.Must(t, err)
	_, public, found := strings.Cut(string(recipient), "public key: ")
	if !found {
		t.Fatal("the demo identity does not name its recipient")
	}
	arguments := []string{"init", folder, "--consumer-context=consumer", "--provider-context=provider",
		"--recipient=" + strings.Fields(public)[0], "--repo=https://git.example.org/net/peerings.git", "--path=peerings/rome-milan"}
	environment := []string{"PATH=" + filepath.Dir(kubectl), "KUBECONFIG=" + kubeconfig(t, clusters), "HOME=" + kit.ShortDir(t)}
	run := func(more ...string) ([]byte, error) {
		command := exec.Command(kit.Binary(t), append(arguments, more...)...)
		command.Env = environment
		return command.CombinedOutput()
	}
	// the clusters' IDs are not flags, so the terms are confirmed
	notes, err := run()
	_, expect, found := strings.Cut(string(notes), "to confirm them: ")
	if err == nil || !found {
		t.Fatalf("sealed without a confirmation: %v\n%s", err, notes)
	}
	notes, err = run(strings.Fields(expect)[:2]...)
	if err != nil {
		t.Fatalf("%v\n%s", err, notes)
	}
	for _, words := range []string{"guessed: --gateway-address 192.0.2.77", "guessed: --node-port 32750", "+ kubectl --context=provider get nodes"} {
		if !strings.Contains(string(notes), words) {
			t.Errorf("%q is not in:\n%s", words, notes)
		}
	}
	example := kit.Example{Name: "rome-milan", Dir: folder}
	for _, role := range kit.Roles {
		_, err := newApplication(t, clusters[role], example, role).sync(t, false)
		kit.Must(t, err)
	}
	t.Logf("from init to both streams on their clusters: %s\n%s", time.Since(began).Round(time.Millisecond), notes)
}
