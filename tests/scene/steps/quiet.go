package steps

import (
	"argocd-peering.example/scene/stage"
)

var quiet = Step{
	Name:    "Nothing changes by itself",
	Asserts: "Ten refreshes, two of them hard, and a second sync of each Application write nothing to either cluster.",
	Run: func(s *stage.Stage) {
		before := written(s, apps...)
		s.Run("for i in 1 2 3 4 5 6 7 8; do for app in " + consumerApp + " " + providerApp + "; do argocd app get $app --refresh >/dev/null; done; done")
		s.Run("for i in 1 2; do for app in " + consumerApp + " " + providerApp + "; do argocd app get $app --hard-refresh >/dev/null; done; done")
		untouched(s, before, apps...)
		for _, app := range apps {
			s.Run("argocd app sync " + app + " >/dev/null && argocd app wait " + app + " --sync --health --operation >/dev/null")
		}
		untilSynced(s, head(s), apps...)
		untouched(s, before, apps...)
	},
}
