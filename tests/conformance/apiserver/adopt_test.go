package apiserver

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// owner is a tool that has applied both halves of a peering, and takes them back when it is deleted.
type owner struct {
	name, called        string
	labels, annotations map[string]string
	// deletes tells whether the tool deletes an object: as it was applied, and as the cluster has it.
	deletes func(applied, live *unstructured.Unstructured) bool
}

var owners = []owner{
	{
		name: "Helm", called: "the Helm release `net/peering`",
		labels:      map[string]string{"app.kubernetes.io/managed-by": "Helm"},
		annotations: map[string]string{"meta.helm.sh/release-name": "peering", "meta.helm.sh/release-namespace": "net"},
		// helm.sh/helm v3.19.5 pkg/action/uninstall.go:211 deleteRelease, pkg/action/resource_policy.go:26 filterManifestsToKeep:
		// what the release's manifest names, unless the annotation in this manifest is there; `keep` is compared without case and spaces
		deletes: func(applied, _ *unstructured.Unstructured) bool {
			_, isThere := applied.GetAnnotations()["helm.sh/resource-policy"]
			return !isThere
		},
	},
	{
		name: "Flux", called: "the Flux Kustomization `flux-system/peering`",
		labels: map[string]string{"kustomize.toolkit.fluxcd.io/name": "peering", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"},
		// fluxcd/kustomize-controller internal/controller/kustomization_controller.go, finalize and prune; fluxcd/pkg
		// ssa/manager_delete.go:33 Delete: each of the inventory that has the owner's labels, as the cluster has it, unless a label or
		// an annotation says `prune` or `reconcile: disabled`
		deletes: func(_, live *unstructured.Unstructured) bool {
			labels, annotations := live.GetLabels(), live.GetAnnotations()
			for _, mark := range []string{"kustomize.toolkit.fluxcd.io/prune", "kustomize.toolkit.fluxcd.io/reconcile"} {
				if labels[mark] == "disabled" || annotations[mark] == "disabled" {
					return false
				}
			}
			return labels["kustomize.toolkit.fluxcd.io/name"] == "peering" && labels["kustomize.toolkit.fluxcd.io/namespace"] == "flux-system"
		},
	},
}

// letGo has the tool apply the objects once more with an annotation, or without it: its own copy, which Helm goes by, and the cluster's.
func (c *cluster) letGo(t *testing.T, applied []*unstructured.Unstructured, annotation, value string) {
	t.Helper()
	for _, object := range applied {
		live := c.live(t, object)
		if live == nil {
			t.Fatalf("%s is not there", kit.Name(object))
		}
		for _, copy := range []*unstructured.Unstructured{object, live} {
			annotations := with(copy.GetAnnotations(), map[string]string{annotation: value})
			if value == "" {
				delete(annotations, annotation)
			}
			copy.SetAnnotations(annotations)
		}
		_, err := c.client(live).Update(t.Context(), live, metav1.UpdateOptions{})
		kit.Must(t, err)
	}
}

// isThere tells whether the cluster has an object that is not on its way out. No controller ends a Namespace here.
func (c *cluster) isThere(t *testing.T, object *unstructured.Unstructured) bool {
	t.Helper()
	live := c.live(t, object)
	return live != nil && live.GetDeletionTimestamp() == nil
}

// delete plays the deletion of an owner.
func (o owner) delete(t *testing.T, cluster *cluster, applied []*unstructured.Unstructured) {
	t.Helper()
	background := metav1.DeletePropagationBackground
	for _, object := range slices.Backward(applied) {
		if live := cluster.live(t, object); live != nil && o.deletes(object, live) {
			kit.Must(t, cluster.client(object).Delete(t.Context(), object.GetName(), metav1.DeleteOptions{PropagationPolicy: &background}))
		}
	}
}

// A live peering that Helm or Flux has applied to both clusters: `import` names the owner, its objects and the way to let go. In that
// way nothing of the peering goes with its owner, and the first sync takes over what is there. Without it everything goes.
func TestAdoption(t *testing.T) {
	endpoint, tags := etcd(t), kit.LiqoTags(t)
	crds := crdsOf(t, tags[len(tags)-1])
	played := owners
	if testing.Short() {
		played = owners[:1]
	}
	for _, owner := range played {
		t.Run(owner.name, func(t *testing.T) {
			clusters, applied := map[string]*cluster{}, map[string][]*unstructured.Unstructured{}
			for _, role := range kit.Roles {
				clusters[role] = newCluster(t, endpoint, "adopt-"+owner.name+"-"+role)
				clusters[role].install(t, crds)
				for _, object := range kit.Quickstart(t).Local(t, role) {
					object.SetLabels(with(object.GetLabels(), owner.labels))
					object.SetAnnotations(with(object.GetAnnotations(), owner.annotations))
					_, err := clusters[role].client(object).Create(t.Context(), object, metav1.CreateOptions{FieldValidation: "Strict"})
					kit.Must(t, err)
					applied[role] = append(applied[role], object)
				}
			}

			folder := filepath.Join(kit.ShortDir(t), "adopted")
			command := exec.Command(kit.Binary(t), "import", "--consumer-context=consumer", "--provider-context=provider", "--output", folder)
			command.Env = person(t, clusters)
			printed, err := command.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, printed)
			}
			t.Logf("%s", printed)
			uids := map[string]string{}
			for _, role := range kit.Roles {
				annotation, value, named := owner.asked(t, string(printed), role)
				var asked []*unstructured.Unstructured
				for _, object := range applied[role] {
					uids[role+kit.Name(object)] = string(clusters[role].live(t, object).GetUID())
					if slices.Contains(named, title(object)) {
						asked = append(asked, object)
					}
				}
				clusters[role].letGo(t, asked, annotation, value)
				owner.delete(t, clusters[role], applied[role])
				for _, object := range applied[role] {
					if !clusters[role].isThere(t, object) {
						t.Errorf("%s: %s is gone with its owner", role, kit.Name(object))
					}
				}
			}

			example := kit.Example{Name: "adopted", Dir: folder}
			for _, role := range kit.Roles {
				_, err := newApplication(t, clusters[role], example, role).sync(t, false)
				kit.Must(t, err)
				for _, object := range applied[role] {
					if live := clusters[role].live(t, object); live == nil || string(live.GetUID()) != uids[role+kit.Name(object)] {
						t.Errorf("%s: %s was made again", role, kit.Name(object))
					}
				}
			}

			for _, role := range kit.Roles {
				annotation, _, _ := owner.asked(t, string(printed), role)
				if t.Failed() {
					return
				}
				clusters[role].letGo(t, applied[role], annotation, "")
				owner.delete(t, clusters[role], applied[role])
				for _, object := range applied[role] {
					if clusters[role].isThere(t, object) {
						t.Errorf("%s: %s is left without its owner's letting go", role, kit.Name(object))
					}
				}
			}
		})
	}
}

