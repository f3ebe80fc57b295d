package apiserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/syncwaves"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/go-logr/logr"
	authorization "k8s.io/api/authorization/v1"
	rbac "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

// With what `rights` prints, Argo CD's engine plays a peering's whole life as the account that it impersonates. Without any one of the
// verbs it cannot: the API server refuses that verb, and a step fails.
func TestRights(t *testing.T) {
	tag := kit.LiqoTags(t)[len(kit.LiqoTags(t))-1]
	endpoint := etcd(t)
	for _, role := range kit.Roles {
		t.Run(role, func(t *testing.T) {
			cluster := newCluster(t, endpoint, "rights-"+role, "--authorization-mode=RBAC")
			cluster.install(t, crdsOf(t, tag))
			cluster.bringControlPlaneRole(t, tag)
			printed := rightsOf(t, role)
			account := "system:serviceaccount:argocd-peering:peering-" + role
			states := lifeOf(t, cluster, role)

			t.Run("without rights", func(t *testing.T) {
				cluster.apply(t, namespacesOf(printed))
				if err := states.play(t, account); err == nil || !strings.Contains(err.Error(), "forbidden") {
					t.Errorf("the account needs no rights: %v", err)
				}
				states.clear(t, printed)
			})
			t.Run("with all", func(t *testing.T) {
				cluster.apply(t, printed)
				cluster.await(t, account, printed, nil)
				kit.Must(t, states.play(t, account))
				states.clear(t, printed)
			})
			// the Namespaces are the rights' and the stream's
			t.Run("applied again", func(t *testing.T) {
				cluster.apply(t, printed)
				_, err := states.active.sync(t, false)
				kit.Must(t, err)
				before := states.active.lives(t)
				cluster.apply(t, printed)
				if modified := states.active.diff(t); len(modified) != 0 {
					t.Errorf("OutOfSync: %v", modified)
				}
				for i, after := range states.active.lives(t) {
					if !reflect.DeepEqual(before[i].GetLabels(), after.GetLabels()) || !reflect.DeepEqual(before[i].GetAnnotations(), after.GetAnnotations()) {
						t.Errorf("%s had %v %v and has %v %v", kit.Name(after), before[i].GetLabels(), before[i].GetAnnotations(), after.GetLabels(), after.GetAnnotations())
					}
				}
				states.clear(t, printed)
			})
			if testing.Short() {
				return
			}
			removed := 0
			for _, one := range grantsOf(t, printed) {
				t.Run("without "+one.String(), func(t *testing.T) {
					removed++
					reduced := one.removedFrom(t, printed)
					cluster.apply(t, reduced)
					cluster.await(t, account, printed, &one)
					err := states.play(t, account)
					states.clear(t, printed)
					if err == nil {
						t.Fatal("every step passes: the verb is superfluous")
					}
					if !strings.Contains(err.Error(), one.refusal()) && !one.isHidden(err) {
						t.Errorf("it fails for another reason, and not with %q: %v", one.refusal(), err)
					}
				})
			}
			t.Logf("each of %d verbs was removed once", removed)
		})
	}
}

// rightsOf are the objects that `rights` prints for a cluster of the quickstart.
func rightsOf(t *testing.T, cluster string) []*unstructured.Unstructured {
	t.Helper()
	command := exec.Command(kit.Binary(t), "rights", kit.Quickstart(t).Dir, "--cluster", cluster)
	var notes bytes.Buffer
	command.Stderr = &notes
	text, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &notes)
	}
	var objects []*unstructured.Unstructured
	for _, document := range strings.Split(string(text), "---\n") {
		object := &unstructured.Unstructured{}
		kit.Must(t, yaml.Unmarshal([]byte(document), &object.Object))
		if len(object.Object) != 0 {
			objects = append(objects, object)
		}
	}
	return objects
}

func namespacesOf(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	return slices.DeleteFunc(slices.Clone(objects), func(o *unstructured.Unstructured) bool { return o.GetKind() != "Namespace" })
}

