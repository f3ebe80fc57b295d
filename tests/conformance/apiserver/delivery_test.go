package apiserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/syncwaves"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	secretKind         = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
	sealedSecretKind   = schema.GroupVersionKind{Group: "bitnami.com", Version: "v1alpha1", Kind: "SealedSecret"}
	externalSecretKind = schema.GroupVersionKind{Group: "external-secrets.io", Version: "v1", Kind: "ExternalSecret"}
)

// delivery is what makes Secrets on a cluster: the CRDs, the sealed-secrets controller, and a program that seals as
// kubeseal does.
type delivery struct {
	crds                []string
	controller, program string
}

// delivered builds it in the module that knows the controller.
func delivered(t *testing.T) delivery {
	t.Helper()
	built := delivery{
		controller: build(t, "controller", "delivery", "github.com/bitnami/sealed-secrets/cmd/controller"),
		program:    build(t, "delivery", "delivery", "."),
	}
	sealed := inModule(t, "delivery", "list", "-m", "-f", "{{.Dir}}", "github.com/bitnami/sealed-secrets")
	const external = "github.com/external-secrets/external-secrets"
	inModuleDownload(t, external)
	bases := inModule(t, "delivery", "list", "-modfile=external-secrets.mod", "-m", "-f", "{{.Dir}}", external)
	built.crds = []string{
		filepath.Join(sealed, "helm", "sealed-secrets", "crds", "*.yaml"),
		filepath.Join(bases, "config", "crds", "bases", "external-secrets.io_externalsecrets.yaml"),
	}
	return built
}

// inModuleDownload brings a module of which no code is built.
func inModuleDownload(t *testing.T, module string) {
	t.Helper()
	command := exec.Command("go", "mod", "download", "-modfile=external-secrets.mod", module)
	command.Dir = filepath.Join(kit.Root(t), "tests", "conformance", "delivery")
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// bringDelivery installs both CRDs and starts the sealed-secrets controller, as it is, with the keys of
// tests/certificates.
func (c *cluster) bringDelivery(t *testing.T, built delivery) {
	t.Helper()
	c.installDelivery(t, built)
	c.startController(t, built)
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
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		_, err := c.client(secret).Create(t.Context(), secret, metav1.CreateOptions{})
		if err == nil {
			return
		}
		// the API server makes its own namespaces after its start
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
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
		for end := time.Now().Add(time.Minute); !synced(a.cluster.live(t, target)); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s is not unsealed", kit.Name(target))
			}
		}
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

// sealed is the side of an application with its Secrets sealed as kubeseal does it, in the waves of its Secrets.
func sealed(t *testing.T, application *application, built delivery, certificate string) []*unstructured.Unstructured {
	t.Helper()
	var in, stderr bytes.Buffer
	var waves []map[string]string
	rest := slices.DeleteFunc(slices.Clone(application.targets), func(target *unstructured.Unstructured) bool {
		data, _, _ := unstructured.NestedMap(target.Object, "data")
		if target.GroupVersionKind() != secretKind || len(data) == 0 {
			return false
		}
		plain := target.DeepCopy()
		annotations := plain.GetAnnotations()
		// what is Argo CD's own stays on the object that Argo CD applies
		own := map[string]string{}
		for key, value := range annotations {
			if strings.HasPrefix(key, "argocd.argoproj.io/") && key != "argocd.argoproj.io/tracking-id" {
				own[key] = value
			}
			if strings.HasPrefix(key, "argocd.argoproj.io/") {
				delete(annotations, key)
			}
		}
		delete(own, "argocd.argoproj.io/sync-options")
		plain.SetAnnotations(annotations)
		waves = append(waves, own)
		fmt.Fprintln(&in, "---")
		kit.Must(t, json.NewEncoder(&in).Encode(plain.Object))
		return true
	})
	command := exec.Command(built.program, "seal", filepath.Join(kit.Root(t), "tests", "certificates", certificate))
	command.Stdin, command.Stderr = &in, &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	for i, decoder := 0, json.NewDecoder(bytes.NewReader(out)); ; i++ {
		object := map[string]any{}
		if err := decoder.Decode(&object); errors.Is(err, io.EOF) {
			return rest
		} else {
			kit.Must(t, err)
		}
		one := &unstructured.Unstructured{Object: object}
		unstructured.RemoveNestedField(one.Object, "metadata", "creationTimestamp")
		unstructured.RemoveNestedField(one.Object, "spec", "template", "metadata", "creationTimestamp")
		one.SetAnnotations(waves[i])
		rest = append(rest, one)
	}
}

