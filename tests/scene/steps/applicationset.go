package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

var applicationSet = Step{
	Name: "The ApplicationSet does the same",
	Asserts: "A folder where argocd-app/applicationset.yaml looks for one, and the set makes both Applications of it. Both are Synced " +
		"and Healthy. They are removed in the same two commits; after the set was deleted, too, nothing is left.",
	Run: func(s *stage.Stage) {
		const folder = "peerings/consumer/provider"
		s.Run("argocd-peering init " + folder + " --no-applications --name consumer-provider --consumer-id consumer --provider-id provider " +
			"--consumer-pod-cidr 10.42.0.0/16 --provider-pod-cidr 10.42.0.0/16 --liqo-version 1.2 --gateway-address 172.16.183.16 " +
			"--cpu 1 --memory 1Gi --project peering-consumer=consumer --project peering-provider=provider " +
			"--recipient $(age-keygen -y ~/identity.txt)")
		s.Type("argocd-peering seal kubeconfig ~/provider.kubeconfig -o "+folder+"/kubeconfig.age --project peering-consumer=consumer "+
			"--recipient $(age-keygen -y ~/identity.txt)", map[string]string{"Type `yes` if sealing on these ": "yes"})
		s.Edit(folder+"/peering.yaml", "credential: pending", "credential: { kubeconfig: { file: kubeconfig.age } }")
		commit(s, "A peering for the set")
		s.Run("kubectl apply -f ~/argocd-peering/argocd-app/applicationset.yaml")
		lookAgain(s)
		s.Until("the set made "+bothApps, aMoment, func() (bool, string) {
			names, _ := s.Ask("kubectl -n argocd get applications -o name")
			return strings.Contains(names, consumerApp) && strings.Contains(names, providerApp), names
		})
		untilSynced(s, head(s), apps...)
		s.Run("argocd appset get peerings -o wide")
		s.Edit(folder+"/peering.yaml", "\nspec:\n", "\nspec:\n  state: Drained\n")
		revision := commit(s, "Drain the peering")
		refresh(s)
		untilSynced(s, revision, apps...)
		remove(s, folder, func() {
			// else it may still generate, from a cached commit, what is deleted now, and take the finalizer away
			lookAgain(s)
		})
		s.Run("kubectl -n argocd delete applicationset peerings")
	},
}

// lookAgain has the set look at the repository. By itself it does so every three minutes, and even then from a cache.
func lookAgain(s *stage.Stage) {
	s.Run("kubectl -n argocd annotate applicationset peerings argocd.argoproj.io/application-set-refresh=true --overwrite")
	s.Until("the set has looked again", aMoment, func() (bool, string) {
		annotations, _ := s.Ask("kubectl -n argocd get applicationset peerings -o jsonpath='{.metadata.annotations}'")
		return !strings.Contains(annotations, "application-set-refresh"), annotations
	})
}
