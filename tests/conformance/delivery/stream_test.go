package main

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sealedsecrets "github.com/bitnami/sealed-secrets/pkg/apis/sealedsecrets/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"
)

var (
	streamFile = flag.String("stream", "", "test this stream; default: the golden streams of the examples")
	keyFile    = flag.String("key", "", "the private key that opens it; default: the one of tests/certificates that does")
)

// stream is one side's objects, and the other side's if they are known.
type stream struct {
	name        string
	text, other []byte
}

// streams are those that have a SealedSecret.
func streams(t *testing.T) []stream {
	t.Helper()
	if *streamFile != "" {
		text, err := os.ReadFile(*streamFile)
		must(t, err)
		return []stream{{name: *streamFile, text: text}}
	}
	files, err := filepath.Glob(filepath.Join(root, "tests", "golden", "*", "*.yaml"))
	must(t, err)
	var found []stream
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		if !bytes.Contains(text, []byte("kind: \"SealedSecret\"")) {
			continue
		}
		role := map[string]string{"consumer.yaml": "provider.yaml", "provider.yaml": "consumer.yaml"}[filepath.Base(file)]
		other, err := os.ReadFile(filepath.Join(filepath.Dir(file), role))
		must(t, err)
		found = append(found, stream{name: filepath.Base(filepath.Dir(file)) + "-" + filepath.Base(file), text: text, other: other})
	}
	return found
}

// What the controller makes of the SealedSecrets of a stream are Secrets as Liqo wants them, in their place and with
// their controller only.
func TestStreams(t *testing.T) {
	all := streams(t)
	if len(all) == 0 {
		t.Fatal("no golden stream has a SealedSecret")
	}
	for _, stream := range all {
		t.Run(stream.name, func(t *testing.T) {
			sealed, err := sealedSecrets(bytes.NewReader(stream.text))
			must(t, err)
			if len(sealed) == 0 {
				t.Fatal("no SealedSecret")
			}
			keys := map[string]map[string]*rsa.PrivateKey{}
			if *keyFile == "" {
				keys = controllers(t)
			} else {
				keys["the destination"], err = readKey(*keyFile)
				must(t, err)
			}
			cluster := destination(t, sealed[0], keys)
			for _, one := range sealed {
				secret, err := unseal(one, keys[cluster])
				must(t, err)
				must(t, complete(secret))
				must(t, known(secret, stream.other))
				refused(t, one, keys, cluster)
				t.Logf("%s/%s, by the key of %s: %s", one.Namespace, one.Name, cluster, slices.Sorted(maps.Keys(secret.Data)))
			}
			must(t, nothingPlain(stream.text))
		})
	}
}

// destination is the cluster whose key opens a SealedSecret.
func destination(t *testing.T, sealed *sealedsecrets.SealedSecret, keys map[string]map[string]*rsa.PrivateKey) string {
	t.Helper()
	var reasons []string
	for cluster, own := range keys {
		_, err := unseal(sealed, own)
		if err == nil {
			return cluster
		}
		reasons = append(reasons, fmt.Sprintf("%s: %v", cluster, err))
	}
	t.Fatalf("%s/%s: %s", sealed.Namespace, sealed.Name, strings.Join(reasons, "; "))
	return ""
}

// complete fails on a Secret that Liqo would not find or not take.
func complete(secret *corev1.Secret) error {
	name := secret.Namespace + "/" + secret.Name
	for annotation := range secret.Annotations {
		if strings.HasPrefix(annotation, "sealedsecrets.bitnami.com/") {
			return fmt.Errorf("%s: the annotation %s changes what the controller does", name, annotation)
		}
	}
	if secret.Type != corev1.SecretTypeOpaque && secret.Type != "" { // Kubernetes' default
		return fmt.Errorf("%s: its type is %q", name, secret.Type)
	}
	items := slices.Sorted(maps.Keys(secret.Data))
	wanted := map[string]string{"liqo.io/remote-cluster-id": ""}
	switch {
	case slices.Equal(items, []string{"privateKey", "publicKey"}):
		wanted["networking.liqo.io/gateway-resource"] = "true"
		// a name that is set stays when the key changes
		immutable := secret.Immutable != nil && *secret.Immutable
		if immutable != strings.HasPrefix(secret.Name, "gw-keys-") {
			return fmt.Errorf("%s: immutable is %t", name, immutable)
		}
		if err := keyPair(secret); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	case slices.Equal(items, []string{"kubeconfig"}):
		wanted["liqo.io/identity-type"] = "ControlPlane"
		if secret.Annotations["liqo.io/remote-tenant-namespace"] == "" {
			return fmt.Errorf("%s: there is no annotation liqo.io/remote-tenant-namespace", name)
		}
		config, err := clientcmd.Load(secret.Data["kubeconfig"])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := clientcmd.ConfirmUsable(*config, ""); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	default:
		return fmt.Errorf("%s: its items are %s", name, items)
	}
	for label, value := range wanted {
		if got := secret.Labels[label]; got == "" || value != "" && got != value {
			return fmt.Errorf("%s: its label %s is %q", name, label, got)
		}
	}
	return nil
}

// keyPair fails unless the private key is one that WireGuard takes as it is, and the public key is its own.
func keyPair(secret *corev1.Secret) error {
	private, public := secret.Data["privateKey"], secret.Data["publicKey"]
	if len(private) != 32 || private[0]&7 != 0 || private[31]&0xc0 != 0x40 {
		return fmt.Errorf("%d bytes that are not a clamped key", len(private))
	}
	key, err := ecdh.X25519().NewPrivateKey(private)
	if err != nil {
		return err
	}
	if !bytes.Equal(key.PublicKey().Bytes(), public) {
		return fmt.Errorf("the keys are not a pair")
	}
	digest := sha256.Sum256(public)
	if suffix, conventional := strings.CutPrefix(secret.Name, "gw-keys-"); conventional && suffix != hex.EncodeToString(digest[:5]) {
		return fmt.Errorf("its name is not its key's")
	}
	return nil
}

// known fails if the other side's stream expects another public key.
func known(secret *corev1.Secret, other []byte) error {
	if other == nil || secret.Data["publicKey"] == nil {
		return nil
	}
	all, err := documents(bytes.NewReader(other))
	if err != nil {
		return err
	}
	for _, document := range all {
		var object struct {
			Kind string
			Spec struct{ PublicKey string }
		}
		if err := yaml.Unmarshal(document, &object); err != nil {
			return err
		}
		if object.Kind == "PublicKey" {
			if object.Spec.PublicKey != base64.StdEncoding.EncodeToString(secret.Data["publicKey"]) {
				return fmt.Errorf("the other side expects the key %s", object.Spec.PublicKey)
			}
			return nil
		}
	}
	return fmt.Errorf("the other side's stream has no PublicKey")
}

// nothingPlain fails if a side that seals also has a Secret with data.
func nothingPlain(text []byte) error {
	all, err := documents(bytes.NewReader(text))
	if err != nil {
		return err
	}
	for _, document := range all {
		var object struct {
			Kind             string
			Data, StringData map[string]string
		}
		if err := yaml.Unmarshal(document, &object); err == nil && object.Kind == "Secret" && len(object.Data)+len(object.StringData) > 0 {
			return fmt.Errorf("the stream has a Secret with data")
		}
	}
	return nil
}
