package apiserver

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/gitops-engine/pkg/utils/tracing"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Both sides of every example, on two API servers, for every version of Liqo that the example is for: a first sync
// that stores everything in order, a second that writes nothing, no difference, and a prune in the reverse order.
func TestEveryExampleBothRoles(t *testing.T) {
	folders := crds(t)
	endpoint := etcd(t)
	for _, folder := range folders {
		liqo := filepath.Base(folder)
		t.Run(liqo, func(t *testing.T) {
			kit.Ran(t, "apiserver", liqo, kit.ArgoCD, kit.Kubernetes)
			clusters := map[string]*cluster{}
			for _, role := range kit.Roles {
				clusters[role] = newCluster(t, endpoint, liqo+"-"+role)
			}
			t.Run("without the CRDs", func(t *testing.T) { withoutCRDs(t, clusters) })
			types := typesOf(t, liqo)
			for _, role := range kit.Roles {
				clusters[role].install(t, folder)
				clusters[role].liqoTypes = types
			}
			t.Run("examples", func(t *testing.T) {
				for _, role := range kit.Roles {
					t.Run(role, func(t *testing.T) {
						t.Parallel() // each has its cluster
						for _, example := range kit.Examples(t) {
							if !takes(t, liqo, example) || !slices.Contains(example.Roles, role) {
								continue
							}
							t.Run(example.Name, func(t *testing.T) {
								roundTrip(t, newApplication(t, clusters[role], example, role))
							})
						}
					})
				}
			})
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
	if slices.ContainsFunc(application.targets, func(o *unstructured.Unstructured) bool { return o.GetKind() == "SealedSecret" }) {
		t.Fatal("the CRD of SealedSecret has to be installed here for an example with one")
	}
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
	kit.Must(t, quantities(application.targets))
	kit.Must(t, application.found())
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
		if copied == (live.GetKind() == "Secret") {
			t.Errorf("%s: a copy in an annotation: %t", kit.Name(live), copied)
		}
	}
}

// quantities are rewritten by whoever reads them into Kubernetes' type and writes them back, as Liqo does, unless they
// are in its own form.
func quantities(objects []*unstructured.Unstructured) error {
	for _, object := range objects {
		if object.GetKind() != "ResourceSlice" {
			continue
		}
		resources, _, err := unstructured.NestedMap(object.Object, "spec", "resources")
		if err != nil {
			return err
		}
		for name, value := range resources {
			text, ok := value.(string)
			if !ok {
				return fmt.Errorf("%s: the quantity %s is %v, and Kubernetes writes a string", kit.Name(object), name, value)
			}
			quantity, err := resource.ParseQuantity(text)
			if err != nil || quantity.String() != text {
				return fmt.Errorf("%s: the quantity %s is %s, and Kubernetes writes %s", kit.Name(object), name, text, quantity.String())
			}
		}
	}
	return nil
}

// What the tests above would let through if they could not fail: each of these streams is wrong in one place.
func breaks(t *testing.T, clusters map[string]*cluster, liqo string) {
	set := func(kind string, value any, path ...string) func(*testing.T, *unstructured.Unstructured) {
		return func(t *testing.T, object *unstructured.Unstructured) {
			t.Helper()
			if object.GetKind() == kind {
				kit.Must(t, unstructured.SetNestedField(object.Object, value, path...))
			}
		}
	}
	type wrong struct {
		name, role, says string
		change           func(*testing.T, *unstructured.Unstructured)
	}
	for _, wrong := range []wrong{
		{"a CIDR that is no list", "consumer", "spec.remote.cidr.pod", set("Configuration", "10.42.0.0/16", "spec", "remote", "cidr", "pod")},
		{"a name that YAML 1.1 reads as a boolean", "consumer", "spec.providerClusterID", set("ResourceSlice", true, "spec", "providerClusterID")},
		{"a port beyond all ports", "provider", "spec.endpoint.port", set("GatewayServer", "51840", "spec", "endpoint", "port")},
		{"a Secret that is no base64", "consumer", "illegal base64", set("Secret", "%", "data", "privateKey")},
	} {
		t.Run(wrong.name, func(t *testing.T) {
			application := newApplication(t, clusters[wrong.role], kit.Quickstart(t), wrong.role)
			for _, target := range application.targets {
				wrong.change(t, target)
			}
			_, err := application.sync(t, false)
			if err == nil || !strings.Contains(err.Error(), wrong.says) {
				t.Errorf("got %v", err)
			}
			t.Log(err)
			_, err = application.sync(t, true)
			kit.Must(t, err)
		})
	}
	// Argo CD asks for no strict validation when it applies (gitops-engine gives kubectl's Strict to a validator that
	// leaves it to the server, and not to the request). So a field that the CRD lacks is dropped, the sync succeeds, and
	// the Application is OutOfSync for ever. It is our checks of the difference and of strictness that find it.
	unknown := map[string][]string{"a field that does not exist": {"spec", "colour"}}
	if strings.HasPrefix(liqo, "v1.0.") {
		unknown["a field of a newer Liqo"] = []string{"spec", "serviceAnnotations"}
	}
	for name, path := range unknown {
		t.Run(name, func(t *testing.T) {
			application := newApplication(t, clusters["provider"], kit.Quickstart(t), "provider")
			for _, target := range application.targets {
				set("GatewayServer", map[string]any{"a": "b"}, path...)(t, target)
			}
			_, err := application.sync(t, false)
			kit.Must(t, err)
			if modified := application.diff(t); len(modified) != 1 || !strings.HasPrefix(modified[0], "GatewayServer") {
				t.Errorf("OutOfSync: %v", modified)
			}
			err = application.strict(t)
			if err == nil || !strings.Contains(err.Error(), `unknown field "`+strings.Join(path, ".")+`"`) {
				t.Errorf("got %v", err)
			}
			t.Log(err)
			_, err = application.sync(t, true)
			kit.Must(t, err)
		})
	}
	t.Run("an integer where Kubernetes has a quantity", func(t *testing.T) {
		application := newApplication(t, clusters["consumer"], kit.Quickstart(t), "consumer")
		for _, target := range application.targets {
			set("ResourceSlice", int64(20), "spec", "resources", "cpu")(t, target)
		}
		_, err := application.sync(t, false)
		kit.Must(t, err) // the CRD takes both, and only Liqo's own writing makes a difference of it
		changed, err := application.updateAsLiqo(t)
		kit.Must(t, err)
		if modified := application.diff(t); len(changed) != 1 || len(modified) != 1 {
			t.Errorf("Liqo changes %v, and OutOfSync is %v", changed, modified)
		}
		t.Logf("Liqo changes by reading and writing: %v", changed)
		err = quantities(application.targets)
		if err == nil {
			t.Error("found right")
		}
		t.Log(err)
		_, err = application.sync(t, true)
		kit.Must(t, err)
	})
	for kind, label := range map[string]string{
		"Namespace":     "liqo.io/tenant-namespace",
		"Secret":        "networking.liqo.io/gateway-resource",
		"PublicKey":     "liqo.io/remote-cluster-id",
		"Configuration": "liqo.io/remote-cluster-id",
		"GatewayClient": "liqo.io/remote-cluster-id",
		"ResourceSlice": "liqo.io/replication",
	} {
		// No API server asks for a label.
		t.Run("a missing label of a "+kind, func(t *testing.T) {
			application := newApplication(t, clusters["consumer"], kit.Quickstart(t), "consumer")
			kit.Must(t, application.found())
			for _, target := range application.targets {
				if target.GetKind() == kind {
					unstructured.RemoveNestedField(target.Object, "metadata", "labels", label)
				}
			}
			err := application.found()
			if err == nil || !strings.Contains(err.Error(), "there is no label "+label) {
				t.Errorf("got %v", err)
			}
			t.Log(err)
		})
	}
	t.Run("a wrong wave", func(t *testing.T) {
		application := newApplication(t, clusters["consumer"], kit.Quickstart(t), "consumer")
		for _, target := range application.targets {
			set("GatewayClient", "5", "metadata", "annotations", "argocd.argoproj.io/sync-wave")(t, target)
		}
		_, err := application.sync(t, false)
		kit.Must(t, err)
		err = disorder(application.applied(t))
		if err == nil {
			t.Error("the order is right")
		}
		t.Log(err)
		_, err = application.sync(t, true)
		kit.Must(t, err)
	})
}
