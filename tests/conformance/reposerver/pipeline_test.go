package reposerver

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func generate(t *testing.T, service *repository.Service, application v1alpha1.Application, commit string) ([]*unstructured.Unstructured, error) {
	t.Helper()
	return asked(t, service, request(application, commit))
}

func asked(t *testing.T, service *repository.Service, request *apiclient.ManifestRequest) ([]*unstructured.Unstructured, error) {
	t.Helper()
	response, err := service.GenerateManifest(t.Context(), request)
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	for _, manifest := range response.Manifests {
		object := &unstructured.Unstructured{}
		kit.Must(t, object.UnmarshalJSON([]byte(manifest)))
		objects = append(objects, object)
	}
	return objects, nil
}

// untracked takes off what the repo-server has added, and fails if it is not what it should be.
func untracked(t *testing.T, application v1alpha1.Application, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	for _, object := range objects {
		group := object.GroupVersionKind().Group
		namespace := object.GetNamespace()
		if namespace == "" {
			namespace = application.Spec.Destination.Namespace
		}
		want := fmt.Sprintf("%s:%s/%s:%s/%s", application.Name, group, object.GetKind(), namespace, object.GetName())
		annotations := object.GetAnnotations()
		if annotations[common.AnnotationKeyAppInstance] != want {
			t.Errorf("%s: the tracking id is %q", kit.Name(object), annotations[common.AnnotationKeyAppInstance])
		}
		delete(annotations, common.AnnotationKeyAppInstance)
		object.SetAnnotations(annotations)
		if len(annotations) == 0 {
			unstructured.RemoveNestedField(object.Object, "metadata", "annotations")
		}
	}
	return objects
}

// sameAsLocal fails if Argo CD's objects of an Application are not those of a person's own run for that role.
func sameAsLocal(t *testing.T, service *repository.Service, application v1alpha1.Application, commit string, example kit.Example, role string) {
	t.Helper()
	objects, err := generate(t, service, application, commit)
	kit.Must(t, err)
	if got, local := untracked(t, application, objects), example.Local(t, role); !reflect.DeepEqual(got, local) {
		t.Errorf("%s: Argo CD has %d objects, a person's own run %d, and they differ", role, len(got), len(local))
	}
}

func TestEveryExampleBothRoles(t *testing.T) {
	kit.Ran(t, "reposerver", "", kit.ArgoCD)
	for _, example := range kit.Examples(t) {
		t.Run(example.Name, func(t *testing.T) {
			kit.Serve(t, kit.PluginFile, example.Identity(t))
			repo, service := newRepo(t), newService(t)
			example.CopyTo(t, filepath.Join(repo.tree, example.Path))
			commit := repo.commit(t)
			for _, role := range example.Roles {
				t.Run(role, func(t *testing.T) {
					sameAsLocal(t, service, applicationOf(t, example, role), commit, example, role)
					hydrated(t, service, applicationOf(t, example, role), commit, example.Local(t, role))
				})
			}
		})
	}
}

// hydrated is the request of the Source Hydrator, which knows no cluster (controller/hydrator_dependencies.go): it gets
// the stream exactly if no Secret in it has data.
func hydrated(t *testing.T, service *repository.Service, application v1alpha1.Application, commit string, local []*unstructured.Unstructured) {
	t.Helper()
	application.Name += "-hydrated" // nothing is cached for it
	request := request(application, commit)
	request.KubeVersion, request.ApiVersions = "", nil
	objects, err := asked(t, service, request)
	secret := slices.ContainsFunc(local, func(object *unstructured.Unstructured) bool {
		return object.GetKind() == "Secret" && object.Object["data"] != nil
	})
	if secret {
		if err == nil || !strings.Contains(err.Error(), "error[hydration]") {
			t.Errorf("the hydrator gets %d objects and %v", len(objects), err)
		}
		return
	}
	kit.Must(t, err)
	if !reflect.DeepEqual(untracked(t, application, objects), local) {
		t.Errorf("the hydrator gets %d objects of %d, or they differ", len(objects), len(local))
	}
}
