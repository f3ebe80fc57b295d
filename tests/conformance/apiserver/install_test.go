package apiserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

const ourImage = "registry.example.com/team/argocd-peering:1.2.3"

// argocd-app/install as its users take it: over upstream's manifests, by the kustomize in kubectl, to an API server.
func TestInstall(t *testing.T) {
	endpoint := etcd(t)
	for _, manifests := range []string{"install.yaml", "ha/install.yaml", "namespace-install.yaml", "core-install.yaml"} {
		t.Run(manifests, func(t *testing.T) {
			upstream := built(t, manifests)
			installed := built(t, manifests, "install", "install/health")
			same(t, upstream, installed)

			cluster := newCluster(t, endpoint, "install-"+strings.ReplaceAll(manifests, "/", "-"))
			for _, kind := range []string{"CustomResourceDefinition", ""} {
				for _, object := range installed {
					if (object.GetKind() == "CustomResourceDefinition") == (kind != "") {
						create(t, cluster, object)
					}
				}
			}
			deployment := find(installed, "Deployment", "argocd-repo-server")
			repoServer(t, cluster.live(t, deployment))
			settings(t, find(upstream, "ConfigMap", "argocd-cm"), cluster.live(t, find(installed, "ConfigMap", "argocd-cm")))
		})
	}
	t.Run("the full pack", func(t *testing.T) {
		installed := built(t, "install.yaml", "install", "install/health-full")
		settings(t, find(built(t, "install.yaml"), "ConfigMap", "argocd-cm"), find(installed, "ConfigMap", "argocd-cm"))
	})
}

// built is what `kubectl kustomize` makes of the Argo CD that this test is built with, and these components of argocd-app.
func built(t *testing.T, manifests string, components ...string) []*unstructured.Unstructured {
	t.Helper()
	folder := kit.ShortDir(t)
	kit.Must(t, os.CopyFS(filepath.Join(folder, "argocd-app"), os.DirFS(filepath.Join(kit.Root(t), "argocd-app"))))
	text, err := os.ReadFile(filepath.Join(kit.ModuleDir(t, kit.ArgoCD), "manifests", manifests))
	kit.Must(t, err)
	kit.WriteFile(t, string(text), folder, "upstream.yaml")
	kustomization := "namespace: argocd\nresources: [upstream.yaml]\n"
	if len(components) > 0 {
		kustomization += "components: [argocd-app/" + strings.Join(components, ", argocd-app/") + "]\n" +
			"images: [{name: registry.example.org/argocd-peering, newName: registry.example.com/team/argocd-peering, newTag: 1.2.3}]\n"
	}
	kit.WriteFile(t, kustomization, folder, "kustomization.yaml")
	output, err := exec.CommandContext(t.Context(), "kubectl", "kustomize", folder).Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		t.Fatalf("%s", failed.Stderr)
	}
	kit.Must(t, err)
	var objects []*unstructured.Unstructured
	for reader := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(output), 4096); ; {
		object := &unstructured.Unstructured{}
		if err := reader.Decode(&object.Object); errors.Is(err, io.EOF) {
			return objects
		} else {
			kit.Must(t, err)
		}
		objects = append(objects, object)
	}
}

// same: nothing but the repo-server and the two ConfigMaps is changed, added or removed.
func same(t *testing.T, upstream, installed []*unstructured.Unstructured) {
	t.Helper()
	if len(upstream) != len(installed) || len(upstream) < 20 {
		t.Fatalf("%d objects became %d", len(upstream), len(installed))
	}
	var changed []string
	for _, object := range upstream {
		other := find(installed, object.GetKind(), object.GetName())
		if fmt.Sprint(object.Object) != fmt.Sprint(other.Object) {
			changed = append(changed, object.GetKind()+" "+object.GetName())
		}
	}
	if fmt.Sprint(changed) != "[ConfigMap argocd-cm ConfigMap argocd-cmd-params-cm Deployment argocd-repo-server]" {
		t.Errorf("changed are %v", changed)
	}
}

func find(objects []*unstructured.Unstructured, kind, name string) *unstructured.Unstructured {
	for _, object := range objects {
		if object.GetKind() == kind && object.GetName() == name {
			return object
		}
	}
	return &unstructured.Unstructured{}
}

// create refuses unknown and duplicate fields, as `kubectl create --validate=strict`.
func create(t *testing.T, cluster *cluster, object *unstructured.Unstructured) {
	t.Helper()
	namespace := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "argocd"},
	}}
	if cluster.live(t, namespace) == nil {
		_, err := cluster.client(namespace).Create(t.Context(), namespace, metav1.CreateOptions{})
		kit.Must(t, err)
	}
	_, err := cluster.client(object).Create(t.Context(), object, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if err != nil {
		t.Errorf("%s: %v", kit.Name(object), err)
	}
}

// repoServer: the sidecar is the second container, and has what upstream's Deployment gives a plugin.
func repoServer(t *testing.T, live *unstructured.Unstructured) {
	t.Helper()
	var deployment appsv1.Deployment
	kit.Must(t, runtime.DefaultUnstructuredConverter.FromUnstructured(live.Object, &deployment))
	pod := deployment.Spec.Template.Spec
	if len(pod.Containers) != 2 || pod.Containers[0].Name != "argocd-repo-server" || pod.Containers[1].Name != "argocd-peering" {
		t.Fatalf("the containers are %+v", pod.Containers)
	}
	server, sidecar := pod.Containers[0], pod.Containers[1]
	if sidecar.Image != ourImage {
		t.Errorf("the sidecar's image is %s", sidecar.Image)
	}
	sources := map[string]string{}
	for _, container := range append(pod.InitContainers, server) {
		for _, mount := range container.VolumeMounts {
			sources[mount.Name] = mount.MountPath
		}
	}
	for _, mount := range sidecar.VolumeMounts {
		if shared, ok := sources[mount.Name]; ok && shared != mount.MountPath {
			t.Errorf("%s is mounted at %s, and at %s by Argo CD", mount.Name, mount.MountPath, shared)
		}
	}
	if sources["var-files"] == "" || sources["plugins"] == "" {
		t.Errorf("upstream's pod has no volume of plugins: %v", sources)
	}
	if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
		t.Error("the pod gets a Kubernetes token")
	}
}

// settings: upstream's stay, and the checks come to them.
func settings(t *testing.T, upstream, installed *unstructured.Unstructured) {
	t.Helper()
	before, _, _ := unstructured.NestedStringMap(upstream.Object, "data")
	after, _, _ := unstructured.NestedStringMap(installed.Object, "data")
	for key, value := range before {
		if after[key] != value {
			t.Errorf("argocd-cm has another %s", key)
		}
	}
	checks := 0
	for key := range after {
		if strings.HasPrefix(key, "resource.customizations.health.") && strings.Contains(key, "liqo.io_") {
			checks++
		}
	}
	if checks != 12 {
		t.Errorf("%d checks of Liqo's kinds", checks)
	}
}
