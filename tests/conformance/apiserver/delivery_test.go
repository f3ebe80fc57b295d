package apiserver

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/syncwaves"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/argo"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	secretKind         = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
	sealedSecretKind   = schema.GroupVersionKind{Group: "bitnami.com", Version: "v1alpha1", Kind: "SealedSecret"}
	externalSecretKind = schema.GroupVersionKind{Group: "external-secrets.io", Version: "v1", Kind: "ExternalSecret"}
)

// delivery is what makes Secrets on a cluster: the CRDs and the sealed-secrets controller.
type delivery struct {
	crds       []string
	controller string
}

// delivered builds it in the module that knows the controller.
func delivered(t *testing.T) delivery {
	t.Helper()
	sealed := inModule(t, "delivery", "list", "-m", "-f", "{{.Dir}}", "github.com/bitnami/sealed-secrets")
	const external = "github.com/external-secrets/external-secrets"
	inModule(t, "delivery", "mod", "download", "-modfile=external-secrets.mod", external)
	bases := inModule(t, "delivery", "list", "-modfile=external-secrets.mod", "-m", "-f", "{{.Dir}}", external)
	return delivery{
		crds: []string{
			filepath.Join(sealed, "helm", "sealed-secrets", "crds", "*.yaml"),
			filepath.Join(bases, "config", "crds", "bases", "external-secrets.io_externalsecrets.yaml"),
		},
		controller: build(t, "controller", "delivery", "github.com/bitnami/sealed-secrets/cmd/controller"),
	}
}

func (c *cluster) installDelivery(t *testing.T, built delivery) {
	t.Helper()
	for _, crd := range built.crds {
		c.install(t, crd)
	}
}

// deliveryCluster has the CRDs of the newest Liqo and of both deliveries, and no controller.
func deliveryCluster(t *testing.T, name string) (*cluster, delivery) {
	t.Helper()
	built, liqo := delivered(t), slices.Max(kit.LiqoTags(t))
	cluster := newCluster(t, etcd(t), name)
	cluster.install(t, crdsOf(t, liqo))
	cluster.liqoTypes = typesOf(t, liqo)
	cluster.installDelivery(t, built)
	return cluster, built
}

const controllerNamespace = "kube-system"

// startController starts the sealed-secrets controller, as it is, with the keys of tests/certificates.
func (c *cluster) startController(t *testing.T, built delivery) {
	t.Helper()
	for _, name := range []string{"rome", "milan"} {
		c.bringKey(t, name)
	}
	// the controller looks for the API server where a pod does: in the environment and below /var/run, of which it gets
	// one of its own
	account := kit.ShortDir(t)
	certificate, err := os.ReadFile(c.certificate)
	kit.Must(t, err)
	kit.WriteFile(t, string(certificate), account, "ca.crt")
	kit.WriteFile(t, c.config.BearerToken, account, "token")
	address, err := url.Parse(c.config.Host)
	kit.Must(t, err)
	const inPod = `mount -t tmpfs tmpfs /var/run && mkdir -p /var/run/secrets/kubernetes.io &&
		cp -r "$0" /var/run/secrets/kubernetes.io/serviceaccount && exec "$@"`
	command := exec.Command("unshare", "--mount", "sh", "-c", inPod, account, built.controller,
		"--listen-addr=127.0.0.1:0", "--listen-metrics-addr=127.0.0.1:0", "--key-renew-period=0", "--kubeclient-qps=-1")
	command.Env = append(os.Environ(), "KUBERNETES_SERVICE_HOST="+address.Hostname(), "KUBERNETES_SERVICE_PORT="+address.Port(),
		"POD_NAMESPACE="+controllerNamespace)
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	kit.Start(t, "the controller", command)
}

