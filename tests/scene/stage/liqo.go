package stage

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// What Liqo is told of both clusters: the networks that the tutorial's answers have. Both have the same, and Liqo remaps them.
const (
	podCIDR      = "10.42.0.0/16"
	externalCIDR = "10.70.0.0/16"
)

// startNodes starts the program that plays kubelet and kube-proxy on each node.
func (s *Stage) startNodes() error {
	for _, c := range Clusters {
		if err := s.start(c.Name+"-node", s.people, c.in("unshare", "--mount", filepath.Join(s.programs, "node"), "--name", c.Name+"-node",
			"--address", c.address, "--pods", podCIDR, "--kubeconfig", c.admin(), "--programs", filepath.Join(s.programs, "liqo"),
			"--data", filepath.Join(s.logs, c.Name))...); err != nil {
			return err
		}
	}
	return nil
}

// InstallLiqo applies its chart to both clusters, waits for its parts, and then has its webhooks called.
func (s *Stage) InstallLiqo() error {
	if !s.Liqo {
		return nil
	}
	if err := s.startNodes(); err != nil {
		return err
	}
	folder := func(c Cluster) string { return filepath.Join(c.data(), "liqo") }
	for _, c := range Clusters {
		on := func(args ...string) error { return s.kubectl(append([]string{"--context", c.Name}, args...)...) }
		if err := os.MkdirAll(folder(c), 0o755); err != nil {
			return err
		}
		chart := exec.Command(filepath.Join(s.programs, "chart"), "--chart", filepath.Join(s.programs, "liqo.chart")+"/",
			"--values", filepath.Join(s.Root, "tests/scene/liqo/values.yaml"), "--out", folder(c), "discovery.config.clusterID="+c.Name,
			"ipam.podCIDRs={"+podCIDR+"}", "ipam.externalCIDR="+externalCIDR, "ipam.reservedSubnets={172.16.183.0/24}")
		if text, err := chart.CombinedOutput(); err != nil {
			return fmt.Errorf("liqo's chart: %w\n%s", err, text)
		}
		for _, args := range [][]string{
			{"create", "namespace", "liqo"},
			{"apply", "--server-side", "-f", filepath.Join(folder(c), "crds.yaml")},
			{"wait", "--for=condition=Established", "--timeout=60s", "-f", filepath.Join(folder(c), "crds.yaml")},
			{"apply", "--server-side", "-n", "liqo", "-f", filepath.Join(folder(c), "objects.yaml")},
		} {
			if err := on(args...); err != nil {
				return err
			}
		}
	}
	for _, c := range Clusters {
		if err := s.kubectl("--context", c.Name, "wait", "deployment", "--all", "-n", "liqo", "--for=condition=Available", "--timeout=180s"); err != nil {
			return err
		}
		if err := s.kubectl("--context", c.Name, "apply", "--server-side", "-n", "liqo", "-f", filepath.Join(folder(c), "webhooks.yaml")); err != nil {
			return err
		}
		// Liqo's webhook writes its CA into them whenever its Secret changes
		if err := s.kubectl("--context", c.Name, "annotate", "secret", "-n", "liqo", "liqo-webhook-certs", "tests/scene=webhooks-are-there"); err != nil {
			return err
		}
		for start := time.Now(); ; time.Sleep(500 * time.Millisecond) {
			bundle, err := s.Ask("kubectl --context " + c.Name + " get validatingwebhookconfigurations liqo-webhook -o jsonpath='{.webhooks[0].clientConfig.caBundle}'")
			if err == nil && bundle != "" {
				break
			}
			if time.Since(start) > time.Minute {
				return fmt.Errorf("liqo's webhooks are not called on the %s: %v", c.Name, err)
			}
		}
	}
	return nil
}

// InGateway is the beginning of a command in the network namespace of a cluster's newest gateway.
func (s *Stage) InGateway(c Cluster) string {
	return "nsenter --net --target $(cat $(ls -t " + filepath.Join(s.logs, c.Name) + "/pods/liqo-tenant-*.gw-*.wireguard.pid | head -1))"
}
