package tunnel

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"os/exec"
	"strings"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
)

// knock runs the command in a namespace, and returns its exit code and what it said.
func (e *end) knock(t *testing.T, arguments ...string) (int, string) {
	t.Helper()
	example := kit.Quickstart(t)
	words := append(strings.Fields(e.inside(kit.Binary(t))), "knock", example.Dir, "--identity-file", example.Identity(t), "--force", "--timeout", "2s")
	output, err := exec.Command(words[0], append(words[1:], arguments...)...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		return exit.ExitCode(), string(output)
	}
	return 0, string(output)
}

// cabled makes two namespaces with a cable between them: where the knock comes from, and where the quickstart's client dials.
func cabled(t *testing.T, client, server *gateway) (*end, *end) {
	t.Helper()
	operator, gateway := newEnd(t, "o"+unique(), client), newEnd(t, "s"+unique(), server)
	must(t, fmt.Sprintf("ip link add %s netns %s mtu 1500 type veth peer name %s netns %s", operator.wire, operator.namespace, gateway.wire, gateway.namespace))
	operator.attach(t, clientOutside, client.address)
	gateway.attach(t, client.address, clientOutside)
	return operator, gateway
}

// listen starts the gateway's WireGuard at the port that the client dials.
func (e *end) listen(t *testing.T, port int64) {
	t.Helper()
	e.up(t, serverAddress, fmt.Sprintf("listen-port %d PEER", port))
}

// filter gives the namespace a firewall with one rule.
func (e *end) filter(t *testing.T, hook, rule string) {
	t.Helper()
	must(t, e.inside("nft add table inet f"))
	must(t, e.inside("nft add chain inet f c { type filter hook "+hook+" priority 0 ; }"))
	must(t, e.inside("nft add rule inet f c "+rule))
}

// Each state of a network that makes a tunnel fail, and what is then said of it.
func TestKnock(t *testing.T) {
	both := gateways(t, kit.Quickstart(t))
	client, server := both["consumer"], both["provider"]
	other := func(change func(gateway *gateway)) *gateway {
		changed := *server
		changed.private, changed.peer = append([]byte{}, server.private...), append([]byte{}, server.peer...)
		change(&changed)
		return &changed
	}
	for name, it := range map[string]struct {
		server *gateway
		hook   string
		rule   string
		code   int
		says   string
	}{
		"the right key":              {server: server, code: 0, says: "the port is open, and the keys fit"},
		"another key of the server":  {server: other(func(it *gateway) { it.private[5] ^= 1 }), code: 4, says: "error[knock-silent]: 172.16.183.16:"},
		"another key of the client":  {server: other(func(it *gateway) { it.peer[5] ^= 1 }), code: 4, says: "error[knock-silent]: "},
		"nothing listens":            {code: 5, says: "error[knock-refused]: 172.16.183.16:"},
		"dropped":                    {server: server, hook: "input", rule: "udp dport PORT drop", code: 4, says: "error[knock-silent]: "},
		"the answer is dropped":      {server: server, hook: "output", rule: "udp sport PORT drop", code: 4, says: "error[knock-silent]: "},
		"rejected":                   {server: server, hook: "input", rule: "udp dport PORT reject", code: 5, says: "nothing listens on this port"},
		"rejected as prohibited":     {server: server, hook: "input", rule: "udp dport PORT reject with icmpx type admin-prohibited", code: 5, says: "a firewall answers that this is prohibited"},
		"rejected: host unreachable": {server: server, hook: "input", rule: "udp dport PORT reject with icmpx type host-unreachable", code: 4, says: "error[knock-silent]: "},
	} {
		t.Run(name, func(t *testing.T) {
			operator, gateway := cabled(t, client, it.server)
			if it.server != nil {
				gateway.listen(t, client.port)
			}
			if it.rule != "" {
				gateway.filter(t, it.hook, strings.ReplaceAll(it.rule, "PORT", fmt.Sprint(client.port)))
			}
			code, said := operator.knock(t)
			if code != it.code || !strings.Contains(said, it.says) {
				t.Errorf("exit code %d, not %d:\n%s", code, it.code, said)
			}
		})
	}
	t.Run("this machine's own firewall", func(t *testing.T) {
		operator, _ := cabled(t, client, nil)
		operator.filter(t, "output", fmt.Sprintf("udp dport %d drop", client.port))
		if code, said := operator.knock(t); code != 3 || !strings.Contains(said, "error[knock-unsent]: ") {
			t.Errorf("exit code %d:\n%s", code, said)
		}
	})
	t.Run("no way to it", func(t *testing.T) {
		if code, said := newEnd(t, "n"+unique(), client).knock(t); code != 3 || !strings.Contains(said, "error[knock-unsent]: ") {
			t.Errorf("exit code %d:\n%s", code, said)
		}
	})
}

