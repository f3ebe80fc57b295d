package stage

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// pods is a cluster's network of Pods: what Liqo is told, and where their addresses begin.
type pods struct{ cidr, first string }

// podsOf are those that the tutorial's answers have: both clusters have the same, and Liqo remaps them. A packet from a Pod with the
// address of the other cluster's gateway would be lost there.
var podsOf = map[Cluster]pods{
	Consumer: {"10.42.0.0/16", "10.42.0.0/16"},
	Provider: {"10.42.0.0/16", "10.42.128.0/16"},
}

// podsOfThree do not overlap: else there are no direct connections.
var podsOfThree = map[Cluster]pods{
	Consumer: {"10.42.0.0/16", "10.42.0.0/16"},
	Provider: {"10.52.0.0/16", "10.52.0.0/16"},
	Third:    {"10.62.0.0/16", "10.62.0.0/16"},
}

// startNodes starts the program that plays kubelet and kube-proxy on each node.
func (s *Stage) startNodes() error {
	for _, c := range Clusters {
		if err := s.start(c.Name+"-node", s.people, c.in("unshare", "--mount", filepath.Join(s.programs, "node"), "--name", c.Name+"-node",
			"--address", c.address, "--pods", podsOf[c].first, "--kubeconfig", c.admin(), "--programs", filepath.Join(s.programs, "images"),
			"--data", filepath.Join(s.logs, c.Name))...); err != nil {
			return err
		}
	}
	return nil
}

// liqoValues is a file with what `argocd-peering liqo-values` prints for a cluster. The document is the quickstart's, with the cluster's own
// ID and pods: no peering is described yet.
func (s *Stage) liqoValues(c Cluster, release, folder string) (string, error) {
	document, err := os.ReadFile(filepath.Join(s.Root, "examples/quickstart/peering.yaml"))
	if err != nil {
		return "", err
	}
	role := Provider.Name
	if c == Consumer {
		role = Consumer.Name
	}
	text := string(document)
	for _, edit := range [][2]string{
		{`liqoVersion: "1.0"`, `liqoVersion: "` + release[:strings.LastIndex(release, ".")] + `"`},
		{"clusterID: " + role + "\n    podCIDRs: [10.42.0.0/16]", "clusterID: " + c.Name + "\n    podCIDRs: [" + podsOf[c].cidr + "]"},
	} {
		if !strings.Contains(text, edit[0]) {
			return "", fmt.Errorf("the quickstart has no %q", edit[0])
		}
		text = strings.Replace(text, edit[0], edit[1], 1)
	}
	if err := os.WriteFile(filepath.Join(folder, "peering.yaml"), []byte(text), 0o644); err != nil {
		return "", err
	}
	command := exec.Command(filepath.Join(s.programs, "argocd-peering"), "liqo-values", folder, "--role", role, "--service-cidr", "10.96.0.0/16")
	values, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%v: %w", command.Args, err)
	}
	file := filepath.Join(folder, "values.yaml")
	return file, os.WriteFile(file, values, 0o644)
}

// InstallLiqo applies its chart to each cluster, waits for its parts, and then has its webhooks called.
func (s *Stage) InstallLiqo() error {
	if !s.Liqo {
		return nil
	}
	if err := s.startNodes(); err != nil {
		return err
	}
	folder := func(c Cluster) string { return filepath.Join(c.data(), "liqo") }
	for i, c := range Clusters {
		release := s.liqo[min(i, len(s.liqo)-1)]
		on := func(args ...string) error { return s.kubectl(append([]string{"--context", c.Name}, args...)...) }
		if err := os.MkdirAll(folder(c), 0o755); err != nil {
			return err
		}
		values, err := s.liqoValues(c, release, folder(c))
		if err != nil {
			return err
		}
		chart := exec.Command(filepath.Join(s.programs, "chart"), "--chart", filepath.Join(s.programs, "liqo-"+release+".chart")+"/",
			"--release", "liqo", "--namespace", "liqo",
			"--values", filepath.Join(s.Root, "tests/scene/liqo/values.yaml"), "--values", values, "--out", folder(c), "tag=v"+release,
			// all nodes, of which the document has one
			"ipam.reservedSubnets={172.16.183.0/24}")
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

// Wire joins each gateway to its node, in the place of Geneve, which needs a kernel module: with the interface's name and the
// node's address that Liqo has in its rules. Then Pods reach the other cluster's networks. What Liqo's fabric does on a node
// are routes to them, and that their packets keep their source.
func (s *Stage) Wire() {
	for i, c := range Clusters {
		peer := Clusters[1-i]
		text, err := s.Ask(`set -x; on="kubectl --context ` + c.Name + `"
network="nsenter --net=/run/netns/` + c.Name + `" gateway="` + s.InGateway(c) + `"
name=$($on get internalnodes.networking.liqo.io -o jsonpath='{.items[0].spec.interface.gateway.name}')
address=$($on get internalnodes.networking.liqo.io -o jsonpath='{.items[0].spec.interface.node.ip}')
remote=$($on -n liqo-tenant-` + peer.Name + ` get configurations.networking.liqo.io ` + peer.Name + ` -o jsonpath='{.status.remote.cidr.external[0]} {.status.remote.cidr.pod[0]}')
$network ip link add wire type veth peer name wire-gateway
$network ip address add $address/32 dev wire
$network ip address add 169.254.77.1/30 dev wire
$network ip link set wire up
$network ip link set wire-gateway netns $(echo $gateway | grep -oE '[0-9]+$') name $name
$gateway ip address add 169.254.77.2/30 dev $name
$gateway ip link set $name up
$network nft "add table ip wire; add chain ip wire postrouting { type nat hook postrouting priority 90; }"
for cidr in $remote; do
    $network ip route replace $cidr via 169.254.77.2
    $network nft add rule ip wire postrouting ip saddr ` + podsOf[c].cidr + ` ip daddr $cidr snat prefix to ` + podsOf[c].cidr + `
done 2>&1`)
		if err != nil {
			s.Fail("the gateway of the %s has no wire: %v\n%s", c.Name, err, text)
		}
		s.Note("the gateway of the %s is joined to its node", c.Name)
	}
}