// apply is `kubectl apply --server-side --field-manager argocd-peering`, by an administrator.
func (c *cluster) apply(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	for _, object := range objects {
		text, err := json.Marshal(object)
		kit.Must(t, err)
		options := metav1.PatchOptions{FieldManager: "argocd-peering", FieldValidation: "Strict"}
		// the API server remembers for a moment that a Namespace of this name was deleted
		eventually(t, "the Namespace of "+kit.Name(object)+" is there", func() bool {
			_, err = c.client(object).Patch(t.Context(), object.GetName(), types.ApplyPatchType, text, options)
			return err == nil || !strings.Contains(err.Error(), "being terminated")
		})
		kit.Must(t, err)
	}
}

// grant is one verb of one rule.
type grant struct {
	kind, namespace, role string
	group, resource, name string
	verb                  string
	rule, at              int
}

func (g grant) String() string {
	return fmt.Sprintf("%s %s %s in %q", g.verb, g.resource, g.name, g.namespace)
}

// refusal is what the API server says without it (kubernetes apiserver/pkg/endpoints/handlers/responsewriters/errors.go).
func (g grant) refusal() string {
	if g.verb == "bind" {
		return "is attempting to grant RBAC permissions not currently held"
	}
	return fmt.Sprintf("cannot %s resource %q in API group %q", g.verb, g.resource, g.group)
}

// isHidden says that the RoleBinding fails for a reason that nobody reads: with the libraries of Kubernetes 1.36 `auth reconcile`, by
// which the engine applies it (gitops-engine pkg/utils/kube/resource_ops.go), meets a nil pointer where it is forbidden.
func (g grant) isHidden(err error) bool {
	const reconciled = "\nRoleBinding liqo-binding-liqo-remote-controlplane: error running kubectl auth reconcile: "
	_, reason, found := strings.Cut(err.Error(), reconciled)
	return (g.resource == "rolebindings" || g.verb == "bind") && found && strings.HasSuffix(reason, "nil pointer dereference")
}

func rulesOf(t *testing.T, object *unstructured.Unstructured) []rbac.PolicyRule {
	t.Helper()
	// a ClusterRole of this command has nothing that a Role cannot have
	role := rbac.Role{}
	kit.Must(t, runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, &role, true))
	return role.Rules
}

func isRole(object *unstructured.Unstructured) bool {
	return object.GetKind() == "Role" || object.GetKind() == "ClusterRole"
}

func grantsOf(t *testing.T, objects []*unstructured.Unstructured) []grant {
	t.Helper()
	var grants []grant
	for _, object := range objects {
		if !isRole(object) {
			continue
		}
		for i, rule := range rulesOf(t, object) {
			if len(rule.APIGroups) != 1 || len(rule.Resources) != 1 || len(rule.NonResourceURLs) != 0 {
				t.Fatalf("a rule is of one resource: %v", rule)
			}
			names := rule.ResourceNames
			if len(names) == 0 {
				names = []string{""}
			}
			for at, verb := range rule.Verbs {
				grants = append(grants, grant{
					kind: object.GetKind(), namespace: object.GetNamespace(), role: object.GetName(),
					group: rule.APIGroups[0], resource: rule.Resources[0], name: names[0], verb: verb, rule: i, at: at,
				})
			}
		}
	}
	if len(grants) == 0 {
		t.Fatal("nothing is granted")
	}
	return grants
}

// removedFrom are the objects without the verb.
func (g grant) removedFrom(t *testing.T, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	var reduced []*unstructured.Unstructured
	for _, object := range objects {
		object = object.DeepCopy()
		if object.GetKind() == g.kind && object.GetNamespace() == g.namespace && object.GetName() == g.role {
			rules := object.Object["rules"].([]any)
			rule := rules[g.rule].(map[string]any)
			rule["verbs"] = slices.Delete(rule["verbs"].([]any), g.at, g.at+1)
			if len(rule["verbs"].([]any)) == 0 {
				object.Object["rules"] = slices.Delete(rules, g.rule, g.rule+1)
			}
		}
		reduced = append(reduced, object)
	}
	return reduced
}

