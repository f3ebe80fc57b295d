// Package kubernetes is an API server of another release than the one that ../apiserver is built with: a process, since one program
// has one release of a module. ../run builds it with each VERSION.mod, and ../apiserver starts it for each of its clusters.
package kubernetes

import (
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/klog/v2"
	apiservertesting "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
)

// TestServe reads what it is to serve, writes how it is reached, and serves until its standard input ends. It is a test because
// Kubernetes' StartTestServer is for one.
func TestServe(t *testing.T) {
	klog.SetLogger(logr.Discard()) // as ../apiserver does
	answers := os.NewFile(3, "answers")
	var asked struct {
		Etcd, Prefix string
		Flags        []string
	}
	questions := json.NewDecoder(os.Stdin)
	if err := questions.Decode(&asked); err != nil {
		t.Fatal(err)
	}
	storage := storagebackend.NewDefaultConfig("/"+asked.Prefix, nil)
	storage.Transport.ServerList = []string{asked.Etcd}
	server, err := apiservertesting.StartTestServer(t, apiservertesting.NewDefaultTestServerOptions(), asked.Flags, storage)
	if err != nil {
		t.Fatal(err)
	}
	defer server.TearDownFn()
	config := server.ClientConfig
	if err := json.NewEncoder(answers).Encode(map[string]any{
		"Host": config.Host, "BearerToken": config.BearerToken, "ServerName": config.ServerName, "CAData": config.CAData,
		"Folder": server.TmpDir,
	}); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, questions.Buffered())
	_, _ = io.Copy(io.Discard, os.Stdin)
}
