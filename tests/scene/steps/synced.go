package steps

import (
	"fmt"
	"strings"

	"argocd-peering.example/scene/stage"
)

var synced = Step{
	Name: "A commit, and both Applications",
	Asserts: "The folder is committed and the Applications that `init` wrote are applied. Both are Synced and Healthy after one " +
		"sync each, and have every object that the plugin prints.",
	Run: func(s *stage.Stage) {
		revision := commit(s, "Peering of consumer and provider")
		applyApplications(s, folder+"/application-consumer.yaml", folder+"/application-provider.yaml")
		untilSynced(s, revision, apps...)
		s.Run("argocd app list -o name")
		for _, name := range apps {
			s.Run("argocd app get " + name)
			app := s.App(name)
			s.Holds(len(app.Status.History) == 1, name+" was synced once", len(app.Status.History))
			role := name[strings.LastIndex(name, "-")+1:]
			printed, err := s.Ask("argocd-peering generate " + folder + " --local --identity-file ~/.config/argocd-peering/identity.txt --role " + role + " 2>/dev/null | grep -c ^kind:")
			s.Holds(err == nil && printed == fmt.Sprint(len(app.Status.Resources)), name+" has the "+printed+" objects of its stream",
				app.Status.Resources)
		}
	},
}
