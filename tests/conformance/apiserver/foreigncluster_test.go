package apiserver

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// summary is the ForeignCluster as Liqo makes it (liqo foreigncluster-controller/foreigncluster_controller.go,
// foreignclusterEnqueuer), with the finalizer of its checker (apiserverchecker.go).
const summary = `apiVersion: core.liqo.io/v1beta1
kind: ForeignCluster
metadata: {name: PEER, labels: {liqo.io/remote-cluster-id: PEER}, finalizers: [api-server-checker.liqo.io/finalizer]}
spec: {clusterID: PEER}
`

// connection is what Liqo writes of the tunnel (liqo foreigncluster-controller/status.go and conditions.go).
const connection = `{role: Provider, modules: {authentication: {enabled: false}, offloading: {enabled: false}, networking: {enabled: true, conditions: [
  {type: NetworkConnectionStatus, status: STATUS, reason: Connection, message: It is so., lastTransitionTime: "2026-11-22T06:00:00Z"}]}}}`

// Liqo makes the ForeignCluster before a sync gets to the last wave. Argo CD takes it over and changes nothing of it, and it is
// pruned when the document leaves it out. Its health is the tunnel's, and a sync that changes something goes on while it is down.
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
			for _, one := range []struct{ connection, health string }{{"Established", "Healthy"}, {"Error", "Degraded"}} {
				object := consumer.live(t, before)
				var status map[string]any
				kit.Must(t, yaml.Unmarshal([]byte(strings.Replace(connection, "STATUS", one.connection, 1)), &status))
				object.Object["status"] = status
				object, err = consumer.client(object).UpdateStatus(t.Context(), object, metav1.UpdateOptions{FieldValidation: "Strict"})
				kit.Must(t, err)
				got, err := health.GetResourceHealth(object, consumer.health)
				kit.Must(t, err)
				if string(got.Status) != one.health {
					t.Errorf("with a connection that is %s it is %s, and not %s", one.connection, got.Status, one.health)
				}
				if modified := application.diff(t); len(modified) != 0 {
					t.Errorf("%s: OutOfSync: %v", one.connection, modified)
				}
				_, err = application.sync(t, false)
				kit.Must(t, err)
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
