package steps

import (
	"fmt"
	"strings"

	"argocd-peering.example/scene/stage"
)

// Fleet are the steps of another scene: three clusters, a consumer and two providers with a tunnel of their own.
var Fleet = []Step{describeFleet, install, fleet, fleetRemoved}

// fleetFolders has the folders and what differs between them. With direct connections the Pods' networks must not overlap.
var fleetFolders = []struct{ path, flags string }{
	{"consumer/provider", "--consumer-id consumer --consumer-pod-cidr 10.42.0.0/16 --provider-id provider --provider-pod-cidr 10.52.0.0/16 " +
		"--gateway-address 172.16.183.16 --liqo-version 1.2 --user consumer --cpu 1 --memory 1Gi"},
	{"consumer/third", "--like peerings/consumer/provider --consumer-id consumer --consumer-pod-cidr 10.42.0.0/16 --provider-id third " +
		"--provider-pod-cidr 10.62.0.0/16 --gateway-address 172.16.183.17 --user consumer --cpu 1 --memory 1Gi"},
	{"provider/third", "--like peerings/consumer/third --consumer-id provider --consumer-pod-cidr 10.52.0.0/16 --provider-id third"},
}

// fleetApps are those of the three folders, in the order in which they are deleted: the providers' first.
var fleetApps = []string{
	"consumer-provider-provider", "consumer-third-provider", "provider-third-provider",
	"consumer-provider-consumer", "consumer-third-consumer", "provider-third-consumer",
}

var describeFleet = Step{
	Name: "Folders of three clusters",
	Asserts: "docs/howto/add-a-cluster.md: `init --like` makes the folders of three clusters, two peerings and the tunnel between the providers, " +
		"and asks nothing where flags set everything. The credentials are sealed folder by folder.",
	Run: func(s *stage.Stage) {
		s.Run("git clone --quiet " + stage.RepoURL + " peerings")
		s.Run("mkdir -p ~/.config/argocd-peering && age-keygen -o ~/.config/argocd-peering/identity.txt 2>/dev/null && age-keygen -y ~/.config/argocd-peering/identity.txt > .age-recipients")
		for _, folder := range fleetFolders {
			path := "peerings/" + folder.path
			s.Run("argocd-peering init " + path + " " + folder.flags + " --no-applications --recipient $(cat .age-recipients) --repo " +
				stage.RepoURL + " --path " + path + " </dev/null")
		}
		// a tunnel and nothing else
		s.Run("sed -i '/^  authentication:/,$d' peerings/provider/third/peering.yaml")
		for _, provider := range []stage.Cluster{stage.Provider, stage.Third} {
			folder := "peerings/consumer/" + provider.Name
			s.Credential(provider, "consumer", stage.Home+"/"+provider.Name+".kubeconfig")
			s.Type("argocd-peering seal kubeconfig ~/"+provider.Name+".kubeconfig -o "+folder+"/kubeconfig.age "+
				"--project peering-consumer=consumer --recipients-file .age-recipients", map[string]string{"Type `yes`:": "yes"})
		}
		s.Edit("peerings/consumer/provider/peering.yaml", "  offloading:\n", "  offloading:\n    namespaces: [{ name: demo, create: true, clusters: all }]\n")
		s.Run("argocd-peering validate peerings && git add peerings && git commit --quiet -m 'Three clusters' && git push --quiet origin main")
	},
}

var fleet = Step{
	Name: "Three clusters",
	Asserts: "`rights` gives the projects of all three clusters, and the ApplicationSet makes six Applications. All are Synced and Healthy, the " +
		"three tunnels are Connected, and a Pod of one namespace runs at each provider. A Service with direct connections: each provider has " +
		"the other one's Pod in its EndpointSlice, by an address of their own tunnel.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		s.Run("kubectl -n argocd delete appprojects peering-consumer peering-provider")
		s.Run("argocd-peering rights peerings --repo " + stage.RepoURL + " | kubectl apply --server-side -f -")
		applyApplications(s, "~/argocd-peering/argocd-app/applicationset.yaml")
		untilSynced(s, head(s), fleetApps...)
		for _, cluster := range stage.Clusters {
			s.Until("both tunnels are Connected, as "+cluster.Name+" sees them", someMinutes, func() (bool, string) {
				status, _ := s.Ask("kubectl --context " + cluster.Name + " get connections.networking.liqo.io -A -o jsonpath='{.items[*].status.value}'")
				return status == "Connected Connected", status
			})
		}
		s.Run("kubectl --context consumer wait node provider third --for=create --timeout=2m && kubectl --context consumer wait node provider third --for=condition=Ready --timeout=2m")
		s.Run("kubectl --context consumer apply -f ~/argocd-peering/tests/scene/liqo/backend.yaml")
		for _, provider := range []stage.Cluster{stage.Provider, stage.Third} {
			s.Until("a Pod runs at "+provider.Name, someMinutes, func() (bool, string) {
				phase, _ := s.Ask("kubectl --context " + provider.Name + " -n demo-consumer get pods at-" + provider.Name + " -o jsonpath='{.status.phase}'")
				return phase == "Running", phase
			})
		}
		for _, at := range []struct{ own, other stage.Cluster }{{stage.Provider, stage.Third}, {stage.Third, stage.Provider}} {
			direct(s, at.own, at.other)
		}
	},
}

var fleetRemoved = Step{
	Name:    "The fleet is removed",
	Asserts: "The set is deleted without its Applications, then all Applications at once, and nothing is left on any of the three clusters.",
	Liqo:    true,
	Run: func(s *stage.Stage) {
		s.Run("kubectl --context consumer -n demo annotate service backend liqo.io/use-direct-connections-")
		s.Run("kubectl -n argocd delete applicationset peerings --cascade=orphan")
		deleteApps(s, fleetApps...)
	},
}

// direct waits until a provider has the other one's Pod in its EndpointSlice, by an address of the tunnel between them.
func direct(s *stage.Stage, own, other stage.Cluster) {
	network, err := s.Ask("kubectl --context " + own.Name + " -n liqo-tenant-" + other.Name + " get configurations.networking.liqo.io " + other.Name +
		" -o jsonpath='{.status.remote.cidr.pod[0]}'")
	parts := strings.Split(network, ".")
	s.Holds(err == nil && len(parts) == 4, fmt.Sprintf("%s sees the Pods of %s in %s", own.Name, other.Name, network), network)
	s.Until("the Service has the Pod of "+other.Name+" at "+own.Name+", by its own tunnel", someMinutes, func() (bool, string) {
		addresses, _ := s.Ask("kubectl --context " + own.Name + " -n demo-consumer get endpointslices -l kubernetes.io/service-name=backend " +
			"-o jsonpath='{.items[*].endpoints[*].addresses[*]}'")
		return strings.Contains(" "+addresses, " "+parts[0]+"."+parts[1]+"."), addresses
	})
	s.Run("kubectl --context " + own.Name + " -n demo-consumer get endpointslices -l kubernetes.io/service-name=backend")
}