// bringKey is how an operator brings a controller a key: a Secret with a label.
func (c *cluster) bringKey(t *testing.T, name string) {
	t.Helper()
	data := map[string]any{}
	for item, suffix := range map[string]string{"tls.crt": ".crt", "tls.key": ".key"} {
		text, err := os.ReadFile(filepath.Join(kit.Root(t), "tests", "certificates", name+suffix))
		kit.Must(t, err)
		data[item] = string(text)
	}
	secret := &unstructured.Unstructured{Object: map[string]any{"type": "kubernetes.io/tls", "stringData": data}}
	secret.SetGroupVersionKind(secretKind)
	secret.SetName(name)
	secret.SetNamespace(controllerNamespace)
	secret.SetLabels(map[string]string{"sealedsecrets.bitnami.com/sealed-secrets-key": "active"})
	// the API server makes its own namespaces after its start
	eventually(t, "the controller has the key "+name, func() bool {
		_, err := c.client(secret).Create(t.Context(), secret, metav1.CreateOptions{})
		return err == nil
	})
}

// unsealed waits until the controller has unsealed all of the stream, and fails unless Liqo finds the Secrets.
func (a *application) unsealed(t *testing.T) {
	t.Helper()
	var secrets []*unstructured.Unstructured
	for _, target := range a.targets {
		if target.GroupVersionKind() != sealedSecretKind {
			continue
		}
		secret := target.DeepCopy()
		secret.SetGroupVersionKind(secretKind)
		eventually(t, kit.Name(target)+" is unsealed", func() bool { return synced(a.cluster.live(t, target)) })
		live := a.cluster.live(t, secret)
		if live == nil {
			t.Fatalf("%s is missing", kit.Name(secret))
		}
		sealed, _, _ := unstructured.NestedMap(target.Object, "spec", "encryptedData")
		data, _, _ := unstructured.NestedMap(live.Object, "data")
		if len(sealed) == 0 || len(data) != len(sealed) {
			t.Errorf("%s has %d items of %d", kit.Name(live), len(data), len(sealed))
		}
		immutable, _, _ := unstructured.NestedBool(target.Object, "spec", "template", "immutable")
		if got, _, _ := unstructured.NestedBool(live.Object, "immutable"); got != immutable {
			t.Errorf("%s: immutable is %t", kit.Name(live), got)
		}
		for annotation := range live.GetAnnotations() {
			if strings.HasPrefix(annotation, "argocd.argoproj.io/tracking-id") {
				t.Errorf("%s: Argo CD takes it for its own", kit.Name(live))
			}
		}
		secrets = append(secrets, live)
	}
	if len(secrets) == 0 {
		return
	}
	_, err := a.cluster.liqo("labels", secrets)
	kit.Must(t, err)
}

func synced(sealed *unstructured.Unstructured) bool {
	if sealed == nil {
		return false
	}
	observed, _, _ := unstructured.NestedInt64(sealed.Object, "status", "observedGeneration")
	if observed != sealed.GetGeneration() {
		return false // Argo CD's check looks at this from 3.5 on
	}
	conditions, _, _ := unstructured.NestedSlice(sealed.Object, "status", "conditions")
	return slices.ContainsFunc(conditions, func(condition any) bool {
		fields, ok := condition.(map[string]any)
		return ok && fields["type"] == "Synced" && fields["status"] == "True"
	})
}

