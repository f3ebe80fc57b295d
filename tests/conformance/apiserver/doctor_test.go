package apiserver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"
)

// What Liqo's chart and its controllers bring to both clusters: `ROLE` is the cluster's, `PEER` the other one's.
const installed = `
{apiVersion: v1, kind: Namespace, metadata: {name: liqo}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: liqo-clusterid-configmap, namespace: liqo}, data: {CLUSTER_ID: ROLE}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: liqo-controller-manager, namespace: liqo}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: controller-manager, image: "ghcr.io/liqotech/liqo-controller-manager:TAG"}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: liqo-webhook, namespace: liqo}
spec:
  selector: {matchLabels: {a: c}}
  template:
    metadata: {labels: {a: c}}
    spec: {containers: [{name: webhook, image: "ghcr.io/liqotech/webhook:TAG"}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: liqo-crd-replicator, namespace: liqo}
spec:
  selector: {matchLabels: {a: d}}
  template:
    metadata: {labels: {a: d}}
    spec: {containers: [{name: crd-replicator, image: "ghcr.io/liqotech/crd-replicator:TAG"}]}
---
apiVersion: ipam.liqo.io/v1alpha1
kind: Network
metadata: {name: pod-cidr, namespace: liqo, labels: {ipam.liqo.io/network-type: pod-cidr}}
spec: {cidr: 10.42.0.0/16}
---
apiVersion: ipam.liqo.io/v1alpha1
kind: Network
metadata: {name: external-cidr, namespace: liqo, labels: {ipam.liqo.io/network-type: external-cidr}}
spec: {cidr: 10.70.0.0/16}
`

// What a gateway's pod makes, and on the consumer what Liqo makes of a slice.
const made = `
apiVersion: networking.liqo.io/v1beta1
kind: Connection
metadata: {name: gw-PEER, namespace: liqo-tenant-PEER, labels: {liqo.io/remote-cluster-id: PEER}}
spec: {type: Client, gatewayRef: {name: PEER}}
`

const madeOfSlice = `
---
apiVersion: offloading.liqo.io/v1beta1
kind: VirtualNode
metadata: {name: PEER, namespace: liqo-tenant-PEER, labels: {liqo.io/remote-cluster-id: PEER}}
spec: {clusterID: PEER, createNode: true}
---
{apiVersion: v1, kind: Node, metadata: {name: PEER, labels: {liqo.io/remote-cluster-id: PEER}}}
`

// What the consumer's replicator makes of a slice.
const copied = `
---
apiVersion: authentication.liqo.io/v1beta1
kind: ResourceSlice
metadata:
  name: ROLE
  namespace: liqo-tenant-PEER
  labels: {liqo.io/remote-cluster-id: PEER, liqo.io/originID: PEER, liqo.io/replication: "false", liqo.io/replicated: "true"}
spec: {class: default, consumerClusterID: PEER, providerClusterID: ROLE}
`

// Objects of another peering of the cluster, as its stream and Liqo have them.
const another = `
{apiVersion: v1, kind: Namespace, metadata: {name: liqo-tenant-NAME, labels: {liqo.io/remote-cluster-id: NAME, liqo.io/tenant-namespace: "true"}}}
---
apiVersion: v1
kind: Secret
metadata: {name: gw-keys-1, namespace: liqo-tenant-NAME, labels: {liqo.io/remote-cluster-id: NAME, networking.liqo.io/gateway-resource: "true"}}
---
apiVersion: networking.liqo.io/v1beta1
kind: Configuration
metadata: {name: NAME, namespace: liqo-tenant-NAME, labels: {liqo.io/remote-cluster-id: NAME}}
spec: {remote: {cidr: {pod: [10.1.0.0/16], external: [10.2.0.0/16]}}}
---
apiVersion: networking.liqo.io/v1beta1
kind: Connection
metadata: {name: gw-NAME, namespace: liqo-tenant-NAME, labels: {liqo.io/remote-cluster-id: NAME}}
spec: {type: Client, gatewayRef: {name: NAME}}
---
apiVersion: networking.liqo.io/v1beta1
kind: InternalNode
metadata: {name: node-of-NAME}
spec: {interface: {gateway: {name: NAME}, node: {ip: 10.80.0.1}}}
---
apiVersion: authentication.liqo.io/v1beta1
kind: Tenant
metadata: {name: NAME, namespace: liqo-tenant-NAME, labels: {liqo.io/remote-cluster-id: NAME}}
spec: {clusterID: NAME, authzPolicy: TolerateNoHandshake}
`

