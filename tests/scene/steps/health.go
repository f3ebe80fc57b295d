package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

const (
	heading = "    resourceSlices:\n"
	// second is a slice beside the one of the tutorial's document.
	second = "      - { name: second, resources: { cpu: \"1\", memory: 1Gi } }\n"
)

var healthDefault = Step{
	Name: "Health: the default pack",
	Asserts: "The tunnel carries no packets, and the consumer's liqo-crd-replicator is stopped. The Connection is Degraded and says " +
		"where to look, and with the ForeignCluster both Applications are Degraded. A commit with a second ResourceSlice is synced on both sides all the same, because no wave waits for the " +
		"other cluster: the slice, which nobody answers, is Healthy, and its message says that it is only stored. When packets cross the tunnel again, both Applications are Healthy.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		s.CutTunnel()
		scale(s, stage.Consumer, "liqo-crd-replicator", 0)
		untilTree(s, consumerApp, "Connection/gw-wg-provider", "Degraded", "The tunnel does not answer")
		untilTree(s, providerApp, "Connection/gw-wg-consumer", "Degraded", "The tunnel does not answer")
		untilSyncedAs(s, "Degraded", head(s), apps...)
		untilTree(s, consumerApp, "ForeignCluster/provider", "Degraded", "NetworkConnectionStatus is Error")
		s.Edit(documentFile, heading, heading+second)
		revision := commit(s, "A second slice")
		refresh(s)
		untilSyncedAs(s, "Degraded", revision, apps...)
		untilTree(s, consumerApp, "ResourceSlice/second", "Healthy", "Stored (Progressing): Waiting for the provider's answer")
		s.Run(tree(consumerApp) + " | grep -E '^Health|^KIND|Connection|ResourceSlice/|ForeignCluster'")
		s.MendTunnel()
		untilSynced(s, revision, apps...)
	},
}

var healthFull = Step{
	Name: "Health: the full pack",
	Asserts: "The pack that tells the full truth takes the default one's place, and nothing is restarted. The consumer's Application is " +
		"Progressing, with the slice's message, and a sync of it waits for the slice. When the replicator runs " +
		"again, the sync ends and everything is Healthy. Then the default pack is back, and the second slice is taken out.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		s.Run(apply(s, "health-full") + " | grep 'argocd-cm '")
		untilTree(s, consumerApp, "ResourceSlice/second", "Progressing", "Waiting for the provider's answer")
		s.Until(consumerApp+" is Progressing", aMoment, func() (bool, string) {
			health := s.App(consumerApp).Status.Health.Status
			return health == "Progressing", health
		})
		s.Run("argocd app sync " + consumerApp + " --async >/dev/null")
		untilOperation(s, consumerApp, "waiting for healthy state of authentication.liqo.io/ResourceSlice/second")
		s.Run("argocd app get " + consumerApp + " --show-operation | grep -E '^Health|^Phase|^Message|ResourceSlice'")
		scale(s, stage.Consumer, "liqo-crd-replicator", 1)
		untilSynced(s, head(s), apps...)
		untilTree(s, consumerApp, "Connection/gw-wg-provider", "Healthy", "The tunnel is up")
		s.Run(tree(consumerApp) + " | grep -E '^Health|^KIND|Connection|ResourceSlice/|VirtualNode|NamespaceOffloading'")
		tunnel(s)
		s.Run("git revert --no-edit HEAD >/dev/null && git push --quiet origin main")
		refresh(s)
		untilSynced(s, head(s), apps...)
		s.Run(apply(s, "health") + " | grep 'argocd-cm '")
	},
}

// tree is the command that shows an Application's objects and what became of them, with their health and its message. What
// Argo CD shows without a refresh can be the message of another time.
func tree(app string) string {
	return "argocd app get " + app + " --refresh --output tree=detailed"
}

// untilTree waits until the line of an object has these words.
func untilTree(s *stage.Stage, app, object string, words ...string) {
	s.Until(object+": "+strings.Join(words, ", "), someMinutes, func() (bool, string) {
		printed, _ := s.Ask(tree(app) + " | grep -F '" + object + "'")
		for _, word := range words {
			if !strings.Contains(printed, word) {
				return false, printed
			}
		}
		return true, ""
	})
}

// untilOperation waits until an Application's running operation says something.
func untilOperation(s *stage.Stage, app, text string) {
	s.Until(app+"'s operation says: "+text, someMinutes, func() (bool, string) {
		operation := s.App(app).Status.OperationState
		return operation.Phase == "Running" && strings.Contains(operation.Message, text), operation.Phase + " " + operation.Message
	})
}

// scale sets how many Pods a Deployment of Liqo has: none, or one that is ready.
func scale(s *stage.Stage, cluster stage.Cluster, deployment string, replicas int) {
	on := "kubectl --context " + cluster.Name + " -n liqo "
	s.Run(on + "scale deployment " + deployment + " --replicas=" + map[int]string{0: "0", 1: "1"}[replicas])
	s.Until(deployment+" is as it should be", someMinutes, func() (bool, string) {
		ready, _ := s.Ask(on + "get deployment " + deployment + " -o jsonpath='{.status.readyReplicas}'")
		pods, _ := s.Ask(on + "get pods -o name | grep -c /" + deployment + "- || true")
		return replicas == 1 && ready == "1" && pods == "1" || replicas == 0 && pods == "0", pods + " Pods, ready: " + ready
	})
}
