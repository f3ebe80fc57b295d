package apiserver

import (
	"fmt"

	"argocd-peering.example/conformance/internal/kit"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

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
