package kit

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Objects decodes manifests.
func Objects(t testing.TB, manifests []string) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	for _, manifest := range manifests {
		objects = append(objects, split(t, []byte(manifest))...)
	}
	return objects
}

// split reads a stream with the decoder that Argo CD's engine has (gitops-engine pkg/utils/kube, SplitYAML), whose own
// import path is another one since Argo CD 3.6.
func split(t testing.TB, stream []byte) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	for decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(stream), 4096); ; {
		var document runtime.RawExtension
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return objects
		}
		Must(t, err)
		if text := bytes.TrimSpace(document.Raw); len(text) > 0 && !bytes.Equal(text, []byte("null")) {
			object := &unstructured.Unstructured{}
			Must(t, object.UnmarshalJSON(text))
			objects = append(objects, object)
		}
	}
}

// Name is how a person speaks of an object.
func Name(object *unstructured.Unstructured) string {
	name := object.GetKind() + " " + object.GetName()
	if object.GetNamespace() != "" {
		name += " in " + object.GetNamespace()
	}
	return name
}
