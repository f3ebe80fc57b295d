package steps

import "argocd-peering.example/scene/stage"

// Pair are the steps of another scene: each cluster has a release of Liqo of its own, and the document the lower one.
func Pair(liqoVersion string) []Step {
	return []Step{
		{
			Name:    "Describe a peering with a sealed kubeconfig",
			Asserts: "`init` and `seal kubeconfig`, because exchanged keys are for Liqo 1.2 and newer.",
			Run:     func(s *stage.Stage) { describePeering(s, liqoVersion, false) },
		},
		install,
		{
			Name:    "One commit, and both Applications",
			Asserts: "Both are Synced and Healthy, so their ForeignClusters are.",
			Liqo:    true,
			Run: func(s *stage.Stage) {
				revision := commit(s, "Peering of consumer and provider")
				applyApplications(s, folder+"/application-consumer.yaml", folder+"/application-provider.yaml")
				untilSynced(s, revision, apps...)
			},
		},
		{
			Name: "A ping, a slice, a pod",
			Asserts: "A ping crosses the tunnel, the slice is accepted twice, and a Pod of the offloaded namespace runs at the provider. " +
				"`doctor` finds no error.",
			Liqo: true,
			Run: func(s *stage.Stage) {
				tunnel(s)
				// before 1.2 WireGuard in userspace has an MTU of 1420, whatever the document says (liqo 1.1.2
				// pkg/gateway/tunnel/wireguard/netlink.go)
				printed, err := ping(s, 1000)
				s.Holds(err == nil, "a ping crosses the tunnel", printed)
				offload(s)
				s.Equals("kubectl --context consumer -n liqo-tenant-provider get resourceslices.authentication.liqo.io provider "+
					"-o jsonpath='{.status.conditions[*].status}'", "Accepted Accepted")
				writeForFabric(s)
				s.Run("argocd-peering doctor " + folder + bothContexts + " --argocd-context argocd 2>/dev/null")
			},
		},
	}
}
