package steps

import (
	"strings"
	"time"

	"argocd-peering.example/scene/stage"
)

const (
	hardRefresh = "argocd app get " + consumerApp + " --hard-refresh >/dev/null || true"
	pluginFile  = "/home/argocd/cmp-server/config/plugin.yaml"
)

func hardRefreshAll(s *stage.Stage) {
	for _, app := range apps {
		s.Run("argocd app get " + app + " --hard-refresh >/dev/null || true")
	}
}

var sidecarDown = Step{
	Name: "The sidecar is down",
	Asserts: "The sidecar is killed. A hard refresh shows an error that names the plugin's socket, and nothing is written. When it " +
		"runs again, a hard refresh is enough.",
	Run: func(s *stage.Stage) {
		before := written(s, apps...)
		s.Stop("sidecar")
		s.Run(hardRefresh)
		untilSays(s, consumerApp, "ComparisonError")
		s.Run("argocd app get " + consumerApp)
		untouched(s, before, apps...)
		s.Restart("sidecar")
		s.Run(hardRefresh)
		untilSynced(s, head(s), apps...)
		untouched(s, before, apps...)
	},
}

var wrongPlugin = Step{
	Name:    "An Application names another plugin",
	Asserts: "An Application with a wrong `plugin.name` says that no such plugin is found, and nothing is written.",
	Run: func(s *stage.Stage) {
		before := written(s, apps...)
		name := "kubectl -n argocd patch application " + consumerApp + " --type=merge -p '{\"spec\":{\"source\":{\"plugin\":{\"name\":\"NAME\"}}}}'"
		s.Run(strings.ReplaceAll(name, "NAME", "liqo-peering"))
		untilSays(s, consumerApp, "ComparisonError", "liqo-peering")
		s.Run("argocd app get " + consumerApp)
		s.Run(strings.ReplaceAll(name, "NAME", "argocd-peering"))
		untilSynced(s, head(s), apps...)
		untouched(s, before, apps...)
	},
}

var foreignSeed = Step{
	Name: "The folder is copied",
	Asserts: "Somebody copies the folder, with its sealed files, to another path and makes an Application of it. The sealed files are " +
		"not opened, and the Application says why; nothing is written.",
	Run: func(s *stage.Stage) {
		before := written(s, apps...)
		s.Run("cp -r " + folder + " peerings/copy && sed -i 's#" + folder + "#peerings/copy#; s/consumer-provider/copy/' peerings/copy/*.yaml")
		commit(s, "A copy")
		applyApplications(s, "peerings/copy/application-consumer.yaml")
		untilSays(s, "copy-consumer", "ComparisonError", "terms")
		s.Run("argocd app get copy-consumer")
		s.Run("kubectl -n argocd delete application copy-consumer")
		s.Run("git revert --no-edit HEAD >/dev/null && git push --quiet origin main")
		refresh(s)
		untilSynced(s, head(s), apps...)
		untouched(s, before, apps...)
	},
}

var identityReplaced = Step{
	Name: "The identity is missing, or another one",
	Asserts: "The Secret has the public key instead of the identity, then an identity to which nothing is sealed; and plugin.yaml names a " +
		"file that is not there. A hard refresh says so each time and nothing is written. With the right identity in the Secret a " +
		"hard refresh is enough, and the sidecar is not restarted.",
	Run: func(s *stage.Stage) {
		before := written(s, apps...)
		replace := func(file string) {
			s.Run("kubectl -n argocd create secret generic argocd-peering-identity --from-file=identity.txt=" + file +
				" --dry-run=client -o yaml | kubectl apply --server-side --force-conflicts -f -")
			s.MountSecret("argocd-peering-identity", "identity.txt", "identity.txt", 0o444)
		}
		says := func(text string) {
			s.Run(hardRefresh)
			untilSays(s, consumerApp, "ComparisonError", text)
			s.Run("argocd app get " + consumerApp + " | grep -A1 ^CONDITION")
			untouched(s, before, apps...)
		}
		s.Run("age-keygen -y ~/.config/argocd-peering/identity.txt >~/recipient.txt && age-keygen -o ~/other.txt")
		replace("$HOME/recipient.txt")
		says("error[identity]")
		replace("$HOME/other.txt")
		says("error[sealed-payload]")
		plugin := s.Read("plugin.yaml")
		s.Mount(strings.Replace(plugin, "/identity/identity.txt", "/identity/key.txt", 1), pluginFile)
		says("error[identity]")
		s.Mount(plugin, pluginFile)
		replace("$HOME/.config/argocd-peering/identity.txt")
		s.Run(hardRefresh)
		untilSynced(s, head(s), apps...)
		untouched(s, before, apps...)
	},
}

