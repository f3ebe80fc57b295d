package steps

import (
	"fmt"
	"strings"
	"time"

	"argocd-peering.example/scene/stage"
)

// Many are the steps of another scene: so many peerings at once between the two clusters, each of a pair of Liqo IDs of its own, and
// two pods of the repo-server. Liqo does not run: what is measured is Argo CD and the plugin.
func Many(peerings int) []Step {
	m := many{peerings: peerings}
	return []Step{
		{Name: fmt.Sprintf("Describe %d peerings", peerings), Asserts: "A folder for each, with a sealed seed and a sealed kubeconfig.", Run: m.describe},
		install,
		{Name: "Two pods of the repo-server", Asserts: "Each with its sidecar, behind one address.", Run: m.replica},
		{Name: "All Applications at once", Asserts: "Two for each peering are applied, and all are Synced.", Run: m.first},
		{Name: "A commit to one folder", Asserts: "Argo CD looks at all Applications again. The plugin is called for the two of that folder.", Run: m.commit},
		{Name: "A new image", Asserts: "A hard refresh of all, as after a change of the plugin. Nothing is written to the clusters.", Run: m.image},
		{Name: "A pod is killed in the middle", Asserts: "A hard refresh of all, and the second pod is killed. All are Synced in the end.", Run: m.kill},
	}
}

type many struct{ peerings int }

// name is that of a peering, by its number.
func (m many) name(number int) string { return fmt.Sprintf("p-%03d", number) }

// each calls a function for each peering, and joins what it gives.
func (m many) each(text func(number int) string) string {
	var all strings.Builder
	for number := range m.peerings {
		all.WriteString(text(number))
	}
	return all.String()
}

func (m many) describe(s *stage.Stage) {
	s.Run("git clone --quiet " + stage.RepoURL + " peerings")
	s.Run("git commit --quiet --allow-empty --message 'a repository for peerings' && git push --quiet origin main")
	s.Run("mkdir -p ~/.config/argocd-peering && age-keygen -o ~/.config/argocd-peering/identity.txt 2>/dev/null")
	s.Credential(stage.Provider, "consumer", stage.Home+"/provider.kubeconfig")
	for number := range m.peerings {
		s.Write(m.document(number), "peerings", "peerings", m.name(number), "peering.yaml")
	}
	// with every term as a flag, no terminal is asked
	s.Write(`set -e
recipient=$(age-keygen -y ~/.config/argocd-peering/identity.txt)
for folder in peerings/p-*; do
  number=${folder#peerings/p-}
  terms="--clusters hub-$number,spoke-$number --repo `+stage.RepoURL+` --path $folder --recipient $recipient
    --secret-namespace liqo-tenant-spoke-$number=consumer --secret-namespace liqo-tenant-hub-$number=provider --project peering-consumer=consumer"
  argocd-peering seed new $folder/peering.seed.age $terms --project peering-provider=provider
  argocd-peering seal kubeconfig ~/provider.kubeconfig -o $folder/kubeconfig.age $terms
done
`, "seal-all")
	s.Run("bash ~/seal-all >/dev/null 2>&1 && du -sh peerings | cut -f1")
	// two clusters play all of them, which is wrong for them together
	s.Run("argocd-peering validate peerings/p-000 2>&1 | tail -1")
	commit(s, "All peerings")
}

func (m many) document(number int) string {
	return strings.ReplaceAll(fmt.Sprintf(`apiVersion: argocd-peering/v1alpha1
kind: Peering
metadata: { name: p-NUMBER }
spec:
  liqoVersion: "1.2"
  seed: { file: peering.seed.age }
  consumer: { clusterID: hub-NUMBER, argocdCluster: consumer, podCIDRs: [10.42.0.0/16], externalCIDR: 10.70.0.0/16 }
  provider: { clusterID: spoke-NUMBER, argocdCluster: provider, podCIDRs: [10.52.0.0/16], externalCIDR: 10.70.0.0/16 }
  networking:
    gatewayServer: { endpoint: { serviceType: NodePort, nodePort: %d } }
    gatewayClient: { endpoint: { addresses: [172.16.183.16] } }
  authentication:
    subject: { kind: User, name: consumer }
    credential: { kubeconfig: { file: kubeconfig.age } }
  offloading:
    resourceSlices: [{ name: spoke-NUMBER, resources: { cpu: "1", memory: 1Gi } }]
`, 30000+number), "NUMBER", fmt.Sprintf("%03d", number))
}

// application is one Application, with what those of argocd-app have.
func (m many) application(number int, role, peer string) string {
	return fmt.Sprintf(`---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: %[1]s-%[2]s
  namespace: argocd
  annotations: { argocd.argoproj.io/manifest-generate-paths: . }
spec:
  project: peering-%[2]s
  source:
    repoURL: %[3]s
    targetRevision: refs/heads/main
    path: peerings/%[1]s
    plugin: { name: argocd-peering, parameters: [{ name: role, string: %[2]s }, { name: cluster, string: %[2]s }] }
  destination: { name: %[2]s, namespace: liqo-tenant-%[4]s-%03[5]d }
  syncPolicy: { automated: { prune: true, selfHeal: true }, retry: { limit: 5, refresh: true, backoff: { duration: 10s, factor: 2, maxDuration: 3m } }, syncOptions: [PrunePropagationPolicy=background] }
`, m.name(number), role, stage.RepoURL, peer, number)
}