// A SealedSecret is Healthy when its controller has unsealed it. Until then the gateway's wave waits, and then the sync
// goes on to its end.
func TestSealedSecretHoldsItsWave(t *testing.T) {
	cluster, built := deliveryCluster(t, "sealed")
	application := newApplication(t, cluster, kit.Quickstart(t), "consumer")
	plain := application.targets
	application.targets = sealed(t, application, built, "rome.crt")
	if len(application.targets) != len(plain) {
		t.Fatalf("%d objects of %d", len(application.targets), len(plain))
	}

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
	for i, live := range application.lives(t) {
		if live == nil {
			t.Errorf("%s is missing", kit.Name(application.targets[i]))
		}
	}
	application.unsealed(t)
	for _, target := range plain {
		data, _, _ := unstructured.NestedMap(target.Object, "data")
		if target.GroupVersionKind() != secretKind || len(data) == 0 {
			continue
		}
		got, _, _ := unstructured.NestedMap(cluster.live(t, target).Object, "data")
		for item := range data {
			if len(data) != len(got) || data[item] != got[item] {
				t.Errorf("%s: another %s", kit.Name(target), item)
			}
		}
	}
	if modified := application.diff(t); len(modified) != 0 {
		t.Errorf("OutOfSync: %v", modified)
	}

	// with `unsealed` this shows that the controller has done its work again
	generations := func() (all []int64) {
		for _, live := range application.lives(t) {
			if live.GroupVersionKind() == sealedSecretKind {
				all = append(all, live.GetGeneration())
			}
		}
		return all
	}
	first := generations()
	secret := plain[slices.IndexFunc(plain, func(o *unstructured.Unstructured) bool { return o.GroupVersionKind() == secretKind })]
	before := cluster.live(t, secret)

	t.Run("another certificate does not touch the Secret", func(t *testing.T) {
		other := newApplication(t, cluster, kit.Quickstart(t), "consumer")
		application.targets = sealed(t, other, built, "milan.crt")
		_, err := application.sync(t, false)
		kit.Must(t, err)
		application.unsealed(t)
		if slices.Equal(first, generations()) {
			t.Error("no SealedSecret has changed")
		}
		if after := cluster.live(t, secret); after == nil || after.GetResourceVersion() != before.GetResourceVersion() {
			t.Errorf("the Secret was written: %v", after)
		}
	})
	t.Run("what was sealed for another name is Degraded", func(t *testing.T) {
		moved := newApplication(t, cluster, kit.Quickstart(t), "consumer")
		moved.targets = slices.DeleteFunc(sealed(t, moved, built, "rome.crt"), func(o *unstructured.Unstructured) bool {
			return o.GroupVersionKind() != sealedSecretKind
		})[:1]
		moved.targets[0].SetName("moved")
		_, err := moved.sync(t, false)
		if err == nil || !strings.Contains(err.Error(), "no key could decrypt secret") {
			// the last wave does not wait: the object tells
			status := moved.lives(t)[0].Object["status"]
			for end := time.Now().Add(time.Minute); status == nil && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
				status = moved.lives(t)[0].Object["status"]
			}
			if text := fmt.Sprint(status); !strings.Contains(text, "no key could decrypt secret") {
				t.Errorf("the sync says %v, and the status %s", err, text)
			}
		}
	})
}

