package tunnel

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
)

// Liqo's own addresses of the tunnel's two ends.
const (
	serverAddress = "169.254.18.1"
	clientAddress = "169.254.18.2"
)

// Where the two gateways are in the network between them, unless the client calls another address.
var (
	serverOutside = netip.MustParseAddr("192.0.2.1")
	clientOutside = netip.MustParseAddr("192.0.2.2")
)

// end is a network namespace with one gateway in it.
type end struct {
	namespace, wire, wireguard string
	gateway                    *gateway
}

// run is a command of Linux's or WireGuard's tools.
func run(stdin string, command ...string) (string, error) {
	program := exec.Command(command[0], command[1:]...)
	program.Stdin = strings.NewReader(stdin)
	output, err := program.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, bytes.TrimSpace(output))
	}
	return strings.TrimSpace(string(output)), nil
}

// must is run for a command without which there is no test. It needs root, and a kernel that lets root make network
// namespaces and tunnels.
func must(t *testing.T, command string) {
	t.Helper()
	if _, err := run("", strings.Fields(command)...); err != nil {
		t.Fatal(err)
	}
}

// newEnd makes a namespace, which goes with the test.
func newEnd(t *testing.T, name string, gateway *gateway) *end {
	t.Helper()
	name = fmt.Sprintf("cp%d%s", os.Getpid(), name)
	must(t, "ip netns add "+name)
	t.Cleanup(func() { must(t, "ip netns delete "+name) })
	return &end{namespace: name, wire: name + "w", wireguard: name + "t", gateway: gateway}
}

// inside is a command in the namespace.
func (e *end) inside(command string) string {
	return "ip netns exec " + e.namespace + " " + command
}

// attach gives the end its address in the network between the two.
func (e *end) attach(t *testing.T, mine, other netip.Addr) {
	t.Helper()
	must(t, fmt.Sprintf("ip -n %s address add %s/32 dev %s", e.namespace, mine, e.wire))
	must(t, fmt.Sprintf("ip -n %s link set %s up", e.namespace, e.wire))
	must(t, fmt.Sprintf("ip -n %s route add %s/32 dev %s", e.namespace, other, e.wire))
}

// up starts WireGuard with what the gateway was told, as Liqo's gateway does.
func (e *end) up(t *testing.T, address, rest string) {
	t.Helper()
	// -f keeps it in the foreground, so that it ends with the test.
	process := exec.Command("ip", strings.Fields(e.inside("wireguard-go -f " + e.wireguard))[1:]...)
	kit.Start(t, e.wireguard, process)
	// `wg` removes a socket that does not listen yet (wireguard-tools, src/ipc-uapi-unix.h), and wireguard-go then ends.
	socket := "/var/run/wireguard/" + e.wireguard + ".sock"
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if connection, err := net.Dial("unix", socket); err == nil {
			kit.Must(t, connection.Close())
			break
		} else if time.Now().After(end) {
			t.Fatalf("wireguard-go does not start: %v", err)
		}
	}
	file := filepath.Join(kit.ShortDir(t), "key")
	kit.Must(t, os.WriteFile(file, []byte(base64.StdEncoding.EncodeToString(e.gateway.private)), 0o600))
	peer := base64.StdEncoding.EncodeToString(e.gateway.peer)
	must(t, e.inside(fmt.Sprintf("wg set %s private-key %s %s", e.wireguard, file, strings.ReplaceAll(rest, "PEER", "peer "+peer+" allowed-ips 0.0.0.0/0"))))
	must(t, fmt.Sprintf("ip -n %s address add %s/30 dev %s", e.namespace, address, e.wireguard))
	must(t, fmt.Sprintf("ip -n %s link set %s mtu %d up", e.namespace, e.wireguard, e.gateway.mtu))
}

// connect makes a tunnel of two gateways and returns the client's end.
func connect(t *testing.T, one, other *gateway) *end {
	t.Helper()
	if one.server == other.server {
		t.Fatal("there must be one server and one client")
	}
	if one.server {
		one, other = other, one
	}
	if one.mtu != other.mtu || one.mtu == 0 {
		t.Errorf("the MTUs are %d and %d", one.mtu, other.mtu)
	}
	outside := serverOutside
	if one.address.Is4() {
		outside = one.address
	}
	client, server := newEnd(t, "c"+unique(), one), newEnd(t, "s"+unique(), other)
	must(t, fmt.Sprintf("ip link add %s netns %s mtu 1500 type veth peer name %s netns %s", client.wire, client.namespace, server.wire, server.namespace))
	client.attach(t, clientOutside, outside)
	server.attach(t, outside, clientOutside)
	// Where the document puts another port in front of the server's, something there forwards it: not here.
	server.up(t, serverAddress, fmt.Sprintf("listen-port %d PEER", one.port))
	client.up(t, clientAddress, fmt.Sprintf("PEER endpoint %s:%d persistent-keepalive 10", outside, one.port))
	return client
}

var ends int

// unique tells the ends of one run from each other.
func unique() string {
	ends++
	return strconv.Itoa(ends)
}

// ping sends packets to the server's end that fill the MTU to the last byte, until one comes back, and fails if that
// takes too long. A packet that is larger must not leave.
func (e *end) ping(seconds int) error {
	const headers = 20 + 8
	size := e.gateway.mtu - headers
	ping := func(size int, rest string) error {
		_, err := run("", strings.Fields(e.inside(fmt.Sprintf("ping -n -M do -s %d %s %s", size, rest, serverAddress)))...)
		return err
	}
	if err := ping(size, fmt.Sprintf("-c 1 -w %d", seconds)); err != nil {
		return fmt.Errorf("no ping crosses the tunnel: %w", err)
	}
	if err := ping(size, "-c 50 -i 0.01 -w 10"); err != nil {
		return fmt.Errorf("not every ping crosses the tunnel: %w", err)
	}
	if err := ping(size+1, "-c 1 -w 2"); err == nil || !strings.Contains(err.Error(), "message too long") {
		return fmt.Errorf("a packet beyond the MTU of %d: %w", e.gateway.mtu, err)
	}
	return nil
}
