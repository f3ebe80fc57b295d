package steps

import (
	"slices"
	"strings"
	"time"

	"argocd-peering.example/scene/stage"
)

var providerFirst = Step{
	Name: "The provider's Application is deleted first",
	Asserts: "The wrong order. A ResourceQuota `in-use` that is not this Application's is there: the deletion waits until somebody deletes it. " +
		"While the consumer uses the provider, the deletion waits before the first object, although it is confirmed; the transcript has what " +
		"the user sees. Without Liqo nothing is used, and `protection: confirm` holds it. The way back of docs/teardown.md keeps every object.",
	Run: func(s *stage.Stage) {
		before := written(s, apps...)
		const quota = "kubectl --context provider -n liqo-tenant-consumer"
		if s.Liqo {
			s.Run(quota + " create quota in-use --hard=resourcequotas=0")
			s.Run(quota + " wait --for=jsonpath='{.status.hard.resourcequotas}'=0 resourcequota/in-use")
		}
		s.Run("argocd app delete " + providerApp + " --yes")
		if s.Liqo {
			s.Run("argocd app confirm-deletion " + providerApp)
			untilSays(s, providerApp, "DeletionError", "exceeded quota: in-use")
			s.Run(quota + " delete resourcequota in-use")
			untilTree(s, providerApp, "ResourceQuota/in-use", "Progressing", "Waiting until the cluster consumer has released")
		}
		time.Sleep(20 * time.Second)
		s.Run("argocd app get " + providerApp + " --show-operation")
		s.Run("kubectl -n argocd get application " + providerApp + " -o jsonpath='{.metadata.deletionTimestamp} {.metadata.finalizers}'")
		untouched(s, before, apps...)
		s.Run("kubectl -n argocd patch application " + providerApp + ` --type=merge -p '{"metadata":{"finalizers":null}}'`)
		s.Holds(s.App(providerApp) == nil, "the Application is gone", "it is there")
		s.Run(quota + " delete resourcequota in-use")
		applyApplications(s, folder+"/application-provider.yaml")
		untilSynced(s, head(s), apps...)
		untouched(s, before, apps...)
	},
}

var wrongOrder = Step{
	Name: "The wrong order, confirmed",
	Asserts: "As before, and Argo CD lost the health check of ResourceQuotas, so that it does not wait. The provider's Application is deleted " +
		"first and somebody confirms it; a finalizer at its gateway stands for a deletion that " +
		"takes a while. Meanwhile the consumer is drained. The drain is held by Liqo's finalizers, and nothing on the consumer is " +
		"lost. The way back of docs/teardown.md frees it: the provider's " +
		"Application is applied again, and Liqo's replicator restarted if something is left. Then the peering is Active again, and a Pod runs at the provider.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		const finalizers = "kubectl --context provider -n liqo-tenant-consumer patch gatewayservers.networking.liqo.io wg-consumer --type=merge -p '{\"metadata\":{\"finalizers\":FINALIZERS}}'"
		const account = "kubectl --context consumer -n liqo-tenant-provider get serviceaccounts wg-provider -o jsonpath='{.metadata.uid}'"
		uid, err := s.Ask(account)
		s.Holds(err == nil && uid != "", "the consumer's gateway has a ServiceAccount of its own", uid)
		s.Run(strings.Replace(finalizers, "FINALIZERS", `["example.org/takes-a-while"]`, 1))
		s.Run(`kubectl -n argocd patch configmap argocd-cm --type=merge -p '{"data":{"resource.customizations.health.ResourceQuota":null}}'`)
		s.Run("argocd app delete " + providerApp + " --propagation-policy background --yes")
		s.Run("argocd app confirm-deletion " + providerApp)
		s.Until("the consumer's rights at the provider are gone", someMinutes, func() (bool, string) {
			left, err := s.Ask("kubectl --context provider -n liqo-tenant-consumer get rolebindings liqo-binding-liqo-remote-controlplane -o name --ignore-not-found")
			return err == nil && left == "", left
		})
		s.Run("argocd app get " + consumerApp + " | grep -E '^Sync Status|^Health'")
		s.Edit(documentFile, "\nspec:\n", "\nspec:\n  state: Drained\n")
		revision := commit(s, "Drain the peering, too late")
		s.Run("argocd app get " + consumerApp + " --refresh >/dev/null")
		const held = "waiting for deletion of offloading.liqo.io/NamespaceOffloading/offloading"
		untilOperation(s, consumerApp, held)
		time.Sleep(20 * time.Second)
		untilOperation(s, consumerApp, held)
		for _, command := range removalCommands(s, "docs/teardown.md", "# \"waiting for deletion of …\"") {
			if !strings.Contains(command, " logs ") { // there is no kubelet to ask
				s.Run(command)
			}
		}
		s.Run("kubectl --context consumer get nodes && kubectl --context consumer -n demo get pods")
		s.Run(strings.Replace(finalizers, "FINALIZERS", "null", 1))
		s.Until(providerApp+" is gone", someMinutes, func() (bool, string) {
			return s.App(providerApp) == nil, "it is there"
		})
		for _, command := range removalCommands(s, "docs/teardown.md", "apply -f FOLDER/application-provider.yaml") {
			if file, found := strings.CutPrefix(command, "kubectl apply -f FOLDER/"); found {
				applyApplications(s, folder+"/"+file)
				continue
			}
			s.Run(command)
		}
		if s.Run("kubectl --context consumer get namespaceoffloadings.offloading.liqo.io,resourceslices.authentication.liqo.io -A -o name 2>/dev/null") != "" {
			for _, command := range removalCommands(s, "docs/teardown.md", "rollout restart deployment liqo-crd-replicator") {
				s.Run(command)
			}
		}
		untilSynced(s, revision, apps...)
		empty(s, documentFile)
		// of one name with the virtual node, it would have gone with it, and the gateway's token with both
		s.Equals(account, uid)
		s.Run("git revert --no-edit HEAD >/dev/null && git push --quiet origin main")
		s.Run(apply(s, "health") + " | grep 'argocd-cm '")
		refresh(s)
		untilSynced(s, head(s), apps...)
		tunnel(s)
		offload(s)
	},
}