// From `Secret` to `SealedSecret` with the same keys, as docs/delivery.md has it: two annotations on each Secret let the
// controller take it over, and keep Argo CD from pruning it. Without them the controller does not touch what it does not
// own, its wave fails, and Argo CD has already pruned the credential, because waves are reversed for what is pruned.
func TestSealedSecretReplacesSecret(t *testing.T) {
	cluster, built := deliveryCluster(t, "replaced")
	cluster.startController(t, built)

	changed := func(t *testing.T, annotations map[string]string) (*application, map[string]string, error) {
		application := newApplication(t, cluster, kit.Quickstart(t), "consumer")
		_, err := application.sync(t, false)
		kit.Must(t, err)
		application.former = slices.DeleteFunc(slices.Clone(application.targets), func(o *unstructured.Unstructured) bool {
			return o.GroupVersionKind() != secretKind
		})
		before := map[string]string{}
		for _, former := range application.former {
			live := cluster.live(t, former)
			before[kit.Name(former)] = fmt.Sprint(live.GetUID(), live.Object["data"])
			merged := live.GetAnnotations()
			maps.Copy(merged, annotations)
			live.SetAnnotations(merged)
			_, err := cluster.client(live).Update(t.Context(), live, metav1.UpdateOptions{})
			kit.Must(t, err)
		}
		application.targets = sealed(t, application, built, "rome.crt")
		_, err = application.syncFor(t, false, time.Minute)
		return application, before, err
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

// An ExternalSecret as the program prints it: its CRD takes each field, and its wave waits for the operator.
func TestExternalSecretHoldsItsWave(t *testing.T) {
	cluster, _ := deliveryCluster(t, "external")
	application := newApplication(t, cluster, kit.Quickstart(t), "consumer")
	for i, target := range application.targets {
		if target.GroupVersionKind() != secretKind || target.GetLabels()["networking.liqo.io/gateway-resource"] != "true" {
			continue
		}
		external := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
			"secretStoreRef": map[string]any{"kind": "ClusterSecretStore", "name": "vault"},
			"target": map[string]any{
				"name": target.GetName(),
				"template": map[string]any{
					"type": "Opaque", "metadata": map[string]any{"labels": target.Object["metadata"].(map[string]any)["labels"]},
				},
			},
			"data": []any{map[string]any{
				"secretKey": "privateKey",
				"remoteRef": map[string]any{"key": "liqo/rome", "property": "privateKey", "decodingStrategy": "Base64"},
			}},
		}}}
		external.SetGroupVersionKind(externalSecretKind)
		external.SetName(target.GetName())
		external.SetNamespace(target.GetNamespace())
		external.SetAnnotations(map[string]string{"argocd.argoproj.io/sync-wave": "1"})
		application.targets[i] = external
	}
	application.waiting = true
	_, err := application.syncFor(t, false, 5*time.Second)
	if err == nil || !strings.Contains(err.Error(), "waiting for healthy state of external-secrets.io/ExternalSecret") {
		t.Errorf("without an operator the sync says: %v", err)
	}
	application.waiting = false
	_, err = application.sync(t, false)
	kit.Must(t, err)
	kit.Must(t, application.strict(t))
	if modified := application.diff(t); len(modified) != 0 {
		t.Errorf("OutOfSync: %v", modified)
	}
}

// Each way of delivery has an example, which the round trip of all examples applies.
func TestExamplesHaveEachDelivery(t *testing.T) {
	kinds := map[string]bool{}
	for _, example := range kit.Examples(t) {
		for _, role := range example.Roles {
			for _, object := range example.Local(t, role) {
				kinds[object.GetKind()] = true
			}
		}
	}
	for _, kind := range []string{"SealedSecret", "ExternalSecret"} {
		if !kinds[kind] {
			t.Errorf("no example has a %s", kind)
		}
	}
}
