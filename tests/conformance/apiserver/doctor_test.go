package apiserver

import (
	"errors"
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

// What Liqo's chart and its controllers bring to both clusters: `ROLE` is the cluster's.
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
status: {replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1}
---
apiVersion: ipam.liqo.io/v1alpha1
kind: Network
metadata: {name: pod-cidr, namespace: liqo, labels: {ipam.liqo.io/network-type: pod-cidr}}
spec: {cidr: 10.42.0.0/16}
status: {cidr: 10.42.0.0/16}
---
apiVersion: ipam.liqo.io/v1alpha1
kind: Network
metadata: {name: external-cidr, namespace: liqo, labels: {ipam.liqo.io/network-type: external-cidr}}
spec: {cidr: 10.70.0.0/16}
status: {cidr: 10.70.0.0/16}
`

// Objects of another peering of the cluster, as its stream and Liqo have them.
const another = `
{apiVersion: v1, kind: Namespace, metadata: {name: liqo-tenant-other, labels: {liqo.io/remote-cluster-id: other, liqo.io/tenant-namespace: "true"}}}
---
apiVersion: v1
kind: Secret
metadata: {name: gw-keys-1, namespace: liqo-tenant-other, labels: {liqo.io/remote-cluster-id: other, networking.liqo.io/gateway-resource: "true"}}
---
apiVersion: networking.liqo.io/v1beta1
kind: Configuration
metadata: {name: other, namespace: liqo-tenant-other, labels: {liqo.io/remote-cluster-id: other}}
spec: {remote: {cidr: {pod: [10.1.0.0/16], external: [10.2.0.0/16]}}}
---
apiVersion: networking.liqo.io/v1beta1
kind: Connection
metadata: {name: gw-other, namespace: liqo-tenant-other, labels: {liqo.io/remote-cluster-id: other}}
spec: {type: Client, gatewayRef: {name: other}}
status: {value: Error}
---
apiVersion: authentication.liqo.io/v1beta1
kind: Tenant
metadata: {name: other, namespace: liqo-tenant-other, labels: {liqo.io/remote-cluster-id: other}}
spec: {clusterID: other, authzPolicy: TolerateNoHandshake}
`

// The real kubectl between the program and real API servers: its JSON, its words for what it may not read and for a kind
// that is not there. What doctor finds where Liqo runs is in tests/scene.
func TestDoctor(t *testing.T) {
	endpoint, tags := etcd(t), kit.LiqoTags(t)
	tag := tags[len(tags)-1]
	clusters, applications := map[string]*cluster{}, map[string]*application{}
	for _, role := range kit.Roles {
		clusters[role] = newCluster(t, endpoint, "doctor-"+role, "--authorization-mode=RBAC")
	}
	doctor := person(t, clusters)
	finds := func(code int, suffix string, words ...string) string {
		t.Helper()
		command := exec.Command(kit.Binary(t), "doctor", kit.Quickstart(t).Dir, "--consumer-context=consumer"+suffix, "--provider-context=provider"+suffix)
		command.Env = doctor
		output, err := command.Output()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || command.ProcessState.ExitCode() != code {
			t.Fatalf("%v\n%s", err, output)
		}
		for _, word := range words {
			if !strings.Contains(string(output), word) {
				t.Errorf("%q is not in:\n%s", word, output)
			}
		}
		return string(output)
	}
	finds(1, "", "error[not-liqo]: consumer: ", "error[not-liqo]: provider: ")

	for _, role := range kit.Roles {
		clusters[role].install(t, crdsOf(t, tag))
		clusters[role].bring(t, installed, role, tag)
		applications[role] = newApplication(t, clusters[role], kit.Quickstart(t), role)
	}
	finds(1, "", "error[missing]: consumer: all 9 objects of the stream are missing", "error[missing]: provider: all 7 objects ")

	for _, role := range kit.Roles {
		_, err := applications[role].sync(t, false)
		kit.Must(t, err)
	}
	alone := finds(1, "", "error[gateway-pod]: consumer: GatewayClient liqo-tenant-provider/wg-provider: it has no running pod",
		"error[slice]: consumer: ResourceSlice liqo-tenant-provider/provider: it has not reached the provider; Liqo tries again by about ",
		"error[tenant]: provider: Tenant ", "error[gateway-pod]: provider: GatewayServer liqo-tenant-consumer/wg-consumer: it has no running pod")
	for _, role := range kit.Roles {
		clusters[role].bring(t, another, role, tag)
	}
	if among := finds(1, ""); strings.Count(among, "\nerror[") != strings.Count(alone, "\nerror[") || strings.Contains(among, "other/") {
		t.Errorf("beside another peering:\n%s", among)
	}

	report := finds(0, "-anna", "warning[unread]: consumer: you may not read `configmap/liqo-clusterid-configmap`",
		"you may not read `secrets`", "you may not read `tenants.authentication.liqo.io`")
	if strings.Contains(report, "[missing]") {
		t.Error(report)
	}

	definition := &unstructured.Unstructured{}
	definition.SetAPIVersion("apiextensions.k8s.io/v1")
	definition.SetKind("CustomResourceDefinition")
	provider := clusters["provider"]
	kit.Must(t, provider.client(definition).Delete(t.Context(), "tenants.authentication.liqo.io", metav1.DeleteOptions{}))
	eventually(t, "the CRD of Tenants is gone", func() bool {
		provider.discover(t)
		_, served := provider.resources[schema.GroupKind{Group: "authentication.liqo.io", Kind: "Tenant"}]
		return !served
	})
	finds(1, "", "error[unknown-kind]: provider: Tenant liqo-tenant-consumer/consumer: the cluster has no kind `Tenant`")
}

// eventually waits a minute for something at most.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after a minute it is not so: %s", what)
		}
	}
}

// bring creates what somebody else than Argo CD makes, and reports its status.
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
		if status, reported := object.Object["status"]; reported {
			created.Object["status"] = status
			created, err = c.client(object).UpdateStatus(t.Context(), created, metav1.UpdateOptions{FieldValidation: "Strict"})
			kit.Must(t, err)
		}
		brought = append(brought, created)
	}
	return brought
}

// person is the environment of somebody with the real kubectl, a home of their own, and a context for each role. One with `-anna` may do nothing.
func person(t *testing.T, clusters map[string]*cluster) []string {
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
	home := kit.ShortDir(t)
	kit.Must(t, clientcmd.WriteToFile(*config, filepath.Join(home, "kubeconfig")))
	kubectl, err := exec.LookPath("kubectl")
	kit.Must(t, err)
	return []string{"PATH=" + filepath.Dir(kubectl), "KUBECONFIG=" + filepath.Join(home, "kubeconfig"), "HOME=" + home, "TMPDIR=" + home}
}