// await waits until the API server's authorizer has read the roles: everything that is printed is allowed, except what was removed.
func (c *cluster) await(t *testing.T, account string, printed []*unstructured.Unstructured, removed *grant) {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.config)
	kit.Must(t, err)
	isAllowed := func(g grant) bool {
		review := &authorization.SubjectAccessReview{Spec: authorization.SubjectAccessReviewSpec{User: account,
			ResourceAttributes: &authorization.ResourceAttributes{
				Namespace: g.namespace, Verb: g.verb, Group: g.group, Resource: g.resource, Name: g.name,
			}}}
		review, err := client.AuthorizationV1().SubjectAccessReviews().Create(t.Context(), review, metav1.CreateOptions{})
		kit.Must(t, err)
		return review.Status.Allowed
	}
	eventually(t, "the API server answers as the roles say", func() bool {
		return !slices.ContainsFunc(grantsOf(t, printed), func(one grant) bool { return isAllowed(one) == (removed != nil && one == *removed) })
	})
}

// life are the states of one side, from a first commit to the last.
type life struct {
	cluster                           *cluster
	active, changed, rotated, drained *application
}

func lifeOf(t *testing.T, cluster *cluster, role string) *life {
	t.Helper()
	folder := filepath.Join(kit.ShortDir(t), "peerings", "consumer-provider")
	kit.Quickstart(t).CopyTo(t, folder)
	example := kit.Example{Name: "consumer-provider", Dir: folder}
	document := filepath.Join(folder, "peering.yaml")
	state := func() *application { return newApplication(t, cluster, example, role) }
	life := &life{cluster: cluster, active: state()}
	// of every object but Secrets and the PublicKey, and of the RoleBinding what it gives
	kit.Edit(t, document, "  liqoVersion:", "  commonMetadata: { labels: { team: network } }\n  liqoVersion:")
	kit.Edit(t, document, "name: myuser", "name: another")
	life.changed = state()
	for _, side := range kit.Roles {
		kit.Edit(t, document, "clusterID: "+side+"\n", "clusterID: "+side+"\n    keyGeneration: 2\n")
	}
	life.rotated = state()
	kit.Edit(t, document, "  liqoVersion:", "  state: Drained\n  liqoVersion:")
	life.drained = state()
	return life
}

// since are the objects that this state no longer has.
func (a *application) since(former *application) *application {
	next := *a
	next.former = slices.DeleteFunc(slices.Clone(former.targets), func(old *unstructured.Unstructured) bool {
		return slices.ContainsFunc(a.targets, func(o *unstructured.Unstructured) bool { return kit.Name(o) == kit.Name(old) })
	})
	return &next
}

