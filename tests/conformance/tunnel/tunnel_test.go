// Package tunnel puts the keys of two streams into WireGuard, as Liqo's gateways do, and sends packets through.
//
// Both ends run in this process, with a network stack of their own, and talk over the loopback. Nothing needs root.
package tunnel

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
	"golang.org/x/crypto/curve25519"
	"golang.zx2c4.com/wireguard/conn"
	"golang.zx2c4.com/wireguard/device"
	"golang.zx2c4.com/wireguard/tun/netstack"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// gateway is what one stream tells its cluster's gateway.
type gateway struct {
	server bool
	mtu    int
	// private is its own key, and peer the other's.
	private, peer []byte
	// port is where the server can be reached, and where the client calls.
	port int64
}

// errNone says that a stream leaves the tunnel, or its key, to somebody else.
var errNone = errors.New("no gateway with a key of its own")

func find(objects []*unstructured.Unstructured, kind, name string) *unstructured.Unstructured {
	for _, object := range objects {
		if object.GetKind() == kind && (name == "" || object.GetName() == name) {
			return object
		}
	}
	return nil
}

func text(object *unstructured.Unstructured, path ...string) string {
	value, _, _ := unstructured.NestedString(object.Object, path...)
	return value
}

func number(object *unstructured.Unstructured, path ...string) int64 {
	value, _, _ := unstructured.NestedInt64(object.Object, path...)
	return value
}

// key decodes as Kubernetes and Liqo do: base64 once, and then 32 bytes.
func key(encoded string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err == nil && len(key) != 32 {
		err = fmt.Errorf("a key has 32 bytes and not %d", len(key))
	}
	return key, err
}

func gatewayOf(objects []*unstructured.Unstructured) (*gateway, error) {
	gateway := &gateway{}
	object := find(objects, "GatewayClient", "")
	if object == nil {
		object = find(objects, "GatewayServer", "")
		gateway.server = true
	}
	if object == nil {
		return nil, errNone
	}
	secret := find(objects, "Secret", text(object, "spec", "secretRef", "name"))
	if secret == nil {
		return nil, errNone
	}
	gateway.mtu = int(number(object, "spec", "mtu"))
	gateway.port = number(object, "spec", "endpoint", "port")
	if gateway.server && text(object, "spec", "endpoint", "serviceType") == "NodePort" {
		gateway.port = number(object, "spec", "endpoint", "nodePort")
	}
	var err error
	if gateway.private, err = key(text(secret, "data", "privateKey")); err != nil {
		return nil, err
	}
	if gateway.private[0]&7 != 0 || gateway.private[31]&0xc0 != 0x40 {
		return nil, errors.New("the private key is not clamped, as `wg genkey` clamps it")
	}
	public, err := curve25519.X25519(gateway.private, curve25519.Basepoint)
	if err != nil {
		return nil, err
	}
	if claimed, err := key(text(secret, "data", "publicKey")); err != nil || !bytes.Equal(claimed, public) {
		return nil, errors.New("the public key of the Secret is not the private key's")
	}
	peer := find(objects, "PublicKey", "")
	if peer == nil {
		return nil, errors.New("there is no PublicKey of the peer")
	}
	gateway.peer, err = key(text(peer, "spec", "publicKey"))
	return gateway, err
}

// Liqo's own addresses of the tunnel's two ends.
var (
	serverAddress = netip.MustParseAddr("169.254.18.1")
	clientAddress = netip.MustParseAddr("169.254.18.2")
)

// lines are what WireGuard logs, which is shown when a test fails.
type lines struct {
	lock sync.Mutex
	text strings.Builder
}

func (l *lines) add(format string, args ...any) {
	l.lock.Lock()
	defer l.lock.Unlock()
	fmt.Fprintf(&l.text, time.Now().Format("05.000 ")+format+"\n", args...)
}

func (l *lines) String() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.String()
}

// up starts WireGuard with what the gateway was told. The server's port is a free one, for the client to call.
func up(t *testing.T, gateway *gateway, port int) *netstack.Net {
	t.Helper()
	address := clientAddress
	if gateway.server {
		address = serverAddress
	}
	tun, network, err := netstack.CreateNetTUN([]netip.Addr{address}, nil, gateway.mtu)
	kit.Must(t, err)
	said := &lines{}
	logger := &device.Logger{Verbosef: said.add, Errorf: said.add}
	wireguard := device.NewDevice(tun, conn.NewDefaultBind(), logger)
	t.Cleanup(func() {
		wireguard.Close()
		if t.Failed() {
			t.Logf("%s says:\n%s", address, said)
		}
	})
	config := "private_key=" + hex.EncodeToString(gateway.private) + "\n"
	if gateway.server {
		config += fmt.Sprintf("listen_port=%d\n", port)
	}
	config += "public_key=" + hex.EncodeToString(gateway.peer) + "\nallowed_ip=0.0.0.0/0\n"
	if !gateway.server {
		config += fmt.Sprintf("endpoint=127.0.0.1:%d\npersistent_keepalive_interval=10\n", port)
	}
	kit.Must(t, wireguard.IpcSet(config))
	kit.Must(t, wireguard.Up())
	return network
}