// A router between the two, as before most clusters: it forwards another port to the server, and gives what passes its own
// address.
func TestKnockThroughNAT(t *testing.T) {
	both := gateways(t, kit.Quickstart(t))
	client, server := both["consumer"], both["provider"]
	inner, inside := netip.MustParseAddr("198.51.100.1"), netip.MustParseAddr("198.51.100.2")
	operator, router := cabled(t, client, nil)
	gateway := newEnd(t, "g"+unique(), server)
	must(t, fmt.Sprintf("ip link add %s netns %s type veth peer name %s netns %s", router.wireguard, router.namespace, gateway.wire, gateway.namespace))
	gateway.attach(t, inside, inner)
	(&end{namespace: router.namespace, wire: router.wireguard}).attach(t, inner, inside)
	must(t, router.inside("sysctl -q -w net.ipv4.ip_forward=1"))
	must(t, router.inside("nft add table ip n"))
	must(t, router.inside("nft add chain ip n to { type nat hook prerouting priority -100 ; }"))
	must(t, router.inside("nft add chain ip n from { type nat hook postrouting priority 100 ; }"))
	must(t, router.inside(fmt.Sprintf("nft add rule ip n to udp dport %d dnat to %s:51840", client.port, inside)))
	must(t, router.inside(fmt.Sprintf("nft add rule ip n from oifname %s masquerade", router.wireguard)))
	if code, said := operator.knock(t); code != 5 {
		t.Errorf("without a server: exit code %d:\n%s", code, said)
	}
	gateway.listen(t, 51840)
	if code, said := operator.knock(t); code != 0 || !strings.Contains(said, "the port is open, and the keys fit") {
		t.Errorf("exit code %d:\n%s", code, said)
	}
}

// What docs/howto/knock.md says of a tunnel that is up: the server takes the sender for its client, until the client speaks.
func TestKnockMovesTheClient(t *testing.T) {
	both := gateways(t, kit.Quickstart(t))
	client, server := both["consumer"], both["provider"]
	operator, gateway := cabled(t, client, server)
	gateway.listen(t, client.port)
	// without a keepalive, as Liqo sets none
	operator.up(t, clientAddress, fmt.Sprintf("PEER endpoint %s:%d", client.address, client.port))
	if err := operator.ping(20); err != nil {
		t.Fatal(err)
	}
	endpoint := func() string {
		t.Helper()
		output, err := run("", strings.Fields(gateway.inside("wg show "+gateway.wireguard+" endpoints"))...)
		kit.Must(t, err)
		return strings.TrimPrefix(output, base64.StdEncoding.EncodeToString(server.peer)+"\t")
	}
	before := endpoint()
	if code, said := operator.knock(t); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
	if moved := endpoint(); moved == before {
		t.Errorf("the server still sends to %s", before)
	}
	started := time.Now()
	if err := operator.ping(20); err != nil {
		t.Errorf("after the knock: %v", err)
	}
	t.Logf("pings cross again after %v at most", time.Since(started))
	if back := endpoint(); back != before {
		t.Errorf("the server sends to %s, and the client is at %s", back, before)
	}
}