// What Liqo reports of a peering that works.
var reported = map[string]string{
	"Deployment":          `{replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1}`,
	"InternalNode":        `{nodeIP: {local: 192.0.2.7, remote: 192.0.2.8}}`,
	"Connection":          `{value: Connected, latency: {value: 4ms, timestamp: "2026-11-22T06:00:00Z"}}`,
	"Configuration":       `{remote: {cidr: {pod: [10.71.0.0/16], external: [10.72.0.0/16]}}}`,
	"GatewayServer":       `{endpoint: {addresses: [172.16.183.16], port: 32750, protocol: UDP}, internalEndpoint: {ip: 10.42.0.7, node: a}}`,
	"GatewayClient":       `{internalEndpoint: {ip: 10.42.0.7, node: a}}`,
	"Tenant":              `{tenantNamespace: liqo-tenant-consumer}`,
	"ResourceSlice":       `{conditions: [{type: Authentication, status: Accepted}, {type: Resources, status: Accepted}]}`,
	"VirtualNode":         `{conditions: [{type: VirtualKubelet, status: Running}, {type: Node, status: Running}]}`,
	"Node":                `{conditions: [{type: Ready, status: "True"}]}`,
	"NamespaceOffloading": `{offloadingPhase: Ready}`,
}

// The real kubectl between the program and real API servers: its JSON, its words for what it may not read and for a kind
// that is not there, and what its template prints of Secrets.
func TestDoctor(t *testing.T) {
	endpoint, tags := etcd(t), kit.LiqoTags(t)
	tag := tags[len(tags)-1]
	clusters := map[string]*cluster{}
	for _, role := range kit.Roles {
		clusters[role] = newCluster(t, endpoint, "doctor-"+role, "--authorization-mode=RBAC")
	}
	doctor := &doctor{kubeconfig: kubeconfig(t, clusters)}
	doctor.finds(t, 1, "error[not-liqo]: consumer: ", "error[not-liqo]: provider: ")

	crds := crdsOf(t, tag)
	applications := map[string]*application{}
	for _, role := range kit.Roles {
		clusters[role].install(t, crds)
		for _, object := range clusters[role].bring(t, installed, role, tag) {
			clusters[role].report(t, object)
		}
		applications[role] = newApplication(t, clusters[role], kit.Quickstart(t), role)
	}
	doctor.finds(t, 1, "error[missing]: consumer: none of the stream's 9 objects", "error[missing]: provider: none of ")

	for _, role := range kit.Roles {
		_, err := applications[role].sync(t, false)
		kit.Must(t, err)
	}
	doctor.finds(t, 1, "error[gateway-pod]: consumer: GatewayClient liqo-tenant-provider/wg-provider: it has no running pod",
		"error[slice]: consumer: ResourceSlice liqo-tenant-provider/provider: it has not reached the provider; Liqo tries again no later than about ",
		"error[tenant]: provider: Tenant ", "error[gateway-pod]: provider: GatewayServer liqo-tenant-consumer/wg-consumer: it has no running pod")

	for _, role := range kit.Roles {
		brought := clusters[role].bring(t, made, role, tag)
		ofSlice := map[string]string{"consumer": madeOfSlice, "provider": copied}[role]
		brought = append(brought, clusters[role].bring(t, ofSlice, role, tag)...)
		for _, object := range append(brought, applications[role].lives(t)...) {
			clusters[role].report(t, object)
		}
	}
	report := doctor.finds(t, 0, "4ms", "0 errors, 0 warnings, 4 notes\n", "2 clusters judged; not Argo CD: its context is not named\n")
	if strings.Contains(report, "error[") || strings.Contains(report, "warning[") {
		t.Error(report)
	}

	t.Run("a record", func(t *testing.T) {
		record := filepath.Join(kit.ShortDir(t), "record")
		recorder := *doctor
		recorder.arguments = []string{"--save=" + record}
		recorder.finds(t, 0, "4ms")
		command := exec.Command(kit.Binary(t), "doctor", kit.Quickstart(t).Dir, "--from="+record)
		// no kubectl
		command.Env = []string{"PATH=/nowhere"}
		judged, err := command.Output()
		kit.Must(t, err)
		// only why Argo CD is not judged is another reason
		recorded := strings.Replace(report, "its context is not named", "the record does not have it", 1)
		if string(judged) != recorded {
			t.Errorf("%s\nis not\n%s", judged, recorded)
		}
	})
	t.Run("among many peerings", func(t *testing.T) {
		many := 200
		if testing.Short() {
			many = 20
		}
		for _, role := range kit.Roles {
			for number := range many {
				text := strings.ReplaceAll(another, "NAME", fmt.Sprintf("peer-%d", number))
				for _, object := range clusters[role].bring(t, text, role, tag) {
					clusters[role].report(t, object)
				}
			}
		}
		start := time.Now()
		doctor.finds(t, 0, "0 errors, 0 warnings, 4 notes\n")
		t.Logf("%d calls of kubectl, %s", doctor.calls, time.Since(start).Round(10*time.Millisecond))
	})
	t.Run("no rights", func(t *testing.T) {
		anna := *doctor
		anna.suffix = "-anna"
		report := anna.finds(t, 0, "warning[unread]: consumer: could not be checked: you may not read `configmap/liqo-clusterid-configmap`",
			"you may not read `secrets`", "you may not read `tenants.authentication.liqo.io`")
		if strings.Contains(report, "[missing]") {
			t.Error(report)
		}
	})
	t.Run("changed", func(t *testing.T) {
		consumer, provider := applications["consumer"], applications["provider"]
		for _, live := range consumer.lives(t) {
			switch {
			case live.GetKind() == "GatewayClient":
				kit.Must(t, unstructured.SetNestedField(live.Object, int64(1400), "spec", "mtu"))
				_, err := consumer.cluster.client(live).Update(t.Context(), live, metav1.UpdateOptions{})
				kit.Must(t, err)
			case strings.HasPrefix(live.GetName(), "gw-keys-"):
				live.SetName("gw-keys-another")
				live.SetResourceVersion("")
				_, err := consumer.cluster.client(live).Create(t.Context(), live, metav1.CreateOptions{})
				kit.Must(t, err)
			}
		}
		for _, live := range provider.lives(t) {
			if live.GetKind() == "Tenant" {
				live.SetFinalizers([]string{"tenant.liqo.io/finalizer"})
				live, err := provider.cluster.client(live).Update(t.Context(), live, metav1.UpdateOptions{})
				kit.Must(t, err)
				kit.Must(t, provider.cluster.client(live).Delete(t.Context(), live.GetName(), metav1.DeleteOptions{}))
			}
		}
		doctor.finds(t, 1, "error[different]: consumer: GatewayClient liqo-tenant-provider/wg-provider: `spec.mtu` is `1400`, and the document gives `1340`",
			"error[several]: consumer: Secret liqo-tenant-provider/", "`tenant.liqo.io/finalizer` goes when")
	})
	t.Run("a kind is missing", func(t *testing.T) {
		definition := &unstructured.Unstructured{}
		definition.SetAPIVersion("apiextensions.k8s.io/v1")
		definition.SetKind("CustomResourceDefinition")
		kit.Must(t, clusters["provider"].client(definition).Delete(t.Context(), "tenants.authentication.liqo.io", metav1.DeleteOptions{}))
		for _, live := range applications["provider"].lives(t) {
			if live != nil && live.GetKind() == "Tenant" {
				live.SetFinalizers(nil)
				_, err := clusters["provider"].client(live).Update(t.Context(), live, metav1.UpdateOptions{})
				kit.Must(t, err)
			}
		}
		for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			clusters["provider"].discover(t)
			if _, served := clusters["provider"].resources[schema.GroupKind{Group: "authentication.liqo.io", Kind: "Tenant"}]; !served {
				break
			}
			if time.Now().After(end) {
				t.Fatal("the CRD of Tenants is still there")
			}
		}
		doctor.finds(t, 1, "error[unknown-kind]: provider: Tenant liqo-tenant-consumer/consumer: the cluster has no kind `Tenant`")
	})
}

