package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

var applicationSet = Step{
	Name: "The ApplicationSet does the same",
	Asserts: "A folder where argocd-app/applicationset.yaml looks for one, and the set makes both Applications of it. Both are Synced " +
		"and Healthy. The folder is excluded from the set, and both are deleted; after the set was deleted, too, nothing is left.",
	Run: func(s *stage.Stage) {
		begin(s, "Secret")
		sealCredential(s, setFolder)
		commit(s, "A peering for the set")
		revision := bySet(s)
		untilSynced(s, revision, apps...)
		s.Run("argocd appset get peerings -o wide")
		removeSet(s)
	},
}

// setFolder is where the ApplicationSet finds the peering of the scene's clusters.
const setFolder = "peerings/consumer/provider"

// bySet applies the ApplicationSet and waits until it has made the Applications. It returns the commit.
func bySet(s *stage.Stage) string {
	applyApplications(s, "~/argocd-peering/argocd-app/applicationset.yaml")
	return made(s)
}

// made waits until the ApplicationSet has made the Applications. It returns the commit.
func made(s *stage.Stage) string {
	lookAgain(s)
	s.Until("the set made "+bothApps, aMoment, func() (bool, string) {
		names, _ := s.Ask("kubectl -n argocd get applications -o name")
		return strings.Contains(names, consumerApp) && strings.Contains(names, providerApp), names
	})
	return head(s)
}

// drainSet drains the peering before its removal.
func drainSet(s *stage.Stage) {
	s.Edit(setFolder+"/peering.yaml", "\nspec:\n", "\nspec:\n  state: Drained\n")
	revision := commit(s, "Drain the peering")
	refresh(s)
	untilSynced(s, revision, apps...)
	empty(s, setFolder+"/peering.yaml")
}

// empty waits until the consumer has nothing at the provider any more, as docs/howto/take-down.md shows it. A credential that Git does
// not have stays, and the page says so.
func empty(s *stage.Stage, document string) {
	_, err := s.Ask("grep -q existingSecret " + document)
	keepsSecret := err == nil
	for _, command := range removalCommands(s, "docs/howto/take-down.md", "# the consumer has released everything") {
		if strings.HasPrefix(command, "kubectl") && !(keepsSecret && strings.Contains(command, " get secrets")) {
			released(s, command)
		}
	}
}

// removeSet excludes the folder from the set, which would make the Applications anew, and removes the peering.
func removeSet(s *stage.Stage) {
	const all = "- path: peerings/*/*"
	set := s.Read("argocd-app/applicationset.yaml")
	indentation := strings.Repeat(" ", 16)
	s.Holds(strings.Contains(set, indentation+all+"\n"), "the set has its folders", set)
	s.Write(strings.Replace(set, all, all+"\n"+indentation+"- path: "+setFolder+"\n"+indentation+"  exclude: true", 1), "applicationset.yaml")
	applyApplications(s, "~/applicationset.yaml")
	lookAgain(s)
	remove(s, setFolder)
	s.Run("kubectl -n argocd delete applicationset peerings")
}

// lookAgain has the set look at the repository. By itself it does so every three minutes, and even then from a cache.
func lookAgain(s *stage.Stage) {
	s.Run("kubectl -n argocd annotate applicationset peerings argocd.argoproj.io/application-set-refresh=true --overwrite")
	s.Until("the set has looked again", aMoment, func() (bool, string) {
		annotations, _ := s.Ask("kubectl -n argocd get applicationset peerings -o jsonpath='{.metadata.annotations}'")
		return !strings.Contains(annotations, "application-set-refresh"), annotations
	})
}