// ping tells whether a ping crosses that fills the MTU to the last byte.
func ping(t *testing.T, client *netstack.Net, mtu int, limit time.Duration) bool {
	t.Helper()
	const headers = 20 + 8
	message := append([]byte{8, 0, 0, 0, 0, 0, 0, 1}, bytes.Repeat([]byte{0x5a}, mtu-headers)...)
	once := func() bool {
		// A socket for each: now and then this network stack hands out one that never hears its replies.
		socket, err := client.DialPingAddr(clientAddress, serverAddress)
		kit.Must(t, err)
		defer func() { _ = socket.Close() }()
		if _, err := socket.Write(message); err != nil {
			return false
		}
		_ = socket.SetReadDeadline(time.Now().Add(time.Second))
		reply := make([]byte, mtu)
		n, err := socket.Read(reply)
		return err == nil && n == len(message) && bytes.Equal(reply[8:n], message[8:])
	}
	for end := time.Now().Add(limit); time.Now().Before(end); {
		if once() {
			return true
		}
	}
	return false
}

// carry sends a mebibyte there and back.
func carry(t *testing.T, client, server *netstack.Net) {
	t.Helper()
	listener, err := server.ListenTCP(&net.TCPAddr{Port: 80})
	kit.Must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		_, _ = io.Copy(connection, connection)
		_ = connection.Close()
	}()
	connection, err := client.DialTCPAddrPort(netip.AddrPortFrom(serverAddress, 80))
	kit.Must(t, err)
	_ = connection.SetDeadline(time.Now().Add(30 * time.Second))
	sent := bytes.Repeat([]byte("through the tunnel\n"), 1<<20/19)
	go func() {
		_, _ = connection.Write(sent)
		_ = connection.CloseWrite()
	}()
	received, err := io.ReadAll(connection)
	kit.Must(t, err)
	if !bytes.Equal(sent, received) {
		t.Errorf("%d bytes went out and %d others came back", len(sent), len(received))
	}
}

// connect makes a tunnel of two gateways.
func connect(t *testing.T, one, other *gateway) (client, server *netstack.Net) {
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
	free, err := net.ListenPacket("udp", "127.0.0.1:0")
	kit.Must(t, err)
	port := free.LocalAddr().(*net.UDPAddr).Port
	kit.Must(t, free.Close())
	server = up(t, other, port)
	return up(t, one, port), server
}

// gateways are both sides of a peering: of one example, or of the two halves of one, each made in its own folder.
func gateways(t *testing.T, examples ...kit.Example) map[string]*gateway {
	t.Helper()
	gateways := map[string]*gateway{}
	for _, example := range examples {
		for _, role := range example.Roles {
			gateway, err := gatewayOf(example.Local(t, role))
			if errors.Is(err, errNone) {
				t.Skipf("%s: %v", role, err)
			}
			kit.Must(t, err)
			gateways[role] = gateway
		}
	}
	return gateways
}

// rotated is the quickstart with a new key of one side.
func rotated(t *testing.T, role string) kit.Example {
	t.Helper()
	example := kit.Quickstart(t)
	identity, err := os.ReadFile(filepath.Join(example.Dir, "demo-identity.txt"))
	kit.Must(t, err)
	folder := filepath.Join(kit.ShortDir(t), "rotated")
	example.CopyTo(t, folder)
	kit.WriteFile(t, string(identity), folder, "demo-identity.txt")
	kit.Edit(t, filepath.Join(folder, "peering.yaml"), "clusterID: "+role, "clusterID: "+role+"\n    keyGeneration: 2")
	example.Dir = folder
	return example
}

func TestEveryExample(t *testing.T) {
	peerings := map[string][]kit.Example{}
	for _, example := range kit.Examples(t) {
		name := example.Name
		if example.Half() {
			name = filepath.Dir(name) + " in two repositories"
		}
		peerings[name] = append(peerings[name], example)
	}
	for name, examples := range peerings {
		t.Run(name, func(t *testing.T) {
			gateways := gateways(t, examples...)
			// The client calls the server's port, unless the document says that there is another one in front of it.
			path := []string{"spec", "networking", "gatewayClient", "endpoint", "port"}
			_, given, _ := unstructured.NestedFieldNoCopy(examples[0].Document(t), path...)
			if one, other := gateways["consumer"].port, gateways["provider"].port; one != other && !given {
				t.Errorf("one side has port %d, and the other %d", one, other)
			}
			client, server := connect(t, gateways["consumer"], gateways["provider"])
			if !ping(t, client, gateways["consumer"].mtu, 20*time.Second) {
				t.Fatal("no ping crosses the tunnel")
			}
			carry(t, client, server)
		})
	}
}

func TestRotation(t *testing.T) {
	before := gateways(t, kit.Quickstart(t))
	for _, role := range kit.Roles {
		t.Run(role, func(t *testing.T) {
			after := gateways(t, rotated(t, role))
			other := map[string]string{"consumer": "provider", "provider": "consumer"}[role]
			if bytes.Equal(before[role].private, after[role].private) {
				t.Error("the key is the old one")
			}
			if !bytes.Equal(before[other].private, after[other].private) {
				t.Error("the other side's key has changed as well")
			}
			client, server := connect(t, after["consumer"], after["provider"])
			if !ping(t, client, after["consumer"].mtu, 20*time.Second) {
				t.Fatal("no ping crosses the tunnel after the rotation")
			}
			carry(t, client, server)
			// One side has the new commit and the other has not. That is what a rotation is until both have synced, and it
			// shows that a ping does not cross with just any key.
			client, _ = connect(t, after[role], before[other])
			if ping(t, client, after[role].mtu, 7*time.Second) {
				t.Error("a ping crosses between an old key and a new one")
			}
		})
	}
}
