package steps

import (
	"strings"
	"time"

	"argocd-peering.example/scene/stage"
)

// Adopt are the steps of another scene: a peering that runs already, and is not of this program's making.
var Adopt = []Step{describe, install, guide}

var guide = Step{
	Name: "The manifests of Liqo's guide, adopted",
	Asserts: "The manifests that Liqo's guide to Argo CD publishes, as they are but for the credential and the label of Pod " +
		"Security that these clusters ask for, are applied by hand, and the peering works. `import` makes the document of docs/howto/adopt-a-live-peering.md from both clusters, and its Applications take the " +
		"objects over: none is made again, no gateway restarts, and the tunnel stays up. Then it is drained and removed; where the slice's " +
		"Secret is made again and again, docs/teardown.md has the way out.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		const manifests = "~/argocd-peering/tests/guide/"
		s.Run("kubectl --context consumer create namespace demo --dry-run=client -o yaml | kubectl --context consumer apply -f -")
		// the namespaces come first by name; the credential of the guide's authors is a dummy
		s.Run("kubectl --context provider apply -f " + manifests + "provider && kubectl --context consumer apply -f " + manifests + "consumer")
		s.Run("kubectl --context consumer label namespace liqo-tenant-provider pod-security.kubernetes.io/enforce=privileged && " +
			"kubectl --context provider label namespace liqo-tenant-consumer pod-security.kubernetes.io/enforce=privileged")
		s.Credential("myuser", stage.Home+"/provider.kubeconfig")
		s.Run(`kubectl --context consumer -n liqo-tenant-provider patch secret cplane-secret --type=merge -p '{"data":{"kubeconfig":"'$(base64 -w0 ~/provider.kubeconfig)'"}}'`)
		tunnel(s)
		s.Run("kubectl --context consumer wait node test --for=create --timeout=2m && kubectl --context consumer wait node test --for=condition=Ready --timeout=2m")

		before := identities(s)
		s.Run("argocd-peering import --consumer-context consumer --provider-context provider --output " + setFolder)
		s.Run("cat " + setFolder + "/peering.yaml && argocd-peering validate " + setFolder)
		s.Run("argocd-peering diff " + setFolder + " --consumer-context consumer --provider-context provider || [ $? = 1 ]")
		commit(s, "The peering of the guide")
		untilSynced(s, bySet(s), apps...)
		after := identities(s)
		s.Holds(after == before, "no object was made again, and no Pod of a gateway", differences(before, after))
		tunnel(s)
		s.Edit(setFolder+"/peering.yaml", "\nspec:\n", "\nspec:\n  state: Drained\n")
		revision := commit(s, "Drain the peering")
		refresh(s)
		release(s)
		untilSynced(s, revision, apps...)
		// the guide's people made it
		s.Run("kubectl --context consumer delete namespace demo")
		removeSet(s)
	},
}

// release waits a minute for the slice to go, and then does what docs/teardown.md says of a slice whose Secret is always new.
func release(s *stage.Stage) {
	const slices = "kubectl --context consumer -n liqo-tenant-provider get resourceslices.authentication.liqo.io,virtualnodes.offloading.liqo.io -o name"
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(time.Second) {
		if left, err := s.Ask(slices); err == nil && left == "" {
			return
		}
	}
	s.Equals(slices, "resourceslice.authentication.liqo.io/test")
	for _, command := range s.Block("docs/teardown.md", "patch resourceslices.authentication.liqo.io SLICE") {
		s.Run(strings.ReplaceAll(command, "SLICE", "test"))
	}
}

// identities are the objects of both tenant namespaces with their UIDs, the gateways' Pods among them.
func identities(s *stage.Stage) string {
	text := ""
	for _, at := range []struct{ cluster, namespace string }{{"consumer", "liqo-tenant-provider"}, {"provider", "liqo-tenant-consumer"}} {
		text += s.Run("kubectl --context " + at.cluster + " -n " + at.namespace + " get configurations.networking.liqo.io,publickeies.networking.liqo.io," +
			"gatewayservers.networking.liqo.io,gatewayclients.networking.liqo.io,tenants.authentication.liqo.io,resourceslices.authentication.liqo.io," +
			"virtualnodes.offloading.liqo.io,secrets,rolebindings,pods -o custom-columns=KIND:.kind,NAME:.metadata.name,UID:.metadata.uid --no-headers")
	}
	return text
}
