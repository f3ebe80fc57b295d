package tunnel

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
)

// folders has what differs between the folders of three clusters. Turin is never dialled.
var folders = []struct {
	path  string
	flags []string
}{
	{"rome/milan", []string{"--consumer-id", "rome", "--consumer-pod-cidr", "10.42.0.0/16", "--provider-id", "milan", "--provider-pod-cidr", "10.42.0.0/16",
		"--gateway-address", "10.250.0.2", "--liqo-version", "1.2"}},
	{"turin/milan", []string{"--like", "peerings/rome/milan", "--consumer-id", "turin", "--consumer-pod-cidr", "10.62.0.0/16", "--provider-id", "milan"}},
	{"turin/rome", []string{"--like", "peerings/rome/milan", "--consumer-id", "turin", "--consumer-pod-cidr", "10.62.0.0/16", "--provider-id", "rome",
		"--provider-pod-cidr", "10.42.0.0/16", "--gateway-address", "10.250.0.1"}},
}

// TestFleet makes the folders of three clusters, each like another one, and connects each two of them with the keys, ports and addresses
// of their streams.
func TestFleet(t *testing.T) {
	quickstart := kit.Quickstart(t)
	identity, err := os.ReadFile(quickstart.Identity(t))
	kit.Must(t, err)
	recipient := regexp.MustCompile(`age1[0-9a-z]+`).FindString(string(identity))
	root := kit.ShortDir(t)
	keys := map[string]bool{}
	for _, folder := range folders {
		path := "peerings/" + folder.path
		init := exec.Command(kit.Binary(t), append([]string{"init", path, "--recipient", recipient, "--path", path,
			"--repo", "https://git.example.org/net/peerings.git", "--no-applications"}, folder.flags...)...)
		init.Dir = root
		if output, err := init.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		example := quickstart
		example.Dir = filepath.Join(root, path)
		kit.WriteFile(t, string(identity), example.Dir, "demo-identity.txt")
		gateways := gateways(t, example)
		for _, gateway := range gateways {
			keys[string(gateway.private)] = true
		}
		if !gateways["provider"].server {
			t.Errorf("%s: another side listens", folder.path)
		}
		if err := connect(t, gateways["consumer"], gateways["provider"]).ping(20); err != nil {
			t.Errorf("%s: %v", folder.path, err)
		}
	}
	if len(keys) != 6 {
		t.Errorf("%d keys for 6 gateways", len(keys))
	}
}
