package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

var leastRights = Step{
	Name: "With no more rights than a peering needs",
	Asserts: "docs/howto/limit-rights.md: the accounts, Roles and AppProjects of `rights`, impersonation, and an account of Argo CD's own, from " +
		"`argocd cluster add`, that may only read and impersonate. Both Applications become Synced, a key is replaced, the peering is " +
		"removed.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		begin(s, "Secret")
		sealCredential(s, setFolder)
		s.Run("kubectl -n argocd delete appprojects peering-consumer peering-provider")
		const page = "docs/howto/limit-rights.md"
		for _, command := range s.Block(page, "argocd-peering rights peerings --cluster rome") {
			s.Run(strings.NewReplacer("rome", "consumer", "milan", "provider").Replace(command))
		}
		for _, command := range s.Block(page, "application.sync.impersonation.enabled") {
			s.Run(command)
		}
		// as a person who has not declared them
		s.Run("kubectl -n argocd delete secrets cluster-consumer cluster-provider")
		for _, cluster := range stage.Clusters {
			s.Run("argocd cluster add " + cluster.Name + " --name " + cluster.Name + " --upsert --yes 2>&1 | grep -v level=")
			for _, command := range s.Block(page, "patch clusterrole argocd-manager-role") {
				s.Run(strings.ReplaceAll(command, "--context rome", "--context "+cluster.Name))
			}
		}
		for _, cluster := range stage.Clusters {
			may, _ := s.Ask("kubectl --context " + cluster.Name + " auth can-i create secrets -n kube-system --as system:serviceaccount:kube-system:argocd-manager")
			s.Holds(may == "no", "Argo CD's own account may write nothing on the "+cluster.Name, may)
		}
		revision := commit(s, "With few rights")
		bySet(s)
		untilSynced(s, revision, apps...)
		reached(s)
		rotateBy(s, "provider", func() {})
		untilSynced(s, head(s), apps...)
		reached(s)
		removeSet(s)
	},
}
