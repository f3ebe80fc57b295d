// Package apiserver applies the streams to real API servers with Liqo's CRDs, by Argo CD's own engine.
package apiserver

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
	"argocd-peering.example/conformance/internal/pack"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/go-logr/logr"
	"go.etcd.io/etcd/server/v3/embed"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	apiservertesting "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
	"sigs.k8s.io/yaml"
)

func TestMain(m *testing.M) {
	// the API server's log, at a level where it says nothing that a test does not
	klog.SetLogger(logr.Discard())
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	folder, err := os.MkdirTemp("", "programs")
	if err != nil {
		panic(err)
	}
	programs = folder
	status := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(status)
}

// etcd is one that all API servers of a test share, each below a prefix of its own.
func etcd(t *testing.T) string {
	t.Helper()
	loopback := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = kit.ShortDir(t)
	config.LogLevel = "fatal"
	config.UnsafeNoFsync = true
	config.ListenClientUrls, config.AdvertiseClientUrls = loopback, loopback
	config.ListenPeerUrls, config.AdvertisePeerUrls = loopback, loopback
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	server, err := embed.StartEtcd(config)
	kit.Must(t, err)
	t.Cleanup(server.Close)
	select {
	case <-server.Server.ReadyNotify():
	case <-time.After(time.Minute):
		t.Fatal("etcd does not start")
	}
	return "http://" + server.Clients[0].Addr().String()
}

// cluster is an API server, which is all of a cluster that Argo CD talks to.
type cluster struct {
	config    *rest.Config
	dynamic   dynamic.Interface
	resources map[schema.GroupKind]metav1.APIResource
	// health are Argo CD's checks, and Liqo's of the default pack. No Liqo runs here, so a check that waits for it freezes a wave.
	health lua.ResourceHealthOverrides
	// liqoTypes is the program that knows the Go types of the cluster's Liqo.
	liqoTypes string
	// certificate is the file with the one that the API server shows to who does not ask for its loopback name.
	certificate string
}

func newCluster(t *testing.T, etcd, prefix string, flags ...string) *cluster {
	t.Helper()
	config, folder := serve(t, etcd, prefix, flags)
	config.QPS = -1
	client, err := dynamic.NewForConfig(config)
	kit.Must(t, err)
	cluster := &cluster{
		config: config, dynamic: client, certificate: filepath.Join(folder, "apiserver.crt"),
		health: pack.Read(t, "health", "argocd-cm.yaml"),
	}
	cluster.discover(t)
	return cluster
}

// serve starts an API server: the one that this test is built with, or that of kit.APIServer. The folder has its certificates.
func serve(t *testing.T, etcd, prefix string, flags []string) (*rest.Config, string) {
	t.Helper()
	if program := kit.APIServer(); program != "" {
		return serveBy(t, program, map[string]any{"Etcd": etcd, "Prefix": prefix, "Flags": flags})
	}
	storage := storagebackend.NewDefaultConfig("/"+prefix, nil)
	storage.Transport.ServerList = []string{etcd}
	server, err := apiservertesting.StartTestServer(t, apiservertesting.NewDefaultTestServerOptions(), flags, storage)
	kit.Must(t, err)
	t.Cleanup(server.TearDownFn)
	return rest.CopyConfig(server.ClientConfig), server.TmpDir
}

// serveBy asks ../kubernetes, which serves until its standard input ends.
func serveBy(t *testing.T, program string, question any) (*rest.Config, string) {
	t.Helper()
	command := exec.Command(program, "-test.run=^TestServe$", "-test.timeout=0")
	command.Stderr = os.Stderr
	questions, err := command.StdinPipe()
	kit.Must(t, err)
	answers, sent, err := os.Pipe()
	kit.Must(t, err)
	command.ExtraFiles = []*os.File{sent}
	kit.Must(t, command.Start())
	kit.Must(t, sent.Close())
	t.Cleanup(func() {
		_ = questions.Close()
		_ = command.Wait()
	})
	kit.Must(t, json.NewEncoder(questions).Encode(question))
	var answer struct {
		Host, BearerToken, ServerName, Folder string
		CAData                                []byte
	}
	kit.Must(t, json.NewDecoder(answers).Decode(&answer))
	tls := rest.TLSClientConfig{ServerName: answer.ServerName, CAData: answer.CAData}
	return &rest.Config{Host: answer.Host, BearerToken: answer.BearerToken, TLSClientConfig: tls}, answer.Folder
}

func (c *cluster) discover(t *testing.T) {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(c.config)
	kit.Must(t, err)
	lists, err := client.ServerPreferredResources()
	kit.Must(t, err)
	c.resources = map[schema.GroupKind]metav1.APIResource{}
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		kit.Must(t, err)
		for _, resource := range list.APIResources {
			resource.Group, resource.Version = version.Group, version.Version
			c.resources[schema.GroupKind{Group: version.Group, Kind: resource.Kind}] = resource
		}
	}
}

// client is for objects like this one, or nil if the cluster has no such kind.
func (c *cluster) client(object *unstructured.Unstructured) dynamic.ResourceInterface {
	resource, ok := c.resources[object.GroupVersionKind().GroupKind()]
	if !ok {
		return nil
	}
	client := c.dynamic.Resource(schema.GroupVersionResource{Group: resource.Group, Version: resource.Version, Resource: resource.Name})
	if resource.Namespaced {
		return client.Namespace(object.GetNamespace())
	}
	return client
}

// install creates the CRDs of these files and waits until they are served.
func (c *cluster) install(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	kit.Must(t, err)
	if len(files) == 0 {
		t.Fatalf("no CRD in %s", pattern)
	}
	var definitions []*unstructured.Unstructured
	for _, file := range files {
		text, err := os.ReadFile(file)
		kit.Must(t, err)
		definition := &unstructured.Unstructured{}
		kit.Must(t, yaml.Unmarshal(text, &definition.Object))
		_, err = c.client(definition).Create(t.Context(), definition, metav1.CreateOptions{FieldValidation: "Strict"})
		kit.Must(t, err)
		definitions = append(definitions, definition)
	}
	eventually(t, "the CRDs of "+pattern+" are served", func() bool {
		c.discover(t)
		return !slices.ContainsFunc(definitions, func(definition *unstructured.Unstructured) bool {
			group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
			kind, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "kind")
			_, served := c.resources[schema.GroupKind{Group: group, Kind: kind}]
			return !served
		})
	})
}

// live is the object as the cluster has it, or nil.
func (c *cluster) live(t *testing.T, object *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	client := c.client(object)
	if client == nil {
		return nil
	}
	live, err := client.Get(t.Context(), object.GetName(), metav1.GetOptions{})
	if err != nil {
		return nil
	}
	return live
}