// bring creates what somebody else than Argo CD makes.
func (c *cluster) bring(t *testing.T, text, role, tag string) []*unstructured.Unstructured {
	t.Helper()
	peer := map[string]string{"consumer": "provider", "provider": "consumer"}[role]
	text = strings.NewReplacer("ROLE", role, "PEER", peer, "TAG", tag).Replace(text)
	var brought []*unstructured.Unstructured
	for _, document := range strings.Split(text, "---\n") {
		object := &unstructured.Unstructured{}
		kit.Must(t, yaml.Unmarshal([]byte(document), &object.Object))
		if len(object.Object) == 0 {
			continue
		}
		created, err := c.client(object).Create(t.Context(), object, metav1.CreateOptions{FieldValidation: "Strict"})
		kit.Must(t, err)
		brought = append(brought, created)
	}
	return brought
}

// report writes an object's status, as Liqo does.
func (c *cluster) report(t *testing.T, object *unstructured.Unstructured) {
	t.Helper()
	status, known := reported[object.GetKind()]
	if !known {
		return
	}
	var value map[string]any
	kit.Must(t, yaml.Unmarshal([]byte(status), &value))
	object.Object["status"] = value
	_, err := c.client(object).UpdateStatus(t.Context(), object, metav1.UpdateOptions{FieldValidation: "Strict"})
	kit.Must(t, err)
}