var drain = Step{
	Name: "The peering is drained",
	Asserts: "`state: Drained`. The commands of docs/howto/take-down.md show when it is done; the provider's " +
		"objects are not touched. The commit is reverted, and the peering is whole again.",
	Run: func(s *stage.Stage) {
		before := written(s, providerApp)
		s.Edit(documentFile, "\nspec:\n", "\nspec:\n  state: Drained\n")
		revision := commit(s, "Drain the peering")
		for _, command := range removalCommands(s, "docs/howto/take-down.md", "# the consumer has released everything") {
			if strings.HasPrefix(command, "argocd") {
				s.Run(command)
			} else if strings.HasPrefix(command, "kubectl") {
				released(s, command)
			}
		}
		refresh(s)
		untilSynced(s, revision, apps...)
		untouched(s, before, providerApp)
		s.Run("git revert --no-edit HEAD >/dev/null && git push --quiet origin main")
		refresh(s)
		untilSynced(s, head(s), apps...)
		if s.Liqo {
			tunnel(s)
			// Liqo aborted the Pod
			s.Run("kubectl --context consumer -n demo delete pod offloaded --force --ignore-not-found 2>/dev/null")
			offload(s)
		}
	},
}

// released waits until a command of docs/howto/take-down.md shows that nothing is left. The provider keeps the tenant's Namespace.
func released(s *stage.Stage, command string) {
	kept := ""
	if strings.Contains(command, "get namespaces") {
		kept = "liqo-tenant-consumer"
	}
	s.Until("`"+command+"` shows nothing more", someMinutes, func() (bool, string) {
		left, err := s.Ask(command + " --ignore-not-found -o name 2>/dev/null")
		left = strings.TrimPrefix(left, "namespace/")
		return err == nil && left == kept, left
	})
}

var removal = Step{
	Name: "The peering is removed",
	Asserts: "Both Applications are deleted while a Pod runs at the provider; the provider's waits for the consumer's. The folder is removed " +
		"from Git after that. Only the ForeignClusters are left; they are deleted, and nothing is left on either cluster.",
	Run: func(s *stage.Stage) { remove(s, folder) },
}

// remove deletes both Applications, and then the folder.
func remove(s *stage.Stage, folder string) {
	deleteApps(s, apps...)
	s.Run("git rm -r --quiet " + folder)
	commit(s, "Remove the peering")
}

// removalCommands are the commands of a page's block, with the names that the clusters have in the scene.
func removalCommands(s *stage.Stage, page, text string) (commands []string) {
	for _, command := range s.Block(page, text) {
		commands = append(commands, played(command))
	}
	return commands
}

// deleteApps deletes Applications with their objects, by the commands of docs/howto/take-down.md, and looks that nothing is left.
func deleteApps(s *stage.Stage, apps ...string) {
	for _, command := range removalCommands(s, "docs/howto/take-down.md", "argocd app confirm-deletion ") {
		switch {
		case strings.HasPrefix(command, "argocd app delete "):
			s.Run(strings.Replace(command, consumerApp+" "+providerApp, strings.Join(apps, " "), 1))
		case strings.Contains(command, consumerApp), strings.Contains(command, providerApp):
			for _, app := range apps {
				if strings.HasSuffix(app, "-consumer") == strings.Contains(command, consumerApp) {
					s.Run(strings.NewReplacer(consumerApp, app, providerApp, app).Replace(command))
				}
			}
		case strings.HasPrefix(command, "kubectl "):
			s.Run(command)
		}
	}
	for _, app := range apps {
		s.Holds(s.App(app) == nil, app+" is gone", "it is there")
	}
	for _, cluster := range stage.Clusters {
		// those of a fleet's other peerings
		s.Run("kubectl --context " + cluster.Name + " delete foreignclusters.core.liqo.io --all")
		left, err := s.Ask("kubectl --context " + cluster.Name + " get namespaces -o name")
		s.Holds(err == nil && !slices.ContainsFunc(strings.Fields(left), func(name string) bool {
			return name == "namespace/demo" || strings.HasPrefix(name, "namespace/liqo-tenant-")
		}), "no namespace of the peering is left on the "+cluster.Name, left)
		nothing(s, cluster, apps...)
	}
}

// nothing asks for every object that has a tracking id of the Applications, whatever its kind.
func nothing(s *stage.Stage, cluster stage.Cluster, apps ...string) {
	left, err := s.Ask("kubectl --context " + cluster.Name + " get -A -o json --ignore-not-found " +
		"$(kubectl --context " + cluster.Name + " api-resources --verbs=list -o name | grep -v -E 'argoproj.io|events|metrics' | paste -sd,)" +
		` | grep -oE '"argocd.argoproj.io/tracking-id": "(` + strings.Join(apps, "|") + `):[^"]*"' || true`)
	s.Holds(err == nil && left == "", "no object of the Applications is left on the "+cluster.Name, left)
}
