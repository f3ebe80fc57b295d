// Package steps is the scene: each step in a file of its own, in the order of the list below.
package steps

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"argocd-peering.example/scene/stage"
)

// Step is a part of the scene.
type Step struct {
	// Name is its heading in the transcript.
	Name string
	// Asserts is what it shows, for the reader of the transcript.
	Asserts string
	// Liqo tells that it can only be played where Liqo runs.
	Liqo bool
	Run  func(*stage.Stage)
}

// All are the steps in their order. Each begins with what the one before it left.
var All = []Step{
	describe,
	install,
	synced,
	connected,
	quiet,
	whatIsWrong,
	change,
	broken,
	rotateProvider,
	rotateConsumer,
	healthDefault,
	healthFull,
	sidecarDown,
	wrongPlugin,
	foreignSeed,
	identityReplaced,
	policy,
	redisFlushed,
	repoServerKilled,
	clusterDown,
	webhookDown,
	providerFirst,
	wrongOrder,
	drain,
	removal,
	applicationSet,
	leafToLeaf,
	inBand,
	fromRegistry,
	sealedSecrets,
	externalSecrets,
	leastRights,
}

const (
	consumerApp = "consumer-provider-consumer"
	providerApp = "consumer-provider-provider"
	aMoment     = 30 * time.Second
	// a drain can take five: src/object/live/checks/deletion.md
	someMinutes = 10 * time.Minute
	bothApps    = consumerApp + " and " + providerApp
)

var (
	// folder is the one of the README's commands.
	folder, documentFile string

	apps      = []string{consumerApp, providerApp}
	clusterOf = map[string]stage.Cluster{consumerApp: stage.Consumer, providerApp: stage.Provider}
)

// commit commits and pushes everything, and gives the commit.
func commit(s *stage.Stage, message string) string {
	s.Run("git add --all && git commit --quiet --message '" + message + "' && git push --quiet origin main")
	return head(s)
}

// nextPort changes the gateway's node port to the next one, which it returns: a change that both sides see.
func nextPort(s *stage.Stage) string {
	text, err := s.Ask("grep -oE 'nodePort: [0-9]+' " + documentFile)
	port, parsed := strconv.Atoi(strings.TrimPrefix(text, "nodePort: "))
	if err != nil || parsed != nil {
		s.Fail("%s has no nodePort: %s", documentFile, text)
	}
	s.Edit(documentFile, text, fmt.Sprintf("nodePort: %d", port+1))
	return strconv.Itoa(port + 1)
}

// listensAt asserts the node port that the provider's GatewayServer has.
func listensAt(s *stage.Stage, port string) {
	s.Equals("kubectl --context provider -n liqo-tenant-consumer get gatewayservers.networking.liqo.io wg-consumer -o jsonpath='{.spec.endpoint.nodePort}'", port)
}

func head(s *stage.Stage) string {
	revision, err := s.Ask("git rev-parse HEAD")
	if err != nil {
		s.Fail("%v", err)
	}
	return revision
}

func refresh(s *stage.Stage) { lookAt(s, apps...) }

// lookAt has Argo CD look at Applications at once, instead of within three minutes.
func lookAt(s *stage.Stage, names ...string) {
	for _, app := range names {
		s.Run("argocd app get " + app + " --refresh >/dev/null")
	}
}

// untilSynced waits until Applications are Synced with a commit, and the tunnel is up. Without Liqo nothing writes the status of
// the ForeignCluster that each stream has.
func untilSynced(s *stage.Stage, revision string, names ...string) {
	health := "Healthy"
	if !s.Liqo {
		health = "Progressing"
	}
	untilSyncedAs(s, health, revision, names...)
}

