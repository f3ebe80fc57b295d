package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

var applicationSet = Step{
	Name: "The ApplicationSet does the same",
	Asserts: "The folder comes back, and argocd-app/applicationset.yaml makes both Applications of it. Both are Synced and Healthy. They " +
		"are removed in the same two commits; after the set was deleted, too, nothing is left.",
	Run: func(s *stage.Stage) {
		s.Run("git revert --no-edit HEAD HEAD^ >/dev/null && git push --quiet origin main")
		s.Run("kubectl apply -f ~/argocd-peering/argocd-app/applicationset.yaml")
		lookAgain(s)
		s.Until("the set made "+bothApps, aMoment, func() (bool, string) {
			names, _ := s.Ask("kubectl -n argocd get applications -o name")
			return strings.Contains(names, consumerApp) && strings.Contains(names, providerApp), names
		})
		untilSynced(s, head(s), apps...)
		s.Run("argocd appset get peerings -o wide")
		s.Edit(documentFile, "\nspec:\n", "\nspec:\n  state: Drained\n")
		revision := commit(s, "Drain the peering")
		refresh(s)
		untilSynced(s, revision, apps...)
		remove(s, func() {
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
