package apiserver

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Both sides of every example, on two API servers, for every version of Liqo that the example is for: a first sync
// that stores everything in order, a second that writes nothing, no difference, and a prune in the reverse order.
func TestEveryExampleBothRoles(t *testing.T) {
	endpoint, brought := etcd(t), delivered(t)
	tags := kit.LiqoTags(t)
	if testing.Short() {
		tags = tags[len(tags)-1:]
	}
	for _, liqo := range tags {
		t.Run(liqo, func(t *testing.T) {
			kit.Ran(t, "apiserver", liqo, kit.ArgoCD, kit.Kubernetes)
			examples, newer := takes(t, liqo)
			t.Logf("%d examples; for a newer Liqo are %v", len(examples), newer)
			clusters := map[string]*cluster{}
			for _, role := range kit.Roles {
				clusters[role] = newCluster(t, endpoint, liqo+"-"+role)
			}
			t.Run("without the CRDs", func(t *testing.T) { withoutCRDs(t, clusters) })
			types, crds := typesOf(t, liqo), crdsOf(t, liqo)
			for _, role := range kit.Roles {
				clusters[role].install(t, crds)
				clusters[role].liqoTypes = types
				clusters[role].installDelivery(t, brought)
				clusters[role].startController(t, brought)
			}
			var streams, objects atomic.Int64
			t.Run("examples", func(t *testing.T) {
				for _, role := range kit.Roles {
					t.Run(role, func(t *testing.T) {
						t.Parallel() // each has its cluster
						for _, example := range examples {
							if !slices.Contains(example.Roles, role) {
								continue
							}
							t.Run(example.Name, func(t *testing.T) {
								application := newApplication(t, clusters[role], example, role)
								roundTrip(t, application)
								streams.Add(1)
								objects.Add(int64(len(application.targets)))
							})
						}
					})
				}
			})
			t.Logf("%d streams with %d objects were applied, twice", streams.Load(), objects.Load())
			t.Run("breaks", func(t *testing.T) { breaks(t, clusters, liqo) })
		})
	}
}

// Liqo is missing: the sync has to fail, and to have changed nothing.
func withoutCRDs(t *testing.T, clusters map[string]*cluster) {
	for _, role := range kit.Roles {
		application := newApplication(t, clusters[role], kit.Quickstart(t), role)
		_, err := application.sync(t, false)
		if err == nil || !strings.Contains(err.Error(), "could not find") {
			t.Errorf("%s: got %v", role, err)
		}
		t.Log(err)
		for _, live := range application.lives(t) {
			if live != nil {
				t.Errorf("%s: %s was created", role, kit.Name(live))
			}
		}
	}
}

func roundTrip(t *testing.T, application *application) {
	bringNamespaces(t, application)
	_, err := application.sync(t, false)
	kit.Must(t, err)
	for i, live := range application.lives(t) {
		if live == nil {
			t.Fatalf("%s is missing", kit.Name(application.targets[i]))
		}
	}
	if err := disorder(application.applied(t)); err != nil {
		t.Error(err)
	}
	kit.Must(t, application.strict(t))
	secretsStayOut(t, application)
	kit.Must(t, application.found())
	application.unsealed(t)
	if modified := application.diff(t); len(modified) != 0 {
		t.Errorf("OutOfSync right after the sync: %v", modified)
	}

	before := application.resourceVersions(t)
	_, err = application.sync(t, false)
	kit.Must(t, err)
	if after := application.resourceVersions(t); !reflect.DeepEqual(before, after) {
		t.Errorf("the second sync writes: resource versions %v and then %v", before, after)
	}

	changed, err := application.updateAsLiqo(t)
	kit.Must(t, err)
	if len(changed) != 0 {
		t.Errorf("Liqo changes by reading and writing: %v", changed)
	}
	if modified := application.diff(t); len(modified) != 0 {
		t.Errorf("OutOfSync after Liqo has written: %v", modified)
	}

	deleted, err := application.sync(t, true)
	kit.Must(t, err)
	if len(deleted) != len(application.targets) {
		t.Errorf("%d objects were deleted of %d", len(deleted), len(application.targets))
	}
	byKey := map[kube.ResourceKey]*unstructured.Unstructured{}
	for _, target := range application.targets {
		byKey[kube.GetResourceKey(target)] = target
	}
	var reversed []*unstructured.Unstructured
	for _, key := range deleted {
		reversed = append([]*unstructured.Unstructured{byKey[key]}, reversed...)
	}
	if err := disorder(reversed); err != nil {
		t.Errorf("pruned in this order, backwards: %v", err)
	}
}

// bringNamespaces makes the Namespaces that the stream expects to be there (`create: false`).
func bringNamespaces(t *testing.T, application *application) {
	t.Helper()
	for _, target := range application.targets {
		namespace := &unstructured.Unstructured{}
		namespace.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Namespace"})
		namespace.SetName(target.GetNamespace())
		brought := slices.ContainsFunc(application.targets, func(o *unstructured.Unstructured) bool {
			return o.GetKind() == "Namespace" && o.GetName() == target.GetNamespace()
		})
		if brought || target.GetNamespace() == "" || application.cluster.live(t, namespace) != nil {
			continue
		}
		_, err := application.cluster.client(namespace).Create(t.Context(), namespace, metav1.CreateOptions{})
		kit.Must(t, err)
		t.Cleanup(func() {
			engine := &engine{KubectlCmd: kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}, cluster: application.cluster}
			kit.Must(t, engine.DeleteResource(context.Background(), application.cluster.config, namespace.GroupVersionKind(), namespace.GetName(), "", metav1.DeleteOptions{}))
		})
	}
}

// Client-side apply keeps a copy of what it applied in an annotation. Nothing secret may get there.
func secretsStayOut(t *testing.T, application *application) {
	t.Helper()
	for _, live := range application.lives(t) {
		_, copied := live.GetAnnotations()["kubectl.kubernetes.io/last-applied-configuration"]
		serverSide := strings.Contains(live.GetAnnotations()["argocd.argoproj.io/sync-options"], "ServerSideApply=true")
		// what is sealed may be copied
		if copied == serverSide || live.GetKind() == "Secret" && copied {
			t.Errorf("%s: a copy in an annotation: %t", kit.Name(live), copied)
		}
	}
}
