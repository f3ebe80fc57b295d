package apiserver

import (
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What the tests of the examples would let through if they could not fail: each of these streams is wrong in one place.
func breaks(t *testing.T, clusters map[string]*cluster, liqo string) {
	for _, wrong := range []struct {
		name, role, says string
		kind             string
		value            any
		path             string
	}{
		{"a CIDR that is no list", "consumer", "spec.remote.cidr.pod", "Configuration", "10.42.0.0/16", "spec.remote.cidr.pod"},
		{"a name that YAML 1.1 reads as a boolean", "consumer", "spec.providerClusterID", "ResourceSlice", true, "spec.providerClusterID"},
		{"a port that is text", "provider", "spec.endpoint.port", "GatewayServer", "51840", "spec.endpoint.port"},
		{"a Secret that is no base64", "consumer", "illegal base64", "Secret", "%", "data.privateKey"},
	} {
		t.Run(wrong.name, func(t *testing.T) {
			application := spoiled(t, clusters[wrong.role], wrong.role, wrong.kind, wrong.value, wrong.path)
			_, err := application.sync(t, false)
			if err == nil || !strings.Contains(err.Error(), wrong.says) {
				t.Errorf("got %v", err)
			}
			t.Log(err)
			application.prune(t)
		})
	}
	t.Run("a field that does not exist", func(t *testing.T) { dropped(t, clusters["provider"], "spec.colour") })
	if strings.HasPrefix(liqo, "v1.0.") {
		t.Run("a field of a newer Liqo", func(t *testing.T) { dropped(t, clusters["provider"], "spec.serviceAnnotations") })
	}
	t.Run("an integer where Kubernetes has a quantity", func(t *testing.T) { integerQuantity(t, clusters["consumer"]) })
	t.Run("a wrong wave", func(t *testing.T) { wrongWave(t, clusters["consumer"]) })
	for kind, label := range map[string]string{
		"Namespace":     "liqo.io/tenant-namespace",
		"Secret":        "networking.liqo.io/gateway-resource",
		"PublicKey":     "liqo.io/remote-cluster-id",
		"Configuration": "liqo.io/remote-cluster-id",
		"GatewayClient": "liqo.io/remote-cluster-id",
		"ResourceSlice": "liqo.io/replication",
	} {
		t.Run("a missing label of a "+kind, func(t *testing.T) { missingLabel(t, clusters["consumer"], kind, label) })
	}
}

// spoiled is a side of the quickstart with a wrong value in the objects of a kind.
func spoiled(t *testing.T, cluster *cluster, role, kind string, value any, path string) *application {
	t.Helper()
	application := newApplication(t, cluster, kit.Quickstart(t), role)
	for _, target := range application.targets {
		if target.GetKind() == kind {
			kit.Must(t, unstructured.SetNestedField(target.Object, value, strings.Split(path, ".")...))
		}
	}
	return application
}

// prune leaves the cluster to the next test as it was.
func (a *application) prune(t *testing.T) {
	t.Helper()
	_, err := a.sync(t, true)
	kit.Must(t, err)
}

// dropped is a field that the CRD lacks. Argo CD asks for no strict validation when it applies: gitops-engine gives
// kubectl's Strict to a validator that leaves it to the server, and not to the request. So the field is dropped, the
// sync succeeds, and the Application is OutOfSync for ever. What finds it is the difference, and our own strict update.
func dropped(t *testing.T, cluster *cluster, path string) {
	application := spoiled(t, cluster, "provider", "GatewayServer", map[string]any{"a": "b"}, path)
	_, err := application.sync(t, false)
	kit.Must(t, err)
	if modified := application.diff(t); len(modified) != 1 || !strings.HasPrefix(modified[0], "GatewayServer") {
		t.Errorf("OutOfSync: %v", modified)
	}
	err = application.strict(t)
	if err == nil || !strings.Contains(err.Error(), `unknown field "`+path+`"`) {
		t.Errorf("got %v", err)
	}
	t.Log(err)
	application.prune(t)
}

// integerQuantity is taken by the CRD, and only Liqo's own writing makes a difference of it.
func integerQuantity(t *testing.T, cluster *cluster) {
	application := spoiled(t, cluster, "consumer", "ResourceSlice", int64(20), "spec.resources.cpu")
	_, err := application.sync(t, false)
	kit.Must(t, err)
	changed, err := application.updateAsLiqo(t)
	kit.Must(t, err)
	if modified := application.diff(t); len(changed) != 1 || len(modified) != 1 {
		t.Errorf("Liqo changes %v, and OutOfSync is %v", changed, modified)
	}
	application.prune(t)
}

func wrongWave(t *testing.T, cluster *cluster) {
	application := newApplication(t, cluster, kit.Quickstart(t), "consumer")
	for _, target := range application.targets {
		if target.GetKind() == "GatewayClient" {
			const wave = "argocd.argoproj.io/sync-wave" // its dots are no path's
			kit.Must(t, unstructured.SetNestedField(target.Object, "5", "metadata", "annotations", wave))
		}
	}
	_, err := application.sync(t, false)
	kit.Must(t, err)
	err = disorder(application.applied(t))
	if err == nil {
		t.Error("the order is right")
	}
	t.Log(err)
	application.prune(t)
}

// missingLabel is one that no API server asks for.
func missingLabel(t *testing.T, cluster *cluster, kind, label string) {
	application := newApplication(t, cluster, kit.Quickstart(t), "consumer")
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
}
