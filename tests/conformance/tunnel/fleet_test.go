package tunnel

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
)

const fleet = `apiVersion: argocd-peering/v1alpha1
kind: Fleet
spec:
  liqoVersion: "1.2"
  clusters:
    - { name: rome, podCIDRs: [10.42.0.0/16], externalCIDR: 10.70.0.0/16, gateway: { addresses: [10.250.0.1] } }
    - { name: milan, podCIDRs: [10.42.0.0/16], externalCIDR: 10.70.0.0/16, gateway: { addresses: [10.250.0.2] } }
    - { name: turin, podCIDRs: [10.62.0.0/16], externalCIDR: 10.70.0.0/16 }
  peerings:
    - mesh: [rome, milan, turin]
`

// TestFleet makes the folders of three clusters from one file, and connects each two of them with the keys, ports and addresses
// of their streams.
func TestFleet(t *testing.T) {
	quickstart := kit.Quickstart(t)
	identity, err := os.ReadFile(quickstart.Identity(t))
	kit.Must(t, err)
	recipient := regexp.MustCompile(`age1[0-9a-z]+`).FindString(string(identity))
	root := kit.ShortDir(t)
	kit.WriteFile(t, fleet, root, "peerings", "fleet.yaml")
	for _, arguments := range [][]string{{"init", "-q"}, {"remote", "add", "origin", "https://git.example.org/net/peerings.git"}} {
		git := exec.Command("git", arguments...)
		git.Dir = root
		kit.Must(t, git.Run())
	}
	write := []string{"fleet", "write", filepath.Join(root, "peerings/fleet.yaml"), "--recipient", recipient}
	refusal, _ := exec.Command(kit.Binary(t), write...).CombinedOutput()
	digest := regexp.MustCompile(`sha256:[0-9a-f]{64}`).FindString(string(refusal))
	if output, err := exec.Command(kit.Binary(t), append(write, "--expect", digest)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	keys := map[string]bool{}
	for _, folder := range []string{"rome/milan", "rome/turin", "milan/turin"} {
		example := quickstart
		example.Dir = filepath.Join(root, "peerings", folder)
		kit.WriteFile(t, string(identity), example.Dir, "demo-identity.txt")
		gateways := gateways(t, example)
		for _, gateway := range gateways {
			keys[string(gateway.private)] = true
		}
		server := gateways["provider"]
		if strings.HasSuffix(folder, "turin") {
			server = gateways["consumer"] // turin has no gateway that listens
		}
		if !server.server {
			t.Errorf("%s: another side listens", folder)
		}
		if err := connect(t, gateways["consumer"], gateways["provider"]).ping(20); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
	}
	if len(keys) != 6 {
		t.Errorf("%d keys for 6 gateways", len(keys))
	}
}
