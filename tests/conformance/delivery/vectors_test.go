package main

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	sealedsecrets "github.com/bitnami/sealed-secrets/pkg/apis/sealedsecrets/v1alpha1"
	"github.com/bitnami/sealed-secrets/pkg/crypto"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// root is the repository.
var root = filepath.Join("..", "..", "..")

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// controllers are the private keys of the clusters in tests/certificates, which are for tests only.
func controllers(t testing.TB) map[string]map[string]*rsa.PrivateKey {
	t.Helper()
	keys := map[string]map[string]*rsa.PrivateKey{}
	for _, cluster := range []string{"rome", "milan"} {
		var err error
		keys[cluster], err = readKey(filepath.Join(root, "tests", "certificates", cluster+".key"))
		must(t, err)
	}
	return keys
}

type vector struct {
	ID                                 int
	Certificate, Namespace, Name, Item string
	Value, Sealed                      string
}

func vectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "tests", "vectors", "sealed-secret-v1.json"))
	must(t, err)
	var file struct{ Groups []struct{ Tests []vector } }
	must(t, json.Unmarshal(text, &file))
	var all []vector
	for _, group := range file.Groups {
		all = append(all, group.Tests...)
	}
	return all
}

func (v vector) object() *sealedsecrets.SealedSecret {
	immutable := true
	labels := map[string]string{"networking.liqo.io/gateway-resource": "true"}
	return &sealedsecrets.SealedSecret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "bitnami.com/v1alpha1", Kind: "SealedSecret"},
		ObjectMeta: metav1.ObjectMeta{Namespace: v.Namespace, Name: v.Name, UID: types.UID("uid")},
		Spec: sealedsecrets.SealedSecretSpec{
			EncryptedData: map[string]string{v.Item: v.Sealed},
			Template: sealedsecrets.SecretTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels}, Type: corev1.SecretTypeOpaque, Immutable: &immutable,
			},
		},
	}
}

// The frozen vectors open with the controller's own code to the value that was sealed, and to nothing else.
func TestVectors(t *testing.T) {
	keys := controllers(t)
	opened := 0
	for _, v := range vectors(t) {
		own, ok := keys[v.Certificate]
		if !ok {
			continue // its private key was thrown away
		}
		value, err := hex.DecodeString(v.Value)
		must(t, err)
		sealed, err := base64.StdEncoding.DecodeString(v.Sealed)
		must(t, err)

		plain, err := crypto.HybridDecrypt(rand.Reader, own, sealed, []byte(v.Namespace+"/"+v.Name))
		if err != nil || !bytes.Equal(plain, value) {
			t.Errorf("vector %d: HybridDecrypt: %v", v.ID, err)
		}
		secret, err := unseal(v.object(), own)
		must(t, err)
		if len(secret.Data) != 1 || !bytes.Equal(secret.Data[v.Item], value) ||
			secret.Namespace != v.Namespace || secret.Name != v.Name || secret.Type != corev1.SecretTypeOpaque ||
			secret.Immutable == nil || !*secret.Immutable || len(secret.Labels) != 1 {
			t.Errorf("vector %d: another Secret: %v", v.ID, secret.ObjectMeta)
		}
		refused(t, v.object(), keys, v.Certificate)
		opened++
	}
	if opened < 7 {
		t.Errorf("only %d vectors were opened", opened)
	}
}

// Each SealedSecret of a golden stream opens with its cluster's key and to a Secret in its own place. What the Secret has to be is in
// tests/unseal.py, and ../apiserver and ../tunnel put it before Liqo's code and into WireGuard.
func TestStreams(t *testing.T) {
	keys := controllers(t)
	files, err := filepath.Glob(filepath.Join(root, "tests", "golden", "*", "*.yaml"))
	must(t, err)
	opened := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		sealed, err := sealedSecrets(bytes.NewReader(text))
		must(t, err)
		for _, one := range sealed {
			// each example's consumer has the certificate of rome, and its provider that of milan
			cluster := map[string]string{"consumer.yaml": "rome", "provider.yaml": "milan"}[filepath.Base(file)]
			secret, err := unseal(one, keys[cluster])
			must(t, err)
			if secret.Namespace != one.Namespace || secret.Name != one.Name || len(secret.Data) != len(one.Spec.EncryptedData) {
				t.Errorf("%s: %s is another Secret: %v", file, one.Name, secret.ObjectMeta)
			}
			refused(t, one, keys, cluster)
			opened++
		}
	}
	if opened < 4 {
		t.Errorf("only %d SealedSecrets were opened", opened)
	}
}

// refused fails if a SealedSecret opens anywhere but in its place, with its controller.
func refused(t *testing.T, sealed *sealedsecrets.SealedSecret, keys map[string]map[string]*rsa.PrivateKey, cluster string) {
	t.Helper()
	const namespaceWide, clusterWide = sealedsecrets.SealedSecretNamespaceWideAnnotation, sealedsecrets.SealedSecretClusterWideAnnotation
	annotate := func(s *sealedsecrets.SealedSecret, annotation string) {
		// the template's are the Secret's, the object's decide
		s.Annotations = map[string]string{annotation: "true"}
		s.Spec.Template.Annotations = s.Annotations
	}
	for what, change := range map[string]func(*sealedsecrets.SealedSecret){
		"name":                 func(s *sealedsecrets.SealedSecret) { s.Name += "2" },
		"namespace":            func(s *sealedsecrets.SealedSecret) { s.Namespace += "-2" },
		"scope namespace-wide": func(s *sealedsecrets.SealedSecret) { annotate(s, namespaceWide) },
		"scope cluster-wide":   func(s *sealedsecrets.SealedSecret) { annotate(s, clusterWide) },
		"byte": func(s *sealedsecrets.SealedSecret) {
			for item, text := range s.Spec.EncryptedData {
				raw, err := base64.StdEncoding.DecodeString(text)
				must(t, err)
				raw[len(raw)-1] ^= 1
				s.Spec.EncryptedData[item] = base64.StdEncoding.EncodeToString(raw)
			}
		},
	} {
		moved := sealed.DeepCopy()
		change(moved)
		if secret, err := unseal(moved, keys[cluster]); err == nil {
			t.Errorf("%s/%s opens with another %s: %v", sealed.Namespace, sealed.Name, what, secret.ObjectMeta)
		}
	}
	for other := range keys {
		if _, err := unseal(sealed, keys[other]); (err == nil) != (other == cluster) {
			t.Errorf("%s/%s of %s with the key of %s: %v", sealed.Namespace, sealed.Name, cluster, other, err)
		}
	}
}