// play is the life of one side: its first sync, a second one, a change, another key, drained, pruned; and once more until the
// Application is deleted.
func (l *life) play(t *testing.T, account string) error {
	t.Helper()
	// argo-cd controller/sync.go and controller/appcontroller.go set the user and nothing else
	impersonated := rest.CopyConfig(l.cluster.config)
	impersonated.Impersonate = rest.ImpersonationConfig{UserName: account}
	step := func(name string, application *application, prune bool) error {
		application.account = impersonated
		if _, err := application.sync(t, prune); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	for _, one := range []struct {
		name        string
		application *application
		prune       bool
	}{
		{"first sync", l.active, false},
		{"second sync", l.active, false},
		{"change", l.changed.since(l.active), false},
		{"rotation", l.rotated.since(l.changed), false},
		{"drain", l.drained.since(l.rotated), false},
		{"prune", l.drained, true},
	} {
		if err := step(one.name, one.application, one.prune); err != nil {
			return err
		}
		for _, former := range one.application.former {
			if l.cluster.live(t, former) != nil {
				return fmt.Errorf("%s: %s is still there", one.name, kit.Name(former))
			}
		}
	}
	return l.teardown(t, impersonated)
}

// teardown is the deletion of an Application with its finalizer, backwards (argo-cd controller/appcontroller.go,
// finalizeApplicationDeletion). The Namespaces are there again, as who applies the rights brings them.
func (l *life) teardown(t *testing.T, impersonated *rest.Config) error {
	t.Helper()
	l.cluster.apply(t, namespacesOf(rightsOf(t, strings.TrimPrefix(l.active.name, "consumer-provider-"))))
	l.active.account = impersonated
	if _, err := l.active.sync(t, false); err != nil {
		return fmt.Errorf("sync before the deletion: %w", err)
	}
	kubectl := &engine{KubectlCmd: kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}, cluster: l.cluster}
	for _, hook := range l.active.hooks {
		// argo-cd controller/hook.go, executeHooks and cleanupHooks
		create := func() error {
			_, err := kubectl.CreateResource(t.Context(), impersonated, hook.GroupVersionKind(), hook.GetName(), hook.GetNamespace(), hook, metav1.CreateOptions{})
			return err
		}
		if err := create(); err != nil {
			return fmt.Errorf("hook: %w", err)
		}
		// again, as when Argo CD's cache does not have it yet: executeHooks takes "already exists" for a hook that is done
		l.cluster.countNothing(t, hook)
		eventually(t, "Kubernetes makes no second hook", func() bool { return apierrors.IsForbidden(create()) })
		if err := kubectl.DeleteResource(t.Context(), impersonated, hook.GroupVersionKind(), hook.GetName(), hook.GetNamespace(), metav1.DeleteOptions{}); err != nil {
			return fmt.Errorf("hook: %w", err)
		}
	}
	lives := l.active.lives(t)
	slices.SortStableFunc(lives, func(a, b *unstructured.Unstructured) int { return syncwaves.Wave(b) - syncwaves.Wave(a) })
	for _, live := range lives {
		if staysBehind(live) {
			continue
		}
		propagation := metav1.DeletePropagationForeground
		options := metav1.DeleteOptions{PropagationPolicy: &propagation}
		if err := kubectl.DeleteResource(t.Context(), impersonated, live.GroupVersionKind(), live.GetName(), live.GetNamespace(), options); err != nil {
			return fmt.Errorf("deletion: %w", err)
		}
	}
	for i, live := range l.active.lives(t) {
		if live != nil && !staysBehind(live) {
			return fmt.Errorf("deletion: %s is still there", kit.Name(l.active.targets[i]))
		}
	}
	return nil
}

// countNothing writes the status that kube-controller-manager writes, which is what the API server enforces
// (pkg/controller/resourcequota/resource_quota_controller.go, syncResourceQuota).
func (c *cluster) countNothing(t *testing.T, quota *unstructured.Unstructured) {
	t.Helper()
	live := c.live(t, quota)
	hard := live.Object["spec"].(map[string]any)["hard"].(map[string]any)
	used := map[string]any{}
	for name := range hard {
		used[name] = "0"
	}
	live.Object["status"] = map[string]any{"hard": hard, "used": used}
	_, err := c.client(live).UpdateStatus(t.Context(), live, metav1.UpdateOptions{})
	kit.Must(t, err)
}

// staysBehind tells what the deletion of an Application leaves (argo-cd controller/appcontroller.go, shouldBeDeleted).
func staysBehind(live *unstructured.Unstructured) bool {
	return live.GetAnnotations()["argocd.argoproj.io/sync-options"] == "Delete=false"
}

// clear removes what a life left, and the rights; by an administrator.
func (l *life) clear(t *testing.T, printed []*unstructured.Unstructured) {
	t.Helper()
	kubectl := &engine{KubectlCmd: kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}, cluster: l.cluster}
	// nothing is written into a namespace that is gone, and the namespace controller, which empties one, does not run here
	l.cluster.apply(t, namespacesOf(printed))
	objects := slices.Concat(l.active.targets, l.active.hooks, l.changed.targets, l.rotated.targets, l.drained.targets, printed)
	slices.SortStableFunc(objects, func(a, b *unstructured.Unstructured) int { return deletedLast(a) - deletedLast(b) })
	for _, object := range objects {
		if l.cluster.live(t, object) == nil {
			continue
		}
		kit.Must(t, kubectl.DeleteResource(t.Context(), l.cluster.config, object.GroupVersionKind(), object.GetName(), object.GetNamespace(), metav1.DeleteOptions{}))
	}
}

func deletedLast(object *unstructured.Unstructured) int {
	if object.GetKind() == "Namespace" {
		return 1
	}
	return 0
}
