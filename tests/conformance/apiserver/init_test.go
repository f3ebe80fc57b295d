package apiserver

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
)

// What `init` reads of a provider beside Liqo's own objects.
const reachable = `
{apiVersion: v1, kind: Node, metadata: {name: worker}, status: {addresses: [{type: InternalIP, address: 192.0.2.77}]}}
`

// From two clusters that only have Liqo to two streams that their API servers take: `init` reads both through the real
// kubectl, with Liqo's own CRDs behind it.
func TestInit(t *testing.T) {
	endpoint, tags := etcd(t), kit.LiqoTags(t)
	tag := tags[len(tags)-1]
	clusters := map[string]*cluster{}
	for _, role := range kit.Roles {
		clusters[role] = newCluster(t, endpoint, "init-"+role)
		clusters[role].install(t, crdsOf(t, tag))
		clusters[role].bring(t, installed, role, tag)
	}
	clusters["provider"].bring(t, reachable, "provider", tag)

	folder := filepath.Join(kit.ShortDir(t), "peerings", "rome-milan")
	// the clusters' IDs are not flags, so the terms are confirmed
	notes, err := confirmed(t, person(t, clusters), "init", folder, "--consumer-context=consumer", "--provider-context=provider",
		"--recipient="+kit.Quickstart(t).Recipient(t), "--repo=https://git.example.org/net/peerings.git", "--path=peerings/rome-milan")
	if err != nil {
		t.Fatalf("%v\n%s", err, notes)
	}
	for _, words := range []string{"guessed: --gateway-address 192.0.2.77", "guessed: --node-port 32750", "+ kubectl --context=provider get nodes"} {
		if !strings.Contains(notes, words) {
			t.Errorf("%q is not in:\n%s", words, notes)
		}
	}
	for _, role := range kit.Roles {
		_, err := newApplication(t, clusters[role], kit.Example{Name: "rome-milan", Dir: folder}, role).sync(t, false)
		kit.Must(t, err)
	}
}

// confirmed runs a command of the program that asks for a confirmation, and makes nothing without one.
func confirmed(t *testing.T, environment []string, arguments ...string) (string, error) {
	t.Helper()
	run := func(more ...string) (string, error) {
		command := exec.Command(kit.Binary(t), append(arguments, more...)...)
		command.Env = environment
		notes, err := command.CombinedOutput()
		return string(notes), err
	}
	notes, err := run()
	_, expect, found := strings.Cut(notes, "to confirm them: ")
	if err == nil || !found {
		t.Fatalf("something was made without a confirmation: %v\n%s", err, notes)
	}
	return run(strings.Fields(expect)[:2]...)
}
