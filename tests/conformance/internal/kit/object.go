package kit

import (
	"testing"

	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Objects decodes manifests with the repo-server's own reader.
func Objects(t testing.TB, manifests []string) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	for _, manifest := range manifests {
		some, err := kube.SplitYAML([]byte(manifest))
		Must(t, err)
		objects = append(objects, some...)
	}
	return objects
}

// Name is how a person speaks of an object.
func Name(object *unstructured.Unstructured) string {
	name := object.GetKind() + " " + object.GetName()
	if object.GetNamespace() != "" {
		name += " in " + object.GetNamespace()
	}
	return name
}