// fetchExternal is what the external-secrets operator, which does not run here, says when it has fetched.
func (c *cluster) fetchExternal(t *testing.T, lives []*unstructured.Unstructured) error {
	t.Helper()
	for _, live := range lives {
		if live == nil || live.GroupVersionKind() != externalSecretKind || live.Object["status"] != nil {
			continue
		}
		ready := map[string]any{"type": "Ready", "status": "True", "reason": "SecretSynced"}
		if err := unstructured.SetNestedSlice(live.Object, []any{ready}, "status", "conditions"); err != nil {
			return err
		}
		if _, err := c.client(live).UpdateStatus(t.Context(), live, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// exampleOf is the one example of a name.
func exampleOf(t *testing.T, name string) kit.Example {
	t.Helper()
	all := kit.Examples(t)
	return all[slices.IndexFunc(all, func(example kit.Example) bool { return example.Name == name })]
}

// plain is the consumer's side of the example of sealed-secrets with the Secrets themselves, in the waves of their SealedSecrets.
func plain(t *testing.T, cluster *cluster) *application {
	t.Helper()
	example := exampleOf(t, "sealed-secret")
	plain := newApplication(t, cluster, example, "consumer")
	for _, secret := range example.Secrets(t, "consumer") {
		i := slices.IndexFunc(plain.targets, func(o *unstructured.Unstructured) bool {
			return o.GroupVersionKind() == sealedSecretKind && o.GetName() == secret.GetName()
		})
		annotations := plain.targets[i].GetAnnotations()
		maps.Copy(annotations, secret.GetAnnotations())
		secret.SetAnnotations(annotations)
		secret.SetOwnerReferences(nil)
		unstructured.RemoveNestedField(secret.Object, "metadata", "creationTimestamp")
		kit.Must(t, argo.NewResourceTracking().SetAppInstance(secret, common.LabelKeyAppInstance, plain.name, plain.namespace,
			v1alpha1.TrackingMethodAnnotation, ""))
		plain.targets[i] = secret
		plain.former = append(plain.former, secret)
	}
	return plain
}

// A SealedSecret is Healthy when its controller has unsealed it. Until then the gateway's wave waits, and then the sync
// goes on to its end.
func TestSealedSecretHoldsItsWave(t *testing.T) {
	cluster, built := deliveryCluster(t, "sealed")
	example := exampleOf(t, "sealed-secret")
	application := newApplication(t, cluster, example, "consumer")
	_, err := application.syncFor(t, false, 10*time.Second)
	if err == nil || !strings.Contains(err.Error(), "waiting for healthy state of bitnami.com/SealedSecret") {
		t.Fatalf("without a controller the sync says: %v", err)
	}
	t.Log(err)
	for i, live := range application.lives(t) {
		if target := application.targets[i]; (live != nil) != (syncwaves.Wave(target) <= 1) {
			t.Errorf("%s, of wave %d: applied is %t", kit.Name(target), syncwaves.Wave(target), live != nil)
		}
	}

	cluster.startController(t, built)
	_, err = application.sync(t, false)
	kit.Must(t, err)
	application.unsealed(t)
	for _, secret := range example.Secrets(t, "consumer") {
		if live := cluster.live(t, secret); live == nil || !reflect.DeepEqual(live.Object["data"], secret.Object["data"]) {
			t.Errorf("%s: other data", kit.Name(secret))
		}
	}
	if modified := application.diff(t); len(modified) != 0 {
		t.Errorf("OutOfSync: %v", modified)
	}
}

// From `Secret` to `SealedSecret` with the same keys, as docs/delivery.md has it: two annotations on each Secret let the
// controller take it over, and keep Argo CD from pruning it. Without them the controller does not touch what it does not
// own, its wave fails, and Argo CD has already pruned the credential, because waves are reversed for what is pruned.
func TestSealedSecretReplacesSecret(t *testing.T) {
	cluster, built := deliveryCluster(t, "replaced")
	cluster.startController(t, built)

	changed := func(t *testing.T, annotations map[string]string) (*application, map[string]string, error) {
		before, plain := map[string]string{}, plain(t, cluster)
		former := plain.former
		plain.former = nil
		_, err := plain.sync(t, false)
		kit.Must(t, err)
		for _, former := range former {
			live := cluster.live(t, former)
			before[kit.Name(former)] = fmt.Sprint(live.GetUID(), live.Object["data"])
			live.SetAnnotations(with(live.GetAnnotations(), annotations))
			_, err := cluster.client(live).Update(t.Context(), live, metav1.UpdateOptions{})
			kit.Must(t, err)
		}
		sealed := newApplication(t, cluster, exampleOf(t, "sealed-secret"), "consumer")
		sealed.former = former
		_, err = sealed.syncFor(t, false, time.Minute)
		return sealed, before, err
	}

	t.Run("with the annotations", func(t *testing.T) {
		application, before, err := changed(t, map[string]string{
			"sealedsecrets.bitnami.com/managed": "true",
			"argocd.argoproj.io/sync-options":   "Prune=false",
		})
		kit.Must(t, err)
		application.unsealed(t)
		for _, former := range application.former {
			live := cluster.live(t, former)
			if live == nil || fmt.Sprint(live.GetUID(), live.Object["data"]) != before[kit.Name(former)] {
				t.Errorf("%s is another one", kit.Name(former))
			} else if len(live.GetOwnerReferences()) != 1 {
				t.Errorf("%s does not belong to its SealedSecret", kit.Name(former))
			}
		}
		deleted, err := application.sync(t, false)
		kit.Must(t, err)
		if modified := application.diff(t); len(deleted) != 0 || len(modified) != 0 {
			t.Errorf("the next sync deletes %v; OutOfSync are %v", deleted, modified)
		}
		application.prune(t)
	})
	t.Run("without them", func(t *testing.T) {
		application, _, err := changed(t, nil)
		if err == nil {
			t.Error("the sync succeeds")
		}
		said := ""
		for _, live := range application.lives(t) {
			if live != nil && live.GroupVersionKind() == sealedSecretKind {
				said += fmt.Sprint(live.Object["status"])
			}
		}
		if !strings.Contains(said, "already exists and is not managed by SealedSecret") {
			t.Errorf("the controller says: %s", said)
		}
		for _, former := range application.former {
			if strings.HasPrefix(former.GetName(), "kubeconfig-") && cluster.live(t, former) != nil {
				t.Errorf("%s was not pruned", kit.Name(former))
			}
		}
	})
}

// From `Secret` to `External`, as docs/delivery.md has it: without its tracking id a Secret that leaves the stream is not
// pruned. And back: Argo CD takes the Secret that is there.
func TestSecretLeavesTheStream(t *testing.T) {
	cluster, _ := deliveryCluster(t, "left")
	for _, tracked := range []bool{false, true} {
		application := newApplication(t, cluster, kit.Quickstart(t), "consumer")
		_, err := application.sync(t, false)
		kit.Must(t, err)
		all := application.targets
		application.targets = nil
		before := map[string]any{}
		for _, target := range all {
			if target.GroupVersionKind() != secretKind {
				application.targets = append(application.targets, target)
				continue
			}
			application.former = append(application.former, target)
			live := cluster.live(t, target)
			before[kit.Name(target)] = live.GetUID()
			if tracked {
				continue
			}
			annotations := live.GetAnnotations()
			delete(annotations, common.AnnotationKeyAppInstance)
			live.SetAnnotations(annotations)
			_, err := cluster.client(live).Update(t.Context(), live, metav1.UpdateOptions{})
			kit.Must(t, err)
		}
		deleted, err := application.sync(t, false)
		kit.Must(t, err)
		if len(application.former) != 2 || len(deleted) != map[bool]int{true: 2, false: 0}[tracked] {
			t.Errorf("tracked is %t, and of %d Secrets were pruned: %v", tracked, len(application.former), deleted)
		}
		application.targets, application.former = all, nil
		_, err = application.sync(t, false)
		kit.Must(t, err)
		for _, target := range all {
			if target.GroupVersionKind() == secretKind && (cluster.live(t, target).GetUID() == before[kit.Name(target)]) == tracked {
				t.Errorf("tracked is %t, and %s is the same one or not", tracked, kit.Name(target))
			}
		}
		if modified := application.diff(t); len(modified) != 0 {
			t.Errorf("OutOfSync: %v", modified)
		}
	}
}

// The wave of an ExternalSecret waits for the operator. That the rest is accepted is in the round trip of all examples.
func TestExternalSecretHoldsItsWave(t *testing.T) {
	cluster, _ := deliveryCluster(t, "external")
	application := newApplication(t, cluster, exampleOf(t, "external"), "consumer")
	application.waiting = true
	_, err := application.syncFor(t, false, 5*time.Second)
	if err == nil || !strings.Contains(err.Error(), "waiting for healthy state of external-secrets.io/ExternalSecret") {
		t.Errorf("without an operator the sync says: %v", err)
	}
	application.waiting = false
	_, err = application.sync(t, false)
	kit.Must(t, err)
}
