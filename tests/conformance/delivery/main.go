// Command delivery opens SealedSecrets with the code of the sealed-secrets controller. It prints the Secrets as JSON, one after the other.
//
//	delivery KEY < STREAM    those that a controller with the private key KEY makes of a stream's SealedSecrets
//
// It is a module of its own, so that the controller's dependencies do not change Argo CD's.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	corev1 "k8s.io/api/core/v1"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: delivery KEY < STREAM")
		os.Exit(2)
	}
	if err := unsealAll(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
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
