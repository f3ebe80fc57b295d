package stage

import (
	"os"
	"path/filepath"
	"strings"
)

// The addresses of the nodes' network. The provider's node has the one that the examples' gateways dial.
const (
	managementAddress = "172.16.183.1"
	consumerAddress   = "172.16.183.15"
	providerAddress   = "172.16.183.16"
	thirdAddress      = "172.16.183.17"
)

// hosts are the names that a cluster's DNS, or the public one, would know.
var hosts = "127.0.0.1 localhost argocd-server argocd-repo-server argocd-redis\n" + managementAddress + " " + strings.Join([]string{gitHost, guideHost, RegistryHost}, " ") + "\n"

// network is a switch, with Argo CD and the Git server at it, and a namespace for the node of each cluster.
func (s *Stage) network() error {
	commands := [][]string{
		{"ip", "link", "set", "lo", "up"},
		{"ip", "link", "add", "nodes", "type", "bridge"},
		{"ip", "address", "add", managementAddress + "/24", "dev", "nodes"},
		{"ip", "link", "set", "nodes", "up"},
	}
	for _, cluster := range Clusters {
		name, address := cluster.Name, cluster.address
		commands = append(commands,
			[]string{"ip", "netns", "add", name},
			[]string{"ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name},
			[]string{"ip", "link", "set", name, "master", "nodes", "up"},
			[]string{"ip", "-n", name, "link", "set", "lo", "up"},
			[]string{"ip", "-n", name, "address", "add", address + "/24", "dev", "eth0"},
			[]string{"ip", "-n", name, "link", "set", "eth0", "up"},
			[]string{"ip", "-n", name, "route", "add", "default", "via", managementAddress},
			// a node forwards what its Pods send
			[]string{"nsenter", "--net=/run/netns/" + name, "sysctl", "-qw", "net.ipv4.ip_forward=1"},
		)
	}
	for _, command := range commands {
		if err := run(command[0], command[1:]...); err != nil {
			return err
		}
	}
	file := filepath.Join(dir, "hosts")
	if err := os.WriteFile(file, []byte(hosts), 0o644); err != nil {
		return err
	}
	return bind(file, "/etc/hosts")
}