// kubeconfig has a context for each role, and one with `-anna`, who may do nothing.
func kubeconfig(t *testing.T, clusters map[string]*cluster) string {
	t.Helper()
	config := api.NewConfig()
	for role, cluster := range clusters {
		tls := cluster.config.TLSClientConfig
		config.Clusters[role] = &api.Cluster{Server: cluster.config.Host, CertificateAuthorityData: tls.CAData, TLSServerName: tls.ServerName}
		config.AuthInfos[role] = &api.AuthInfo{Token: cluster.config.BearerToken}
		config.AuthInfos[role+"-anna"] = &api.AuthInfo{Token: cluster.config.BearerToken, Impersonate: "anna"}
		for _, user := range []string{role, role + "-anna"} {
			config.Contexts[user] = &api.Context{Cluster: role, AuthInfo: user}
		}
	}
	file := filepath.Join(kit.ShortDir(t), "kubeconfig")
	kit.Must(t, clientcmd.WriteToFile(*config, file))
	return file
}

type doctor struct {
	kubeconfig, suffix string
	arguments          []string
	// calls of kubectl in the last run
	calls int
}

// finds runs the program, which has to end so, and to print these words.
func (d *doctor) finds(t *testing.T, code int, words ...string) string {
	t.Helper()
	kubectl, err := exec.LookPath("kubectl")
	kit.Must(t, err)
	command := exec.Command(kit.Binary(t), "doctor", kit.Quickstart(t).Dir,
		"--consumer-context=consumer"+d.suffix, "--provider-context=provider"+d.suffix)
	// a home of its own, so that kubectl does not remember which kinds there were
	command.Args = append(command.Args, d.arguments...)
	command.Env = []string{"PATH=" + filepath.Dir(kubectl), "KUBECONFIG=" + d.kubeconfig, "HOME=" + kit.ShortDir(t), "TMPDIR=" + os.TempDir()}
	var notes strings.Builder
	command.Stderr = &notes
	output, err := command.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if command.ProcessState.ExitCode() != code {
		t.Fatalf("exit code %d\n%s%s", command.ProcessState.ExitCode(), output, notes.String())
	}
	for _, word := range words {
		if !strings.Contains(string(output), word) {
			t.Errorf("%q is not in:\n%s%s", word, output, notes.String())
		}
	}
	d.calls = strings.Count(notes.String(), "\n+ ")
	return string(output)
}
