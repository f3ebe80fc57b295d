package steps

import (
	"argocd-peering.example/scene/stage"
)

var broken = Step{
	Name: "A broken commit touches nothing",
	Asserts: "A commit with a CIDR that has host bits set. Both Applications have a condition with the plugin's message, which says " +
		"what to write instead; both clusters stay as they are. The commit that mends it is synced.",
	Run: func(s *stage.Stage) {
		before := written(s, apps...)
		s.Edit(documentFile, "10.44.0.0/16", "10.44.3.0/16")
		s.Fails("argocd-peering validate peerings")
		commit(s, "A mistake")
		refresh(s)
		for _, app := range apps {
			untilSays(s, app, "ComparisonError", "cidr-host-bits", "the network is `10.44.0.0/16`", "peering.yaml:")
		}
		s.Run("argocd app get " + consumerApp)
		untouched(s, before, apps...)
		s.Run("git revert --no-edit HEAD >/dev/null && git push --quiet origin main")
		refresh(s)
		untilSynced(s, head(s), apps...)
		untouched(s, before, apps...)
	},
}
