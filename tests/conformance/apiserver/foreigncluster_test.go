package apiserver

import (
	"reflect"
	"slices"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// summary is the ForeignCluster as Liqo makes it (liqo foreigncluster-controller/foreigncluster_controller.go,
// foreignclusterEnqueuer), with the finalizer of its checker (apiserverchecker.go).
const summary = `apiVersion: core.liqo.io/v1beta1
kind: ForeignCluster
metadata: {name: PEER, labels: {liqo.io/remote-cluster-id: PEER}, finalizers: [api-server-checker.liqo.io/finalizer]}
spec: {clusterID: PEER}
`

// Liqo makes the ForeignCluster before a sync gets to the last wave. Argo CD takes it over and changes nothing of it, and it is
// pruned when the document leaves it out. That its health is the tunnel's is in argocd-app/health and in tests/scene.
func TestForeignCluster(t *testing.T) {
	endpoint, tags := etcd(t), kit.LiqoTags(t)
	if testing.Short() {
		tags = tags[len(tags)-1:]
	}
	for _, liqo := range tags {
		t.Run(liqo, func(t *testing.T) {
			consumer := newCluster(t, endpoint, "summary-"+liqo)
			consumer.install(t, crdsOf(t, liqo))
			application := newApplication(t, consumer, kit.Quickstart(t), "consumer")
			before := consumer.bring(t, summary, "consumer", liqo)[0]
			_, err := application.sync(t, false)
			kit.Must(t, err)
			after := consumer.live(t, before)
			for what, of := range map[string]func(*unstructured.Unstructured) any{
				"uid":        func(o *unstructured.Unstructured) any { return o.GetUID() },
				"labels":     func(o *unstructured.Unstructured) any { return o.GetLabels() },
				"finalizers": func(o *unstructured.Unstructured) any { return o.GetFinalizers() },
				"spec":       func(o *unstructured.Unstructured) any { return o.Object["spec"] },
				"generation": func(o *unstructured.Unstructured) any { return o.GetGeneration() },
			} {
				if !reflect.DeepEqual(of(before), of(after)) {
					t.Errorf("its %s was %v and is %v", what, of(before), of(after))
				}
			}
			without := *application
			without.targets = slices.DeleteFunc(slices.Clone(application.targets), func(o *unstructured.Unstructured) bool {
				return o.GetKind() == "ForeignCluster"
			})
			// Liqo takes it off when the object is deleted
			object := consumer.live(t, before)
			object.SetFinalizers(nil)
			_, err = consumer.client(object).Update(t.Context(), object, metav1.UpdateOptions{})
			kit.Must(t, err)
			_, err = without.since(application).sync(t, false)
			kit.Must(t, err)
			if consumer.live(t, before) != nil {
				t.Error("it is no longer in the stream, and was not pruned")
			}
		})
	}
}