var policy = Step{
	Name: "The operator's policy denies",
	Asserts: "A policy file is mounted into the sidecar, and plugin.yaml names it. It does not allow the folder, so nothing is opened " +
		"and nothing is written. With a policy that allows it, both are Synced.",
	Run: func(s *stage.Stage) {
		before := written(s, apps...)
		const file = "/etc/argocd-peering/policy/policy.yaml"
		allows := "apiVersion: argocd-peering/v1alpha1\nkind: Policy\nallow:\n" +
			"  - projects: [peering-consumer=consumer, peering-provider=provider]\n" +
			"    repos: [" + stage.RepoURL + "]\n    paths: [peerings/*]\n"
		plugin := s.Read("plugin.yaml")
		const argument = `"/etc/argocd-peering/identity/identity.txt"]`
		s.Holds(strings.Count(plugin, argument) == 1, "plugin.yaml ends its arguments with the identity", plugin)
		s.Mount(strings.Replace(allows, "peerings/*", "others/*", 1), file)
		s.Mount(strings.Replace(plugin, argument, strings.TrimSuffix(argument, "]")+`, "--policy-file", "`+file+`"]`, 1), pluginFile)
		s.Run(hardRefresh)
		untilSays(s, consumerApp, "ComparisonError", "policy")
		s.Run("argocd app get " + consumerApp)
		untouched(s, before, apps...)
		s.Mount(allows, file)
		hardRefreshAll(s)
		untilSynced(s, head(s), apps...)
		s.Mount(plugin, pluginFile)
		hardRefreshAll(s)
		untilSynced(s, head(s), apps...)
		untouched(s, before, apps...)
	},
}

var redisFlushed = Step{
	Name:    "Redis is emptied",
	Asserts: "Argo CD's cache is lost. The Applications are computed again, and nothing is written.",
	Run: func(s *stage.Stage) {
		before := written(s, apps...)
		s.Run("redis-cli -h argocd-redis FLUSHALL")
		refresh(s)
		untilSynced(s, head(s), apps...)
		untouched(s, before, apps...)
	},
}

var repoServerKilled = Step{
	Name: "The repo-server is killed as a commit arrives",
	Asserts: "The repo-server is killed 0.3 s after both Applications were told of a commit. Nothing is left half-way: when it is back, both are Synced " +
		"with the commit's values.",
	Run: func(s *stage.Stage) {
		port := nextPort(s)
		revision := commit(s, "Another port, and a repo-server that dies")
		s.Run("for app in " + consumerApp + " " + providerApp + "; do kubectl -n argocd annotate application $app argocd.argoproj.io/refresh=normal --overwrite; done")
		time.Sleep(300 * time.Millisecond)
		s.Stop("argocd-repo-server")
		time.Sleep(3 * time.Second)
		s.Run("argocd app get " + consumerApp + " || true")
		s.Restart("argocd-repo-server")
		refresh(s)
		untilSynced(s, revision, apps...)
		listensAt(s, port)
	},
}

var clusterDown = Step{
	Name: "A cluster's API server is down",
	Asserts: "A commit changes both sides while the provider's API server refuses Argo CD's connections. The provider's Application " +
		"says so, and the consumer's is synced. When the API server answers again, the provider's follows by itself.",
	Run: func(s *stage.Stage) {
		port := nextPort(s)
		s.Refuse(stage.Provider)
		revision := commit(s, "Another port, and a cluster that is away")
		s.Run("argocd app get " + consumerApp + " --refresh >/dev/null")
		s.Run("kubectl -n argocd annotate application " + providerApp + " argocd.argoproj.io/refresh=normal --overwrite")
		// it dials another port than the provider has
		untilSyncedAs(s, "", revision, consumerApp)
		s.Until(providerApp+" says that it does not reach the cluster", someMinutes, func() (bool, string) {
			app := s.App(providerApp)
			said := app.Says() + app.Status.OperationState.Message
			return strings.Contains(said, "connection re"), said
		})
		s.Run("timeout 60 argocd app get " + providerApp + " --show-operation || true")
		s.Admit(stage.Provider)
		s.Until(providerApp+" is synced", someMinutes, func() (bool, string) {
			app := s.App(providerApp)
			return app.Status.Sync.Status == "Synced" && app.Status.Sync.Revision == revision && app.Says() == "",
				app.Status.Sync.Status + " " + app.Says() + app.Status.OperationState.Message
		})
		listensAt(s, port)
		untilSynced(s, revision, apps...)
	},
}

var webhookDown = Step{
	Name: "Liqo's webhook is down",
	Asserts: "A commit asks for more CPUs while no webhook of Liqo answers on the consumer. The API server does not take the ResourceSlice, " +
		"the operation says so and is tried again; the tunnel and the virtual Node stay as they are. When the webhook runs again, the " +
		"Application is synced by itself.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		const cpu = "kubectl --context consumer -n liqo-tenant-provider get resourceslices.authentication.liqo.io provider -o jsonpath='{.spec.resources.cpu}'"
		scale(s, stage.Consumer, "liqo-webhook", 0)
		s.Edit(documentFile, `cpu: "1"`, `cpu: "2"`)
		revision := commit(s, "More CPUs, and a webhook that is away")
		refresh(s)
		untilOperation(s, consumerApp, `failed calling webhook "resourceslice.validate.liqo.io"`)
		s.Run("argocd app get " + consumerApp + " --show-operation | grep -E '^Sync Status|^Health|^Phase|^Message'")
		s.Equals(cpu, "1")
		s.Run("kubectl --context consumer wait node provider --for=condition=Ready --timeout=10s")
		tunnel(s)
		scale(s, stage.Consumer, "liqo-webhook", 1)
		untilSynced(s, revision, apps...)
		s.Equals(cpu, "2")
	},
}
