package steps

import (
	"fmt"
	"strings"

	"argocd-peering.example/scene/stage"
)

var synced = Step{
	Name: "Two commits, and both Applications",
	Asserts: "The folder is committed and the Applications that `init` wrote are applied. Both are Synced after one sync each. The provider " +
		"has signed, and the tutorial's second commit carries the certificate to the consumer. Both are Synced and Healthy, and have every " +
		"object that the plugin prints. Without Liqo there is a sealed kubeconfig, and one commit.",
	Run: func(s *stage.Stage) {
		revision := commit(s, "Peering of consumer and provider")
		applyApplications(s, folder+"/application-consumer.yaml", folder+"/application-provider.yaml")
		if s.Liqo {
			untilSyncedAs(s, "", revision, apps...)
		} else {
			untilSynced(s, revision, apps...)
		}
		s.Run("argocd app list -o name")
		for _, name := range apps {
			s.Run("argocd app get " + name)
			history := s.App(name).Status.History
			s.Holds(len(history) == 1, name+" was synced once", len(history))
		}
		if s.Liqo {
			carry(s)
		}
		for _, name := range apps {
			app := s.App(name)
			role := name[strings.LastIndex(name, "-")+1:]
			// the hook is made when the Application is deleted
			printed, err := s.Ask("argocd-peering generate " + folder + " --local --identity-file ~/.config/argocd-peering/identity.txt --role " + role + " 2>/dev/null | grep ^kind: | grep -vc ResourceQuota")
			s.Holds(err == nil && printed == fmt.Sprint(len(app.Status.Resources)), name+" has the "+printed+" objects of its stream",
				app.Status.Resources)
		}
	},
}

// carry takes what the provider has signed to the consumer, by the commands of the tutorial.
func carry(s *stage.Stage) {
	const signed = "kubectl --context provider -n liqo-tenant-consumer get tenants.authentication.liqo.io consumer -o jsonpath='{.status.authParams.signedCRT}'"
	s.Until("the provider has signed", someMinutes, func() (bool, string) {
		certificate, _ := s.Ask(signed)
		return certificate != "", certificate
	})
	commands := s.Block("docs/tutorial.md", "argocd-peering authenticate provider ")
	s.Type(played(commands[0]), map[string]string{"Type `yes`:": "yes"})
	for _, command := range commands[1:] {
		s.Run(played(command))
	}
	untilSynced(s, head(s), apps...)
	for _, name := range apps {
		s.Run("argocd app get " + name)
	}
}
