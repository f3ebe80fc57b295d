package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	port         = 6443
	serviceRange = "10.96.0.0/16"
	// serviceAddress is the first of the range, which the Service `kubernetes` gets.
	serviceAddress = "10.96.0.1"
)

// controllerNames are those that Argo CD and Liqo need something of.
var controllerNames = []string{
	"namespace-controller", "garbage-collector-controller", "serviceaccount-controller", "serviceaccount-token-controller",
	"root-ca-certificate-publisher-controller", "clusterrole-aggregation-controller",
	"deployment-controller", "replicaset-controller", "endpointslice-controller", "endpoints-controller",
	"node-lifecycle-controller",
	"resourcequota-controller",                     // of what the deletion of a provider's Application waits for
	"certificatesigningrequest-signing-controller", // of what a ResourceSlice gives its consumer
}

// podSecurity is the default of a cluster that takes care: a privileged Pod needs a Namespace that says so.
const podSecurity = `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
  - name: PodSecurity
    configuration:
      apiVersion: pod-security.admission.config.k8s.io/v1
      kind: PodSecurityConfiguration
      defaults: { enforce: baseline, enforce-version: latest }
`

// run starts everything and stops it when ctx ends or when a part ends by itself, which is an error.
func (c *cluster) run(ctx context.Context) error {
	if err := os.MkdirAll(c.data, 0o700); err != nil {
		return err
	}
	admin, err := c.writeFiles()
	if err != nil {
		return err
	}
	etcd, err := startEtcd(filepath.Join(c.data, "etcd"))
	if err != nil {
		return err
	}
	defer etcd.Close()

	// A child is told when the thread that started it ends, so that it does not outlive even a killed parent.
	runtime.LockOSThread()
	ended := make(chan error, len(parts))
	var running []*exec.Cmd
	defer func() {
		// the API server is started first and waits longest for the others' requests
		for _, part := range running {
			_ = part.Process.Kill()
		}
		for range running {
			<-ended
		}
	}()
	start := func(part string, flags ...string) error {
		process, err := c.start(part, flags, ended)
		if err == nil {
			running = append(running, process)
		}
		return err
	}

	file := func(name string) string { return filepath.Join(c.data, name) }
	if err := start("kube-apiserver",
		"--etcd-servers=http://"+etcd.Clients[0].Addr().String(),
		"--bind-address="+c.address, "--advertise-address="+c.address, fmt.Sprintf("--secure-port=%d", port),
		"--tls-cert-file="+file("server.crt"), "--tls-private-key-file="+file("server.key"), "--client-ca-file="+file("ca.crt"),
		"--service-account-issuer="+c.server(), "--service-account-key-file="+file("accounts.key"),
		"--service-account-signing-key-file="+file("accounts.key"), "--service-cluster-ip-range="+serviceRange,
		"--authorization-mode=RBAC", "--allow-privileged=true", "--admission-control-config-file="+file("admission.yaml"),
	); err != nil {
		return err
	}
	if err := ready(ctx, admin, ended); err != nil {
		return err
	}
	kubeconfig := "--kubeconfig=" + file(pending)
	if err := start("kube-controller-manager", kubeconfig, "--leader-elect=false", "--secure-port=0",
		"--controllers="+strings.Join(controllerNames, ","), "--root-ca-file="+file("ca.crt"),
		"--cluster-signing-cert-file="+file("ca.crt"), "--cluster-signing-key-file="+file("ca.key"),
		"--service-account-private-key-file="+file("accounts.key"),
	); err != nil {
		return err
	}
	if err := start("kube-scheduler", kubeconfig, "--leader-elect=false", "--secure-port=0"); err != nil {
		return err
	}
	if err := os.Link(file(pending), file("admin.kubeconfig")); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-ended:
		ended <- err
		return err
	}
}

// start runs a part as a process of this program.
func (c *cluster) start(part string, flags []string, ended chan<- error) (*exec.Cmd, error) {
	log, err := os.Create(filepath.Join(c.data, part+".log"))
	if err != nil {
		return nil, err
	}
	process := exec.Command("/proc/self/exe", append([]string{part}, flags...)...)
	process.Stdout, process.Stderr = log, log
	// A group of its own keeps it from an interrupt at the terminal, which the parent answers in order.
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := process.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = process.Wait()
		_ = log.Close()
		ended <- fmt.Errorf("%s ended: %s; see %s", part, process.ProcessState, log.Name())
	}()
	return process, nil
}

func startEtcd(data string) (*embed.Etcd, error) {
	loopback := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir, config.LogLevel, config.UnsafeNoFsync = data, "fatal", true
	config.EnableGRPCGateway = false // which would log for ever that it does not find this port
	config.ListenClientUrls, config.AdvertiseClientUrls = loopback, loopback
	config.ListenPeerUrls, config.AdvertisePeerUrls = loopback, loopback
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case <-time.After(time.Minute):
		etcd.Close()
		return nil, errors.New("etcd does not start")
	}
}

// ready waits until the API server says so of itself.
func ready(ctx context.Context, kubeconfig []byte, ended chan error) error {
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		return err
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	timeout := time.After(2 * time.Minute)
	for {
		if response, err := client.Get(config.Host + "/readyz"); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			ended <- err
			return err
		case <-timeout:
			return errors.New("the API server is not ready after two minutes")
		case <-time.After(200 * time.Millisecond):
		}
	}
}