func (m many) replica(s *stage.Stage) {
	s.StartSecondRepoServer()
	s.Balance(true)
}

func (m many) first(s *stage.Stage) {
	s.Write(m.each(func(number int) string {
		return m.application(number, "consumer", "spoke") + m.application(number, "provider", "hub")
	}), "applications.yaml")
	calls := m.calls(s)
	s.Run("kubectl apply -f ~/applications.yaml | wc -l")
	m.untilSynced(s, head(s), "")
	m.report(s, calls)
}

func (m many) commit(s *stage.Stage) {
	calls, since := m.calls(s), now()
	s.Edit("peerings/"+m.name(0)+"/peering.yaml", "memory: 1Gi", "memory: 2Gi")
	revision := commit(s, "More memory for one")
	s.Run("kubectl -n argocd annotate applications --all argocd.argoproj.io/refresh=normal --overwrite | wc -l")
	m.untilSynced(s, revision, since)
	s.Holds(m.report(s, calls) == 2, "the plugin was called twice", "")
}

func (m many) image(s *stage.Stage) {
	calls, since := m.calls(s), now()
	before := m.versions(s)
	s.Run("kubectl -n argocd annotate applications --all argocd.argoproj.io/refresh=hard --overwrite | wc -l")
	m.untilSynced(s, head(s), since)
	called := m.report(s, calls)
	s.Holds(called >= 2*m.peerings, "the plugin was called for every Application", called)
	s.Holds(m.versions(s) == before, "no object of a peering was written", "")
}

func (m many) kill(s *stage.Stage) {
	calls, since := m.calls(s), now()
	s.Run("kubectl -n argocd annotate applications --all argocd.argoproj.io/refresh=hard --overwrite | wc -l")
	time.Sleep(5 * time.Second)
	s.StopSecondRepoServer()
	s.Note("the second pod is killed")
	time.Sleep(2 * time.Second)
	s.Balance(false)
	time.Sleep(20 * time.Second)
	s.RestartSecondRepoServer()
	s.Note("the second pod is back after 22 s")
	m.untilSynced(s, head(s), since)
	m.report(s, calls)
}

// now is a time as Argo CD writes it, in seconds. Nothing that happened before is of the same second.
func now() string {
	time.Sleep(time.Second)
	return time.Now().UTC().Format(time.RFC3339)
}

// untilSynced waits until all Applications are Synced with a commit, without a condition, and were compared since a time.
func (m many) untilSynced(s *stage.Stage, revision, since string) {
	told := 0
	s.Until(fmt.Sprintf("%d Applications are Synced", 2*m.peerings), time.Hour, func() (bool, string) {
		text, err := s.Ask("kubectl -n argocd get applications -o json | jq -r '.items[] | [.metadata.name, .status.sync.status, .status.sync.revision, " +
			`.status.operationState.phase // "Succeeded", .status.reconciledAt, (.status.conditions // [] | length)] | join(" ")'`)
		if err != nil {
			return false, err.Error()
		}
		good, telling, instead := 0, 0, ""
		for _, line := range strings.Split(text, "\n") {
			status := strings.Fields(line)
			if len(status) == 6 && status[5] != "0" {
				telling++
			}
			if len(status) == 6 && status[1] == "Synced" && status[2] == revision && status[3] == "Succeeded" && status[4] >= since && status[5] == "0" {
				good++
			} else if instead == "" {
				instead = line
			}
		}
		told = max(told, telling)
		return good == 2*m.peerings, fmt.Sprintf("%d are; one that is not: %s", good, instead)
	})
	s.Note("at most %d of them had an error on the way", told)
}

// calls are those of the plugin, of each sidecar.
func (m many) calls(s *stage.Stage) map[string]int {
	return s.Logged("sidecar", "Generating manifests with deadline")
}

// report notes how often the plugin was called since, and what the processes had in memory at most. It returns the calls.
func (m many) report(s *stage.Stage, before map[string]int) int {
	calls := m.calls(s)
	first, second := calls["sidecar"]-before["sidecar"], calls["sidecar-2"]-before["sidecar-2"]
	s.Note("calls of the plugin: %d and %d", first, second)
	for _, name := range []string{"sidecar", "sidecar-2", "argocd-repo-server", "argocd-repo-server-2", "argocd-application-controller"} {
		s.Note("%s: at most %d MiB", name, s.Memory(name))
	}
	return first + second
}

// versions are those of every object of the tenant namespaces, on both clusters.
func (m many) versions(s *stage.Stage) string {
	text := ""
	for _, cluster := range stage.Clusters {
		printed, err := s.Ask("kubectl --context " + cluster.Name + " get configurations.networking.liqo.io,publickeies.networking.liqo.io," +
			"gatewayservers.networking.liqo.io,gatewayclients.networking.liqo.io,tenants.authentication.liqo.io,identities.authentication.liqo.io," +
			"resourceslices.authentication.liqo.io,secrets,rolebindings -A -o json | jq -r '.items[] | .metadata | [.namespace, .name, .uid, .resourceVersion] | join(\" \")' | " +
			"grep '^liqo-tenant' | sort")
		if err != nil {
			s.Fail("%v", err)
		}
		text += printed + "\n"
	}
	return text
}