// untilSyncedAs waits until Applications are Synced with a commit, with this health; without one, whatever it is. One that found
// everything as it should be has no operation.
func untilSyncedAs(s *stage.Stage, health, revision string, names ...string) {
	s.Until(strings.TrimSuffix(strings.Join(names, " and ")+": Synced and "+health, " and "), someMinutes, func() (bool, string) {
		instead := ""
		for _, name := range names {
			app := s.App(name)
			if app == nil {
				return false, name + " does not exist"
			}
			status := app.Status
			if status.Sync.Status != "Synced" || !strings.HasPrefix(status.Health.Status, health) || status.Sync.Revision != revision ||
				!slices.Contains([]string{"Succeeded", ""}, status.OperationState.Phase) || len(status.Conditions) > 0 {
				instead += fmt.Sprintf("%s: %s, %s, operation %s: %s\n%s\n", name, status.Sync.Status, status.Health.Status,
					status.OperationState.Phase, status.OperationState.Message, app.Says())
			}
		}
		return instead == "", instead
	})
}

// untilSays waits until an Application has a condition with these words, and returns it.
func untilSays(s *stage.Stage, name string, words ...string) string {
	said := ""
	s.Until(fmt.Sprintf("%s says %q", name, words), 2*time.Minute, func() (bool, string) {
		said = s.App(name).Says()
		missing := slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(said, word) })
		return !missing, said
	})
	return said
}

// known are the objects that an Application had at any time. While the plugin fails, Argo CD lists what it finds on the cluster, and that
// without a Secret that Liqo has made the property of an Identity.
var known = map[string]map[stage.Resource]bool{}

// written is who wrote what of every object of the Applications, and when: Argo CD's own entries only, because Liqo and
// Kubernetes write status. Without Liqo nothing else writes, and the objects' versions are in it as well.
func written(s *stage.Stage, names ...string) string {
	var all []string
	for _, name := range names {
		kinds, wanted := map[string]bool{}, map[string]bool{}
		if known[name] == nil {
			known[name] = map[stage.Resource]bool{}
		}
		for _, resource := range s.App(name).Status.Resources {
			resource.Status = ""
			// a deletion makes the hook, and no sync
			if resource.Kind != "ResourceQuota" {
				known[name][resource] = true
			}
		}
		for resource := range known[name] {
			kind := resource.Kind
			if resource.Group != "" {
				kind += "." + resource.Version + "." + resource.Group
			}
			kinds[kind] = true
			wanted[resource.Kind+" "+resource.Namespace+"/"+resource.Name] = true
		}
		text, err := s.Ask("kubectl --context " + clusterOf[name].Name + " get " + strings.Join(sorted(kinds), ",") +
			" -A -o json --show-managed-fields")
		if err != nil {
			s.Fail("%v", err)
		}
		var list struct {
			Items []struct {
				Kind     string
				Metadata struct {
					Namespace, Name, ResourceVersion, UID string
					Generation                            int
					ManagedFields                         []struct{ Manager, Operation, Time, Subresource string }
				}
			}
		}
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			s.Fail("%v", err)
		}
		for _, item := range list.Items {
			meta := item.Metadata
			key := item.Kind + " " + meta.Namespace + "/" + meta.Name
			if !wanted[key] {
				continue
			}
			delete(wanted, key)
			line := fmt.Sprintf("%s %s %s generation %d", name, key, meta.UID, meta.Generation)
			for _, entry := range meta.ManagedFields {
				if strings.HasPrefix(entry.Manager, "argocd") {
					line += fmt.Sprintf(" %s %s %s", entry.Manager, entry.Operation, entry.Time)
				}
			}
			if !s.Liqo {
				line += " version " + meta.ResourceVersion
			}
			all = append(all, line)
		}
		for key := range wanted {
			all = append(all, name+" "+key+" is missing")
		}
	}
	sort.Strings(all)
	return strings.Join(all, "\n")
}

func sorted(set map[string]bool) []string {
	var all []string
	for key := range set {
		all = append(all, key)
	}
	sort.Strings(all)
	return all
}

// untouched fails if anything was written since.
func untouched(s *stage.Stage, before string, names ...string) {
	after := written(s, names...)
	count := strings.Count(before, " generation ")
	s.Holds(after == before, fmt.Sprintf("nothing was written to the %d objects of %s", count, strings.Join(names, " and ")),
		differences(before, after))
}

func differences(before, after string) string {
	old, changed := strings.Split(before, "\n"), []string{}
	for _, line := range strings.Split(after, "\n") {
		if !slices.Contains(old, line) {
			changed = append(changed, line)
		}
	}
	return strings.Join(changed, "\n")
}
