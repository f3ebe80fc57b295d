// Command delivery opens and makes SealedSecrets with the code of the sealed-secrets controller. What it prints is JSON,
// one object after the other.
//
//	delivery unseal KEY < STREAM         the Secrets that a controller with the private key KEY makes of a stream's
//	                                     SealedSecrets
//	delivery seal CERTIFICATE < SECRETS  the SealedSecrets that kubeseal makes of Secrets: with random bytes
//
// It is a module of its own, so that the controller's dependencies do not change Argo CD's.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	sealedsecrets "github.com/bitnami/sealed-secrets/pkg/apis/sealedsecrets/v1alpha1"
	"github.com/bitnami/sealed-secrets/pkg/kubeseal"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "unseal":
		return unsealAll(args[1], os.Stdin, os.Stdout)
	case len(args) == 2 && args[0] == "seal":
		return sealAll(args[1], os.Stdin, os.Stdout)
	}
	return errors.New("usage: delivery unseal KEY < STREAM, or delivery seal CERTIFICATE < SECRETS")
}

func unsealAll(key string, in io.Reader, out io.Writer) error {
	keys, err := readKey(key)
	if err != nil {
		return err
	}
	sealed, err := sealedSecrets(in)
	if err != nil {
		return err
	}
	if len(sealed) == 0 {
		return errors.New("the stream has no SealedSecret")
	}
	for _, one := range sealed {
		secret, err := unseal(one, keys)
		if err != nil {
			return fmt.Errorf("%s/%s: %w", one.Namespace, one.Name, err)
		}
		secret.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Secret"))
		if err := json.NewEncoder(out).Encode(secret); err != nil {
			return err
		}
	}
	return nil
}

func sealAll(certificate string, in io.Reader, out io.Writer) error {
	pem, err := os.ReadFile(certificate)
	if err != nil {
		return err
	}
	key, err := kubeseal.ParseKey(bytes.NewReader(pem))
	if err != nil {
		return err
	}
	all, err := documents(in)
	if err != nil {
		return err
	}
	for _, document := range all {
		secret := &corev1.Secret{}
		if err := yaml.UnmarshalStrict(document, secret); err != nil {
			return err
		}
		sealed, err := sealedsecrets.NewSealedSecret(scheme.Codecs, key, secret)
		if err != nil {
			return err
		}
		sealed.SetGroupVersionKind(sealedsecrets.SchemeGroupVersion.WithKind("SealedSecret"))
		if err := json.NewEncoder(out).Encode(sealed); err != nil {
			return err
		}
	}
	return nil
}
