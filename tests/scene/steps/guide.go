package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

// Adopt are the steps of another scene: a peering that runs already, and is not of this program's making.
var Adopt = []Step{describe, install, guide}

// guideApps are the Applications of the guide, in the order of its phases.
var guideApps = []string{"net-local", "net-remote", "auth-remote", "auth-local", "off-local"}

var guide = Step{
	Name: "Liqo's guide, adopted",
	Asserts: "The repository of Liqo's guide to Argo CD, with a commit of its reader's: the credential, and the label of Pod Security that " +
		"these clusters ask for. Its five Applications, applied as they are, make a peering that works. `import` makes the document " +
		"of docs/howto/adopt-a-live-peering.md from both clusters and names the Applications. They are deleted as `explain other-owner` says, and those " +
		"of the document take the objects over: none is made again, no gateway restarts, and the tunnel stays up. Then it is drained and removed.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		const apply = "kubectl apply -f ~/peering-guide/argocd-app/"
		s.Run("kubectl --context consumer create namespace demo")
		s.Guide()
		s.Credential(stage.Provider, "myuser", stage.Home+"/provider.kubeconfig")
		s.Run("git clone --quiet " + stage.GuideURL + " ~/peering-guide && cd ~/peering-guide\n" +
			`sed -i 's|^  kubeconfig: .*|  kubeconfig: '$(base64 -w0 ~/provider.kubeconfig)'|' auth-local/01-identity.yaml` + "\n" +
			`sed -i 's|^  labels:.*|&\n    pod-security.kubernetes.io/enforce: privileged|' net-*/00-tenant-namespace.yaml` + "\n" +
			"git commit --quiet --all --message 'Our credential, and the label that our clusters ask for' && git push --quiet")
		s.Run(apply + "net-local.yaml -f ~/peering-guide/argocd-app/net-remote.yaml")
		for _, app := range guideApps[:2] { // the others are automated
			s.Run("argocd app sync " + app + " >/dev/null")
		}
		tunnel(s)
		for _, app := range guideApps[2:] {
			s.Run(apply + app + ".yaml && argocd app wait " + app + " --sync --health --timeout 120 >/dev/null")
		}
		s.Run("kubectl --context consumer wait node test --for=create --timeout=2m && kubectl --context consumer wait node test --for=condition=Ready --timeout=2m")

		before := identities(s)
		notes := s.Run("argocd-peering import --consumer-context consumer --provider-context provider --output " + setFolder)
		for _, app := range guideApps {
			// annotations of Secrets are not read
			named := strings.Contains(notes, "the Application `"+app+"` has ")
			s.Holds(named == (app != "auth-local"), "`import` names the Application "+app+", unless it has a Secret only", notes)
		}
		s.Run("cat " + setFolder + "/peering.yaml && argocd-peering validate " + setFolder)
		s.Run("argocd-peering diff " + setFolder + " --consumer-context consumer --provider-context provider || [ $? = 1 ]")
		leaves := s.Inline("src/object/live/checks/other-owner.md", "argocd app delete ")
		for _, app := range guideApps {
			s.Run(strings.ReplaceAll(leaves, "net-local", app) + " --yes")
			s.Holds(s.App(app) == nil, app+" is gone", "it is there")
		}
		commit(s, "The peering of the guide")
		untilSynced(s, bySet(s), apps...)
		after := identities(s)
		s.Holds(after == before, "no object was made again, and no Pod of a gateway", differences(before, after))
		tunnel(s)
		drainSet(s)
		// the guide's people made it
		s.Run("kubectl --context consumer delete namespace demo")
		removeSet(s)
	},
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
