package steps

import (
	"argocd-peering.example/scene/stage"
)

var change = Step{
	Name: "A change arrives on both clusters",
	Asserts: "One commit changes the provider's pod CIDR and the gateway's node port. The consumer's Configuration and GatewayClient " +
		"and the provider's GatewayServer have the new values; both Applications sync once.",
	Run: func(s *stage.Stage) {
		synced := map[string]int{}
		for _, app := range apps {
			synced[app] = len(s.App(app).Status.History)
		}
		port := nextPort(s)
		text, err := s.Ask("grep -n 10.42.0.0 " + documentFile + " | cut -d: -f1 | tail -1")
		s.Holds(err == nil, "the provider's pod CIDR is the second", text)
		// not what the old one is mapped to, 10.43.0.0/16: docs/troubleshooting.md
		s.Run("sed -i '" + text + "s/10.42.0.0/10.44.0.0/' " + documentFile)
		s.Run("git diff --unified=0 --no-color | grep '^[-+]'")
		revision := commit(s, "The provider has other pods and another port")
		refresh(s)
		untilSynced(s, revision, apps...)
		s.Equals("kubectl --context consumer -n liqo-tenant-provider get configurations.networking.liqo.io provider -o jsonpath='{.spec.remote.cidr.pod[0]}'", "10.44.0.0/16")
		s.Equals("kubectl --context consumer -n liqo-tenant-provider get gatewayclients.networking.liqo.io wg-provider -o jsonpath='{.spec.endpoint.port}'", port)
		if s.Liqo {
			s.Equals("kubectl --context consumer -n liqo-tenant-provider get configurations.networking.liqo.io provider -o jsonpath='{.status.remote.cidr.pod[0]}'", "10.44.0.0/16")
		}
		listensAt(s, port)
		for _, app := range apps {
			count := len(s.App(app).Status.History)
			s.Holds(count == synced[app]+1, app+" was synced once for it", count-synced[app])
		}
	},
}
