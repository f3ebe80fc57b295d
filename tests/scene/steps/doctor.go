package steps

import (
	"fmt"
	"strings"
	"time"

	"argocd-peering.example/scene/stage"
)

const bothContexts = " --consumer-context consumer --provider-context provider"

var whatIsWrong = Step{
	Name: "What is wrong here",
	Asserts: "`doctor` sees that Liqo's fabric does not run in this scene, and nothing else. With what the fabric would write, it finds nothing " +
		"to look at. Then faults are made on the two clusters, one after the other, and " +
		"its first finding is each time the one that was made: a port that is dropped, another key, a label that is missing, another " +
		"network, the webhook and the replicator that are down, another MTU, a NetworkPolicy, a second key " +
		"Secret, a missing RoleBinding, an expired certificate, a context of another cluster. After each cure nothing is wrong.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		finds(s, "error[internal-node]: consumer: ")
		writeForFabric(s)
		s.Run("argocd-peering doctor " + folder + bothContexts + " --argocd-context argocd --wait 3m 2>/dev/null")
		// what is changed by hand here, Argo CD would change back
		for _, app := range apps {
			s.Run("argocd app set " + app + " --sync-policy none")
		}
		for _, fault := range faults {
			fault.make(s)
			finds(s, fault.headline)
			fault.mend(s)
			s.Run("argocd-peering doctor " + folder + bothContexts + " --wait 5m 2>/dev/null | tail -2")
		}
		for _, app := range apps {
			s.Run("argocd app set " + app + " --sync-policy automated --auto-prune --self-heal")
		}
		refresh(s)
		untilSynced(s, head(s), apps...)
	},
}

// writeForFabric writes what Liqo's fabric, which cannot run here, would write.
func writeForFabric(s *stage.Stage) {
	for _, cluster := range stage.Clusters {
		s.Run("kubectl --context " + cluster.Name + " patch internalnodes.networking.liqo.io " + cluster.Name + "-node --subresource=status --type=merge " +
			"-p '{\"status\":{\"nodeIP\":{\"local\":\"192.0.2.1\",\"remote\":\"192.0.2.1\"}}}'")
	}
}

// A fault is what a person or the world does to two clusters, and what doctor then says first.
type fault struct {
	headline   string
	make, mend func(*stage.Stage)
}

var faults = []fault{
	{
		"error[connection]: ",
		(*stage.Stage).CutTunnel,
		(*stage.Stage).MendTunnel,
	},
	{
		"error[keys]: consumer: ",
		func(s *stage.Stage) {
			patch(s, "provider", "consumer", "publickeies.networking.liqo.io gw-publickey", `{"spec":{"publicKey":"ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A="}}`)
		},
		sync,
	},
	{
		"error[different]: consumer: Identity ",
		func(s *stage.Stage) {
			s.Run("kubectl --context consumer -n liqo-tenant-provider label identities.authentication.liqo.io controlplane-provider liqo.io/remote-cluster-id-")
		},
		sync,
	},
	{
		"error[networks]: provider: Network ",
		func(s *stage.Stage) {
			s.Run("sed -i '/^  provider:/,/externalCIDR/ s#externalCIDR: .*#externalCIDR: 10.99.0.0/16#' " + documentFile)
		},
		func(s *stage.Stage) { s.Run("git checkout --quiet " + documentFile) },
	},
	{
		"error[liqo-down]: consumer: Deployment liqo/liqo-webhook: ",
		func(s *stage.Stage) { scale(s, stage.Consumer, "liqo-webhook", 0) },
		func(s *stage.Stage) { scale(s, stage.Consumer, "liqo-webhook", 1) },
	},
	{
		"error[liqo-down]: consumer: Deployment liqo/liqo-crd-replicator: ",
		func(s *stage.Stage) { scale(s, stage.Consumer, "liqo-crd-replicator", 0) },
		func(s *stage.Stage) { scale(s, stage.Consumer, "liqo-crd-replicator", 1) },
	},
	{
		"error[different]: consumer: GatewayClient ",
		func(s *stage.Stage) {
			patch(s, "consumer", "provider", "gatewayclients.networking.liqo.io wg-provider", `{"spec":{"mtu":1400}}`)
		},
		sync,
	},
	{
		"warning[network-policy]: provider: NetworkPolicy ",
		func(s *stage.Stage) {
			// no network plugin runs here, so what it would drop is dropped for it
			s.Run("kubectl --context provider -n liqo-tenant-consumer create -f - <<'END'\n" +
				"{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: deny}, spec: {podSelector: {}, policyTypes: [Ingress]}}\nEND")
			s.CutTunnel()
		},
		func(s *stage.Stage) {
			s.Run("kubectl --context provider -n liqo-tenant-consumer delete networkpolicy deny")
			s.MendTunnel()
		},
	},
	{
		"error[several]: provider: Secret ",
		func(s *stage.Stage) {
			s.Run("kubectl --context provider -n liqo-tenant-consumer create secret generic another && " +
				"kubectl --context provider -n liqo-tenant-consumer label secret another networking.liqo.io/gateway-resource=true liqo.io/remote-cluster-id=consumer")
		},
		func(s *stage.Stage) {
			s.Run("kubectl --context provider -n liqo-tenant-consumer delete secret another")
		},
	},
	{
		"error[missing]: provider: RoleBinding ",
		func(s *stage.Stage) {
			s.Run("kubectl --context provider -n liqo-tenant-consumer delete rolebinding liqo-binding-liqo-remote-controlplane")
		},
		sync,
	},
	{
		"error[liqo-certificate]: consumer: Identity liqo-tenant-provider/expired: ",
		func(s *stage.Stage) {
			s.Run("kubectl --context consumer create -f - <<'END'\n" + expired + "END")
		},
		func(s *stage.Stage) {
			s.Run("kubectl --context consumer -n liqo-tenant-provider delete identities.authentication.liqo.io expired")
		},
	},
	{
		"error[another-cluster]: consumer: ",
		func(s *stage.Stage) {
			s.Run("kubectl --context consumer -n liqo patch configmap liqo-clusterid-configmap -p '{\"data\":{\"CLUSTER_ID\":\"oslo\"}}'")
		},
		func(s *stage.Stage) {
			s.Run("kubectl --context consumer -n liqo patch configmap liqo-clusterid-configmap -p '{\"data\":{\"CLUSTER_ID\":\"consumer\"}}'")
		},
	},
}

