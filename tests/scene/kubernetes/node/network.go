package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// neighbour is the node, as every Pod sees it.
const neighbour = "169.254.1.1"

// connect makes the network namespace of a Pod with a wire to the node, which routes.
func (n *node) connect(p *pod) error {
	wire := "v" + strings.TrimPrefix(p.namespace, "pod")
	for _, line := range []string{
		"netns add " + p.namespace,
		"link add " + wire + " type veth peer name eth0 netns " + p.namespace,
		"address add " + neighbour + "/32 dev " + wire,
		"link set " + wire + " up",
		"route add " + p.address.String() + "/32 dev " + wire,
		"-n " + p.namespace + " link set lo up",
		"-n " + p.namespace + " address add " + p.address.String() + "/32 dev eth0",
		"-n " + p.namespace + " link set eth0 up",
		"-n " + p.namespace + " route add " + neighbour + " dev eth0",
		"-n " + p.namespace + " route add default via " + neighbour,
	} {
		if err := command("ip", strings.Fields(line)...); err != nil {
			return err
		}
	}
	return nil
}

// proxy does kube-proxy's work: who calls a Service gets its first ready endpoint. It also writes the names of the
// Services, and gives a LoadBalancer the address that it asks for.
func (n *node) proxy(ctx context.Context) error {
	services, err := n.serviceLister.List(labels.Everything())
	if err != nil {
		return err
	}
	slices.SortFunc(services, func(a, b *corev1.Service) int {
		return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
	})
	var rules, hosts strings.Builder
	hosts.WriteString("127.0.0.1 localhost\n")
	for _, service := range services {
		if service.Spec.ClusterIP == "" || service.Spec.ClusterIP == corev1.ClusterIPNone {
			continue
		}
		name := service.Name + "." + service.Namespace
		fmt.Fprintf(&hosts, "%s %s %s.svc %s.svc.cluster.local\n", service.Spec.ClusterIP, name, name, name)
		addresses := []string{service.Spec.ClusterIP}
		if service.Spec.Type == corev1.ServiceTypeLoadBalancer && service.Spec.LoadBalancerIP != "" {
			addresses = append(addresses, service.Spec.LoadBalancerIP)
			if err := n.balance(ctx, service); err != nil {
				return err
			}
		}
		for _, port := range service.Spec.Ports {
			endpoint, err := n.endpoint(service, port.Name)
			if err != nil {
				return err
			}
			if endpoint == "" {
				continue
			}
			protocol := strings.ToLower(string(port.Protocol))
			for _, address := range addresses {
				fmt.Fprintf(&rules, "\t\tip daddr %s %s dport %d dnat to %s\n", address, protocol, port.Port, endpoint)
			}
			if port.NodePort != 0 {
				fmt.Fprintf(&rules, "\t\tip daddr %s %s dport %d dnat to %s\n", n.address, protocol, port.NodePort, endpoint)
			}
		}
	}
	text := fmt.Sprintf(`table ip services
delete table ip services
table ip services {
	chain services {
%s	}
	chain prerouting {
		type nat hook prerouting priority -100
		jump services
	}
	chain output {
		type nat hook output priority -100
		jump services
	}
	chain postrouting {
		type nat hook postrouting priority 100
		ip saddr %s ip daddr != %[2]s masquerade
	}
}
`, rules.String(), n.prefix)
	if text == n.rules {
		return nil
	}
	if err := os.WriteFile(filepath.Join(n.data, "hosts"), []byte(hosts.String()), 0o644); err != nil {
		return err
	}
	nft := exec.Command("nft", "-f", "-")
	nft.Stdin = strings.NewReader(text)
	if output, err := nft.CombinedOutput(); err != nil {
		return fmt.Errorf("nft: %w: %s", err, output)
	}
	n.rules = text
	// A flow without connections would go on to an endpoint that is gone. There may be none, which is an error there.
	_ = exec.Command("conntrack", "-D", "-p", "udp").Run()
	return nil
}

// endpoint is the first ready one of a port, or empty.
func (n *node) endpoint(service *corev1.Service, port string) (string, error) {
	all, err := n.sliceLister.EndpointSlices(service.Namespace).List(labels.SelectorFromSet(labels.Set{discoveryv1.LabelServiceName: service.Name}))
	if err != nil {
		return "", err
	}
	var found []string
	for _, slice := range all {
		for _, candidate := range slice.Ports {
			if candidate.Name == nil || *candidate.Name != port || candidate.Port == nil || slice.AddressType != discoveryv1.AddressTypeIPv4 {
				continue
			}
			for _, endpoint := range slice.Endpoints {
				if endpoint.Conditions.Ready == nil || *endpoint.Conditions.Ready {
					found = append(found, fmt.Sprintf("%s:%d", endpoint.Addresses[0], *candidate.Port))
				}
			}
		}
	}
	if len(found) == 0 {
		return "", nil
	}
	return slices.Min(found), nil
}

// balance does what a cloud does: the address that is asked for is granted. It has to be routed to the node.
func (n *node) balance(ctx context.Context, service *corev1.Service) error {
	if len(service.Status.LoadBalancer.Ingress) != 0 {
		return nil
	}
	service = service.DeepCopy()
	service.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: service.Spec.LoadBalancerIP}}
	_, err := n.client.CoreV1().Services(service.Namespace).UpdateStatus(ctx, service, metav1.UpdateOptions{})
	return err
}
