// Command ipam asks Liqo's own IPAM for networks. It reads Network objects as JSON, one after the other, in the order in which they are
// asked for; its arguments are the pools, the chart's `ipam.pools`. For each it writes a line: the network that the IPAM gives, or
// `refused: ` and its error.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	ipamv1alpha1 "github.com/liqotech/liqo/apis/ipam/v1alpha1"
	"github.com/liqotech/liqo/pkg/ipam"
	ipamutils "github.com/liqotech/liqo/pkg/utils/ipam"
	"google.golang.org/protobuf/reflect/protoreflect"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// empty is a cluster in which no network has been given yet.
type empty struct{ client.Client }

func (empty) List(context.Context, client.ObjectList, ...client.ListOption) error { return nil }

func run(pools []string) error {
	server, err := ipam.New(context.Background(), empty{}, &ipam.ServerOptions{Pools: pools})
	if err != nil {
		return err
	}
	for objects := json.NewDecoder(os.Stdin); ; {
		var network ipamv1alpha1.Network
		if err := objects.Decode(&network); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		response, err := server.NetworkAcquire(context.Background(), request(&network))
		if err != nil {
			fmt.Println("refused:", err)
			continue
		}
		fmt.Println(response.GetCidr())
	}
}

// request is what the controller of Networks asks for one (liqo pkg/liqo-controller-manager/networking/network-controller,
// network_controller.go and utils.go). Liqo before 1.2 knows no shared networks: the field is missing, and each is exclusive.
func request(network *ipamv1alpha1.Network) *ipam.NetworkAcquireRequest {
	request := &ipam.NetworkAcquireRequest{
		Cidr:         network.Spec.CIDR.String(),
		Immutable:    ipamutils.NetworkNotRemapped(network),
		PreAllocated: network.Spec.PreAllocated,
	}
	message := request.ProtoReflect()
	if field := message.Descriptor().Fields().ByName("exclusive"); field != nil {
		// pkg/utils/ipam/networks.go, NetworkIsExclusive
		message.Set(field, protoreflect.ValueOfBool(network.Labels["ipam.liqo.io/network-shared"] != "true"))
	}
	return request
}