// expired is an Identity as Liqo has one for a slice, with a certificate that ended on 1 January 2021.
const expired = `apiVersion: authentication.liqo.io/v1beta1
kind: Identity
metadata:
  name: expired
  namespace: liqo-tenant-provider
  labels: { liqo.io/remote-cluster-id: provider }
spec:
  clusterID: provider
  type: ResourceSlice
  namespace: liqo-tenant-provider
  authParams:
    apiServer: https://192.0.2.1:6443
    signedCRT: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSCtNSUd4QWhSTXd0MjlKZmRxWkpwbDdiNlIxTFk3K3pWNnVEQUZCZ01yWlhBd0lqRU5NQXNHQTFVRUNnd0UKY205dFpURVJNQThHQTFVRUF3d0ljSEp2ZG1sa1pYSXdIaGNOTWpBd01UQXhNREF3TURBd1doY05NakV3TVRBeApNREF3TURBd1dqQWlNUTB3Q3dZRFZRUUtEQVJ5YjIxbE1SRXdEd1lEVlFRRERBaHdjbTkyYVdSbGNqQXFNQVVHCkF5dGxjQU1oQU1Wd2UweVRmZlF5VnhsOUhXOURDVHA1NEwyaEZiSDY1NWRlYk9welJLanhNQVVHQXl0bGNBTkIKQUJoa3d2M3ZpUGtpa2xjNkMrak5BRWJBNmNLUzdZNFc0QnJYa3J6cTlpMWFPSUgraU5HWXErSGlNajdJaHE0UAo2NWtvV2VBTytQL1dpQWIwcnJHRndRRT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=
`

func patch(s *stage.Stage, context, peer, object, change string) {
	s.Run(fmt.Sprintf("kubectl --context %s -n liqo-tenant-%s patch %s --type=merge -p '%s'", context, peer, object, change))
}

// sync brings both clusters back to what Git has.
func sync(s *stage.Stage) {
	for _, app := range apps {
		s.Run("argocd app sync " + app + " --prune >/dev/null")
	}
}

// finds waits until doctor's first finding is this one, and shows what it then prints.
func finds(s *stage.Stage, headline string) {
	doctor := "argocd-peering doctor " + folder + bothContexts + " 2>/dev/null"
	s.Until("the first finding of doctor is "+headline, 3*time.Minute, func() (bool, string) {
		printed, _ := s.Ask(doctor + " || true")
		_, first, _ := strings.Cut(printed, "\n\n")
		return strings.HasPrefix(first, headline), printed
	})
	s.Run(doctor + " || true")
}
