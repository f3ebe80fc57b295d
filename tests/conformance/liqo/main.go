// Command liqo knows Liqo's own Go types and constants. It reads Kubernetes objects as JSON, one after the other.
//
//	liqo rewrite   writes them out again as Liqo's controllers do when they update them, and fails on a field that
//	               the types do not have
//	liqo labels    fails on an object that Liqo would not find
//
// It is a module of its own, so that Liqo's dependencies do not change Argo CD's, and so that each tag of Liqo can have
// its types: go build -modfile=v1.2.0.mod
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	authentication "github.com/liqotech/liqo/apis/authentication/v1beta1"
	core "github.com/liqotech/liqo/apis/core/v1beta1"
	networking "github.com/liqotech/liqo/apis/networking/v1beta1"
	offloading "github.com/liqotech/liqo/apis/offloading/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case slices.Equal(args, []string{"rewrite"}):
		return rewrite(os.Stdin, os.Stdout)
	case slices.Equal(args, []string{"labels"}):
		return labels(os.Stdin)
	}
	return errors.New("usage: liqo rewrite|labels")
}

func rewrite(in io.Reader, out io.Writer) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		authentication.AddToScheme, core.AddToScheme, networking.AddToScheme, offloading.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	// What a client of Kubernetes reads and writes with, but strict.
	codec := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{Strict: true})
	for objects := json.NewDecoder(in); ; {
		var object json.RawMessage
		if err := objects.Decode(&object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		typed, kind, err := codec.Decode(object, nil, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		if err := codec.Encode(typed, out); err != nil {
			return err
		}
	}
}
