package steps

import (
	"fmt"
	"strings"

	"argocd-peering.example/scene/stage"
)

var connected = Step{
	Name: "A tunnel, a node, a pod",
	Asserts: "The tunnel is Connected on both clusters; a ping of the full MTU crosses it, and one byte more does not. The " +
		"virtual Node is Ready, and a Pod of the offloaded namespace runs at the provider.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		tunnel(s)
		printed, err := ping(s, 1340)
		s.Holds(err == nil, "a ping of 1340 bytes, the whole MTU, crosses the tunnel", printed)
		printed, err = ping(s, 1341)
		s.Holds(err != nil, "a ping of 1341 bytes does not", printed)
		for _, command := range s.Block("argocd-app/README.md", "get connections.networking.liqo.io") {
			s.Run(command)
		}
		offload(s)
		// what `liqoctl info` shows of the other cluster
		for _, cluster := range stage.Clusters {
			s.Run("kubectl --context " + cluster.Name + " get foreignclusters.core.liqo.io -o custom-columns=NAME:.metadata.name,ROLE:.status.role," +
				"NETWORKING:.status.modules.networking.enabled,AUTHENTICATION:.status.modules.authentication.enabled,OFFLOADING:.status.modules.offloading.enabled")
		}
	},
}

// offload waits for the virtual Node, and for a Pod that it runs.
func offload(s *stage.Stage) {
	s.Run("kubectl --context consumer wait node provider --for=create --timeout=2m && kubectl --context consumer wait node provider --for=condition=Ready --timeout=2m")
	s.Run("kubectl --context consumer apply -f ~/argocd-peering/tests/scene/liqo/pod.yaml")
	for _, at := range []struct{ cluster, node string }{{"consumer", "provider"}, {"provider", "provider-node"}} {
		pod := "kubectl --context " + at.cluster + " get pods -A --field-selector metadata.name=offloaded"
		s.Until("the Pod is Running on "+at.node+", as the "+at.cluster+" sees it", someMinutes, func() (bool, string) {
			value, _ := s.Ask(pod + " -o jsonpath='{.items[0].status.phase} {.items[0].spec.nodeName}'")
			return value == "Running "+at.node, value
		})
		s.Run(pod + " -o wide")
	}
}

// ping sends packets of so many bytes from the consumer's gateway to the provider's.
func ping(s *stage.Stage, bytes int) (string, error) {
	const headers = 28 // of IP and ICMP
	return s.Ask(fmt.Sprintf("%s ping -n -c 3 -i 0.2 -W 2 -M do -s %d 169.254.18.1", s.InGateway(stage.Consumer), bytes-headers))
}

// tunnel waits until both clusters report it.
func tunnel(s *stage.Stage) {
	for _, cluster := range stage.Clusters {
		status := "kubectl --context " + cluster.Name + " get connections.networking.liqo.io -A -o jsonpath='{.items[0].status.value}'"
		s.Until("the tunnel is Connected, as the "+cluster.Name+" sees it", someMinutes, func() (bool, string) {
			value, _ := s.Ask(status)
			return strings.TrimSpace(value) == "Connected", value
		})
	}
}
