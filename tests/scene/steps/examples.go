package steps

import (
	"regexp"
	"strings"

	"argocd-peering.example/scene/stage"
)

var leafToLeaf = Step{
	Name: "An example: leaf to leaf",
	Asserts: "The document of examples/leaf-to-leaf, for the scene's clusters: a tunnel and nothing else. Both Applications are Synced and " +
		"Healthy, and the tunnel is Connected. What it is for takes a third cluster: `tests/scene/run --fleet`.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		write(s, "leaf-to-leaf", example(s, "leaf-to-leaf", "turin", "consumer", "asti", "provider", "10.62.", "10.42.", "10.52.", "10.42.", "10.80.", "10.70.", "10.90.", "10.70."))
		untilSynced(s, bySet(s), apps...)
		s.Run("kubectl --context consumer -n liqo-tenant-provider get secrets,configurations.networking.liqo.io,gatewayclients.networking.liqo.io -o name")
		tunnel(s)
		removeSet(s)
	},
}

var inBand = Step{
	Name: "An example: in-band",
	Asserts: "The document of examples/in-band, for the scene's clusters, in its two commits. The consumer has the gateway's port and the " +
		"provider dials. The provider's API server refuses the consumer's node, so only the tunnel leads to it, and Liqo's own " +
		"proxy. With the address that the example's commands give, the slice is Accepted, the virtual Node Ready, and a Pod runs. " +
		"The removal goes through the tunnel as well. A wire stands for Geneve.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		document := example(s, "in-band", "palermo", "consumer", "catania", "provider", "10.52.", "10.42.", "10.80.0.0", "10.70.0.0", "198.51.100.7", "172.16.183.15")
		first, _, found := strings.Cut(document, "\n  offloading:")
		s.Holds(found && strings.Contains(first, "proxyURL: http://10.80.0.2:8118"), "the example offloads, and has a proxy", document)
		first = regexp.MustCompile(`(?m)^    (proxyURL|credential): .*\n?`).ReplaceAllString(first, "") + "    credential: pending\n"
		write(s, "in-band", first)
		untilSynced(s, bySet(s), apps...)
		tunnel(s)
		s.Wire()
		s.RefusePeer(stage.Provider, stage.Consumer)
		proxy := strings.TrimSpace(s.Run("kubectl --context provider -n liqo get ips.ipam.liqo.io api-server-proxy -o jsonpath={.status.ip}"))
		external := s.Run("kubectl --context consumer -n liqo-tenant-provider get configurations.networking.liqo.io provider -o jsonpath={.status.remote.cidr.external[0]}")
		parts, seen := strings.Split(proxy, "."), strings.Split(external, ".")
		s.Holds(len(parts) == 4 && len(seen) == 4, "both are there", proxy+" "+external)
		address := strings.Join([]string{seen[0], seen[1], parts[2], parts[3]}, ".")
		sealCredential(s, setFolder)
		s.Write(strings.Replace(document, "//10.80.0.2", "//"+address, 1), "peerings", setFolder, "peering.yaml")
		s.Run("git diff --unified=0 --no-color " + setFolder + " | grep '^[-+]'")
		revision := commit(s, "In-band")
		refresh(s)
		untilSynced(s, revision, apps...)
		s.Until("the slice is Accepted", someMinutes, func() (bool, string) {
			status, _ := s.Ask("kubectl --context consumer -n liqo-tenant-provider get resourceslices.authentication.liqo.io -o jsonpath='{.items[*].status.conditions[*].status}'")
			return status == "Accepted Accepted", status
		})
		s.Run("kubectl --context consumer -n liqo-tenant-provider get secrets -l liqo.io/identity-type=ControlPlane -o jsonpath='{.items[0].data.kubeconfig}' | base64 -d | grep -E 'server:|proxy-url:'")
		offload(s)
		removeSet(s)
		s.Admit(stage.Provider)
	},
}

// example is the document of an example, with other words: those of the scene's clusters.
func example(s *stage.Stage, name string, words ...string) string {
	return strings.NewReplacer(append(words, "../../docs/", "../../")...).Replace(s.Read("examples/" + name + "/peering.yaml"))
}

// write commits a document where the ApplicationSet looks for one, with a new seed.
func write(s *stage.Stage, name, document string) {
	s.Write(document, "peerings", setFolder, "peering.yaml")
	s.Type("argocd-peering seed new "+setFolder+"/peering.seed.age --project peering-consumer=consumer --project peering-provider=provider "+
		"--recipient $(age-keygen -y ~/.config/argocd-peering/identity.txt)", map[string]string{"Type `yes`:": "yes"})
	s.Run("argocd-peering validate peerings")
	commit(s, "The example "+name)
}

// sealCredential seals a kubeconfig that the provider's people have sent, with further flags.
func sealCredential(s *stage.Stage, folder string, flags ...string) {
	s.Credential(stage.Provider, "consumer", stage.Home+"/provider.kubeconfig")
	s.Type("argocd-peering seal kubeconfig ~/provider.kubeconfig -o "+folder+"/kubeconfig.age --project peering-consumer=consumer "+
		strings.Join(append(flags, ""), " ")+"--recipient $(age-keygen -y ~/.config/argocd-peering/identity.txt)", map[string]string{"Type `yes`:": "yes"})
}
