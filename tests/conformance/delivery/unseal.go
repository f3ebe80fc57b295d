package main

import (
	"bufio"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"os"

	sealedsecrets "github.com/bitnami/sealed-secrets/pkg/apis/sealedsecrets/v1alpha1"
	"github.com/bitnami/sealed-secrets/pkg/crypto"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/keyutil"
	"sigs.k8s.io/yaml"
)

// readKey is a controller's private key from a file, in the form in which the controller keeps all of its keys.
func readKey(file string) (map[string]*rsa.PrivateKey, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	parsed, err := keyutil.ParsePrivateKeyPEM(pem)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s: not an RSA key", file)
	}
	fingerprint, err := crypto.PublicKeyFingerprint(&key.PublicKey)
	if err != nil {
		return nil, err
	}
	return map[string]*rsa.PrivateKey{fingerprint: key}, nil
}

// documents are the objects of a stream.
func documents(stream io.Reader) ([][]byte, error) {
	var found [][]byte
	for reader := utilyaml.NewYAMLReader(bufio.NewReader(stream)); ; {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		found = append(found, document)
	}
}

// sealedSecrets are those of a stream, by the controller's type. A field that the type does not have is an error.
func sealedSecrets(stream io.Reader) ([]*sealedsecrets.SealedSecret, error) {
	all, err := documents(stream)
	if err != nil {
		return nil, err
	}
	var sealed []*sealedsecrets.SealedSecret
	for _, document := range all {
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal(document, &kind); err != nil {
			return nil, err
		}
		if kind.Kind != "SealedSecret" {
			continue
		}
		if kind.APIVersion != sealedsecrets.SchemeGroupVersion.String() {
			return nil, fmt.Errorf("a SealedSecret of %s", kind.APIVersion)
		}
		one := &sealedsecrets.SealedSecret{}
		if err := yaml.UnmarshalStrict(document, one); err != nil {
			return nil, err
		}
		sealed = append(sealed, one)
	}
	return sealed, nil
}

// unseal is what the controller does with a SealedSecret.
func unseal(sealed *sealedsecrets.SealedSecret, keys map[string]*rsa.PrivateKey) (*corev1.Secret, error) {
	return sealed.Unseal(scheme.Codecs, keys)
}
