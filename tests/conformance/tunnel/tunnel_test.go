// Package tunnel puts the keys of two streams into WireGuard, as Liqo's gateways do, and sends packets through.
package tunnel

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"golang.org/x/crypto/curve25519"
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
	// address is the first one that the client calls, if it is one.
	address netip.Addr
}

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

func gatewayOf(objects, secrets []*unstructured.Unstructured) (*gateway, error) {
	gateway := &gateway{}
	object := find(objects, "GatewayClient", "")
	if object == nil {
		object = find(objects, "GatewayServer", "")
		gateway.server = true
	}
	if object == nil {
		return nil, errors.New("there is no gateway")
	}
	secret := find(secrets, "Secret", text(object, "spec", "secretRef", "name"))
	if secret == nil {
		return nil, errors.New("there is no Secret with the gateway's key")
	}
	gateway.mtu = int(number(object, "spec", "mtu"))
	gateway.port = number(object, "spec", "endpoint", "port")
	if gateway.server && text(object, "spec", "endpoint", "serviceType") == "NodePort" {
		gateway.port = number(object, "spec", "endpoint", "nodePort")
	}
	if addresses, _, _ := unstructured.NestedStringSlice(object.Object, "spec", "endpoint", "addresses"); len(addresses) != 0 {
		gateway.address, _ = netip.ParseAddr(addresses[0]) // or else it is a name
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

// gateways are both sides of a peering: of one example, or of the two halves of one, each made in its own folder.
func gateways(t *testing.T, examples ...kit.Example) map[string]*gateway {
	t.Helper()
	gateways := map[string]*gateway{}
	for _, example := range examples {
		for _, role := range example.Roles {
			gateway, err := gatewayOf(example.Local(t, role), example.Secrets(t, role))
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
	identity, err := os.ReadFile(example.Identity(t))
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
		if _, connected, _ := unstructured.NestedMap(example.Document(t), "spec", "networking"); !connected {
			continue // a peering without Liqo's networking has no tunnel
		}
		name := example.Name
		if example.Half() {
			name = filepath.Dir(name) + " in two repositories"
		}
		peerings[name] = append(peerings[name], example)
	}
	if len(peerings) == 0 {
		t.Fatal("no example has a tunnel")
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
			if err := connect(t, gateways["consumer"], gateways["provider"]).ping(20); err != nil {
				t.Error(err)
			}
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
			if err := connect(t, after["consumer"], after["provider"]).ping(20); err != nil {
				t.Errorf("after the rotation: %v", err)
			}
			// One side has the new commit and the other has not. That is what a rotation is until both have synced, and it
			// shows that a ping does not cross with just any key.
			if err := connect(t, after[role], before[other]).ping(5); err == nil {
				t.Error("a ping crosses between an old key and a new one")
			}
		})
	}
}

// WireGuard clamps whatever it is given, so a tunnel cannot tell whether a key was clamped. What Liqo's own `wg genkey`
// would have written down is a clamped one.
func TestKeysThatAreNot(t *testing.T) {
	for name, spoil := range map[string]func(key []byte) string{
		"not clamped": func(key []byte) string { key[0] |= 1; return base64.StdEncoding.EncodeToString(key) },
		"too short":   func(key []byte) string { return base64.StdEncoding.EncodeToString(key[:31]) },
		"encoded twice": func(key []byte) string {
			return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(key)))
		},
		"another's": func(key []byte) string { key[1] ^= 1; return base64.StdEncoding.EncodeToString(key) },
	} {
		t.Run(name, func(t *testing.T) {
			objects := kit.Quickstart(t).Local(t, "consumer")
			secret := find(objects, "Secret", text(find(objects, "GatewayClient", ""), "spec", "secretRef", "name"))
			private, err := key(text(secret, "data", "privateKey"))
			kit.Must(t, err)
			kit.Must(t, unstructured.SetNestedField(secret.Object, spoil(private), "data", "privateKey"))
			if _, err = gatewayOf(objects, objects); err == nil {
				t.Error("the key is found right")
			}
			t.Log(err)
		})
	}
}