func with(some, more map[string]string) map[string]string {
	all := maps.Clone(some)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, more)
	return all
}

// title is how `import` names an object.
func title(object *unstructured.Unstructured) string {
	if object.GetNamespace() == "" {
		return object.GetKind() + " " + object.GetName()
	}
	return object.GetKind() + " " + object.GetNamespace() + "/" + object.GetName()
}

// asked is the annotation by which the owner lets go of its objects on a cluster, as `import` prints it, and all objects that it names:
// those with the owner's marks, and those whose marks are not read.
func (o owner) asked(t *testing.T, printed, role string) (annotation, value string, named []string) {
	t.Helper()
	note := regexp.MustCompile(fmt.Sprintf(`(?m)^note: %s: [^\n]*%s[^\n]* To let go: [^\n]*?`+"`([^`: ]+): ([^`]+)`"+`[^\n]*Its objects: ([^\n]*)$`, role, regexp.QuoteMeta(o.called)))
	found := note.FindStringSubmatch(printed)
	if found == nil {
		t.Fatalf("import does not name %s on the %s:\n%s", o.called, role, printed)
	}
	named = strings.Split(found[3], ", ")
	_, others, _ := strings.Cut(printed, "note: "+role+": the owners of these are not read")
	others, _, _ = strings.Cut(others, "\n")
	if _, list, isThere := strings.Cut(others, "in the same way: "); isThere {
		named = append(named, strings.Split(list, ", ")...)
	}
	return found[1], found[2], named
}
