// Command delivery opens SealedSecrets with the code of the sealed-secrets controller.
//
//	delivery unseal KEY < STREAM    prints the Secrets that a controller with the private key KEY (PEM) makes of the
//	                                stream's SealedSecrets, as JSON, one after the other
//
// It is a module of its own, so that the controller's dependencies do not change Argo CD's.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 || args[0] != "unseal" {
		return errors.New("usage: delivery unseal KEY < STREAM")
	}
	keys, err := readKey(args[1])
	if err != nil {
		return err
	}
	sealed, err := sealedSecrets(os.Stdin)
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
		if err := json.NewEncoder(os.Stdout).Encode(secret); err != nil {
			return err
		}
	}
	return nil
}
