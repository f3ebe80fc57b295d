package stage

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const kubeconfig = Home + "/.kube/config"

// Cluster is one of them.
type Cluster struct {
	// Name is its context in the kubeconfig, its name in Argo CD and its Liqo cluster ID.
	Name, address string
}

// The clusters. Argo CD is at home on the consumer's, as another namespace of it. The third one is only in a scene that asks for it.
var (
	Consumer = Cluster{"consumer", consumerAddress}
	Provider = Cluster{"provider", providerAddress}
	Third    = Cluster{"third", thirdAddress}
	Clusters = []Cluster{Consumer, Provider}
)

func (c Cluster) data() string   { return filepath.Join(dir, c.Name) }
func (c Cluster) server() string { return "https://" + c.address + ":6443" }
func (c Cluster) in(argv ...string) []string {
	return append([]string{"nsenter", "--net=/run/netns/" + c.Name}, argv...)
}

// Power starts a cluster's control plane on its node.
func (s *Stage) power(c Cluster) error {
	return s.start(c.Name, s.people, c.in(filepath.Join(bin, "cluster"), "run", "--name", c.Name, "--address", c.address, "--data", c.data())...)
}

// StartClusters starts them and writes the administrator's kubeconfig, with the contexts that the docs use.
func (s *Stage) StartClusters() error {
	for _, cluster := range Clusters {
		if err := s.power(cluster); err != nil {
			return err
		}
	}
	for _, cluster := range Clusters {
		for start := time.Now(); !exists(cluster.admin()); time.Sleep(200 * time.Millisecond) {
			if time.Since(start) > 3*time.Minute {
				return fmt.Errorf("the cluster %s does not start; it said:\n%s", cluster.Name, s.lastLines(cluster.Name))
			}
		}
	}
	if err := s.writeKubeconfig(); err != nil {
		return err
	}
	if s.Liqo {
		return nil
	}
	for _, cluster := range Clusters {
		if err := s.kubectl("--context", cluster.Name, "apply", "--server-side", "-f", s.CRDs); err != nil {
			return err
		}
	}
	return nil
}

func (c Cluster) admin() string { return filepath.Join(c.data(), "admin.kubeconfig") }

// access is what a kubeconfig of the program cluster holds.
type access struct {
	Clusters []struct {
		Cluster struct {
			CA []byte `json:"certificate-authority-data"`
		}
	}
	Users []struct {
		User struct {
			Certificate []byte `json:"client-certificate-data"`
			Key         []byte `json:"client-key-data"`
		}
	}
}

func (c Cluster) access() (ca, certificate, key []byte, err error) {
	text, err := exec.Command(filepath.Join(bin, "kubectl"), "config", "view", "--raw", "-o", "json", "--kubeconfig", c.admin()).Output()
	if err != nil {
		return nil, nil, nil, err
	}
	var read access
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, nil, nil, err
	}
	return read.Clusters[0].Cluster.CA, read.Users[0].User.Certificate, read.Users[0].User.Key, nil
}

// Refuse has a cluster's API server refuse the connections of Argo CD, new ones and those that exist, as one does that is down.
func (s *Stage) Refuse(c Cluster) {
	s.refuse(c, managementAddress)
	s.Note("the API server of the %s refuses connections", c.Name)
}

// RefusePeer has a cluster's API server refuse the other cluster, which can then use it through the tunnel only.
func (s *Stage) RefusePeer(c, peer Cluster) {
	s.refuse(c, peer.address)
	s.Note("the API server of the %s refuses the nodes of the %s", c.Name, peer.Name)
}

func (s *Stage) refuse(c Cluster, from string) {
	s.must(run("nsenter", "--net=/run/netns/"+c.Name, "nft", "add table inet down; add chain inet down input { type filter hook input priority 0; }; "+
		"add rule inet down input ip saddr "+from+" tcp dport 6443 reject with tcp reset"))
}

// Admit ends what Refuse began.
func (s *Stage) Admit(c Cluster) {
	s.must(run("nsenter", "--net=/run/netns/"+c.Name, "nft", "delete table inet down"))
	s.Note("the API server of the %s is back", c.Name)
}

// CutTunnel has every packet lost that the consumer's gateway sends to a node port of the provider.
func (s *Stage) CutTunnel() {
	s.must(run("nsenter", "--net=/run/netns/"+Provider.Name, "nft", "add table inet cut; add chain inet cut prerouting "+
		"{ type filter hook prerouting priority raw; }; add rule inet cut prerouting udp dport 30000-32767 drop"))
	s.Note("the gateways' packets are lost")
}

// MendTunnel ends what CutTunnel began.
func (s *Stage) MendTunnel() {
	s.must(run("nsenter", "--net=/run/netns/"+Provider.Name, "nft", "delete table inet cut"))
	s.Note("the gateways' packets arrive")
}

// writeKubeconfig writes the contexts consumer and provider, and argocd, the current one.
func (s *Stage) writeKubeconfig() error {
	type object = map[string]any
	var clusters, users, contexts []any
	for _, cluster := range Clusters {
		ca, certificate, key, err := cluster.access()
		if err != nil {
			return err
		}
		clusters = append(clusters, object{"name": cluster.Name, "cluster": object{"server": cluster.server(), "certificate-authority-data": ca}})
		users = append(users, object{"name": cluster.Name, "user": object{"client-certificate-data": certificate, "client-key-data": key}})
		contexts = append(contexts, object{"name": cluster.Name, "context": object{"cluster": cluster.Name, "user": cluster.Name}})
	}
	contexts = append(contexts, object{"name": "argocd", "context": object{"cluster": Consumer.Name, "user": Consumer.Name, "namespace": "argocd"}})
	text, err := json.Marshal(object{
		"apiVersion": "v1", "kind": "Config", "current-context": "argocd", "clusters": clusters, "users": users, "contexts": contexts,
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(kubeconfig), 0o755); err != nil {
		return err
	}
	return os.WriteFile(kubeconfig, text, 0o600)
}

// Credential writes the kubeconfig with which the consumer uses a provider: a client certificate for a user.
func (s *Stage) Credential(c Cluster, user, file string) {
	text, err := exec.Command(filepath.Join(bin, "cluster"), "sign", "--name", c.Name, "--address", c.address,
		"--data", c.data(), "--user", user).Output()
	s.must(err)
	s.must(os.WriteFile(file, text, 0o600))
}

// register is a cluster's Secret in Argo CD, as its documentation of the declarative setup writes it.
func (c Cluster) register() (string, error) {
	ca, certificate, key, err := c.access()
	if err != nil {
		return "", err
	}
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf(`---
apiVersion: v1
kind: Secret
metadata: { name: cluster-%[1]s, namespace: argocd, labels: { argocd.argoproj.io/secret-type: cluster } }
stringData:
  name: %[1]s
  server: %[2]s
  config: '{"tlsClientConfig": {"caData": %[3]q, "certData": %[4]q, "keyData": %[5]q}}'
`, c.Name, c.server(), encode(ca), encode(certificate), encode(key)), nil
}

func (s *Stage) kubectl(args ...string) error {
	command := exec.Command(filepath.Join(bin, "kubectl"), args...)
	command.Env = s.people
	if text, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("kubectl %q: %w\n%s", args, err, text)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
