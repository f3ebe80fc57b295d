package apiserver

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"sync"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
	argosync "github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	synccommon "github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/hook"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/syncwaves"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/argo"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	argodiff "github.com/argoproj/argo-cd/v3/util/argo/diff"
)

// application is one side of a peering, as the application-controller has it: what its repo-server said, and where
// it goes.
type application struct {
	name      string
	namespace string
	cluster   *cluster
	targets   []*unstructured.Unstructured
	// hooks are made by a deletion and by no sync (argo-cd controller/state.go, partitionTargetObjsForSync).
	hooks []*unstructured.Unstructured
	// former are no targets any more: Argo CD prunes them while they have its tracking id.
	former []*unstructured.Unstructured
	// waiting is set while nothing fetches what an ExternalSecret names.
	waiting bool
	// account is impersonated by a sync; without one it is the cluster's administrator.
	account *rest.Config
}

func newApplication(t *testing.T, cluster *cluster, example kit.Example, role string) *application {
	t.Helper()
	peering := example.Document(t)["spec"].(map[string]any)
	other := map[string]string{"consumer": "provider", "provider": "consumer"}[role]
	namespace, ok := peering[role].(map[string]any)["tenantNamespace"].(string)
	if !ok {
		namespace = "liqo-tenant-" + peering[other].(map[string]any)["clusterID"].(string)
	}
	application := &application{
		name:      filepath.Base(example.Name) + "-" + role,
		namespace: namespace,
		cluster:   cluster,
	}
	for _, target := range example.Local(t, role) {
		if hook.IsHook(target) {
			application.hooks = append(application.hooks, target)
		} else {
			application.targets = append(application.targets, target)
		}
		kit.Must(t, argo.NewResourceTracking().SetAppInstance(target, common.LabelKeyAppInstance, application.name,
			namespace, v1alpha1.TrackingMethodAnnotation, ""))
	}
	return application
}

// lives are the targets as the cluster has them, with nil where it has not.
func (a *application) lives(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	lives := make([]*unstructured.Unstructured, len(a.targets))
	for i, target := range a.targets {
		lives[i] = a.cluster.live(t, target)
	}
	return lives
}

// engine is Argo CD's kubectl, and notes what it deletes.
type engine struct {
	kube.KubectlCmd
	cluster *cluster
	lock    sync.Mutex
	deleted []kube.ResourceKey
}

func (e *engine) DeleteResource(ctx context.Context, config *rest.Config, gvk schema.GroupVersionKind, name, namespace string, options metav1.DeleteOptions) error {
	e.lock.Lock()
	e.deleted = append(e.deleted, kube.NewResourceKey(gvk.Group, gvk.Kind, namespace, name))
	e.lock.Unlock()
	if err := e.KubectlCmd.DeleteResource(ctx, config, gvk, name, namespace, options); err != nil {
		return err
	}
	if gvk.Kind == "SealedSecret" {
		owned := &unstructured.Unstructured{}
		owned.SetGroupVersionKind(secretKind)
		owned.SetNamespace(namespace)
		if err := e.cluster.client(owned).Delete(ctx, name, metav1.DeleteOptions{}); ignoreNotFound(err) != nil {
			return err
		}
	}
	return e.controllerManager(ctx, gvk, name, namespace)
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// controllerManager is the part of kube-controller-manager in a deletion, which does not run here: Argo CD deletes in
// the foreground, which ends when the garbage collector says so, what belongs to a SealedSecret goes with it, and a
// Namespace goes when it is empty.
func (e *engine) controllerManager(ctx context.Context, gvk schema.GroupVersionKind, name, namespace string) error {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(gvk)
	object.SetNamespace(namespace)
	client := e.cluster.client(object)
	live, err := client.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return ignoreNotFound(err)
	}
	finalizers := slices.DeleteFunc(live.GetFinalizers(), func(f string) bool { return f == metav1.FinalizerDeleteDependents })
	live.SetFinalizers(finalizers)
	if live, err = client.Update(ctx, live, metav1.UpdateOptions{}); err != nil || gvk.Kind != "Namespace" {
		return err
	}
	unstructured.RemoveNestedField(live.Object, "spec", "finalizers")
	_, err = client.Update(ctx, live, metav1.UpdateOptions{}, "finalize")
	return err
}

// sync is a sync operation with the defaults of the application-controller (controller/sync.go), to its end. It
// returns what was deleted, in that order.
func (a *application) sync(t *testing.T, prune bool) ([]kube.ResourceKey, error) {
	t.Helper()
	return a.syncFor(t, prune, 2*time.Minute)
}

// syncFor gives up after a while.
func (a *application) syncFor(t *testing.T, prune bool, patience time.Duration) ([]kube.ResourceKey, error) {
	t.Helper()
	kubectl := &engine{KubectlCmd: kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}, cluster: a.cluster}
	phase, message := synccommon.OperationRunning, ""
	var results []synccommon.ResourceSyncResult
	start := metav1.Now()
	// beside an object that fails, the engine still waits for the health of the others of its wave, and here no Liqo gives it
	for end := time.Now().Add(patience); !phase.Completed() && !slices.ContainsFunc(results, isFailed); {
		if time.Now().After(end) {
			return kubectl.deleted, fmt.Errorf("the sync does not end: %s", message)
		}
		reconciliation := argosync.ReconciliationResult{Target: slices.Clone(a.targets), Live: a.lives(t)}
		for _, former := range a.former {
			if live := a.cluster.live(t, former); live != nil && live.GetAnnotations()[common.AnnotationKeyAppInstance] != "" {
				reconciliation.Target, reconciliation.Live = append(reconciliation.Target, nil), append(reconciliation.Live, live)
			}
		}
		if prune {
			reconciliation.Target = make([]*unstructured.Unstructured, len(a.targets))
			// what is gone is no part of the Application any more
			targets, lives := reconciliation.Target, reconciliation.Live
			reconciliation.Target, reconciliation.Live = nil, nil
			for i, live := range lives {
				if live != nil {
					reconciliation.Target = append(reconciliation.Target, targets[i])
					reconciliation.Live = append(reconciliation.Live, live)
				}
			}
		}
		account := a.account
		if account == nil {
			account = a.cluster.config
		}
		context, cleanup, err := argosync.NewSyncContext("revision", reconciliation, account, account, kubectl, a.namespace,
			argosync.WithLogr(logr.Discard()),
			argosync.WithOperationSettings(false, true, false, false),
			argosync.WithInitialState(phase, message, results, start),
			argosync.WithManifestValidation(true),
			argosync.WithServerSideApplyManager(common.ArgoCDSSAManager),
			argosync.WithHealthOverride(a.cluster.health),
			// The objects ask for a confirmation, and here they have it.
			argosync.WithPruneConfirmed(true),
		)
		kit.Must(t, err)
		context.Sync()
		phase, message, results = context.GetState()
		cleanup()
		if !a.waiting {
			kit.Must(t, a.cluster.fetchExternal(t, a.lives(t)))
		}
	}
	if phase != synccommon.OperationSucceeded {
		for _, result := range results {
			if result.Status != synccommon.ResultCodeSynced && result.Status != synccommon.ResultCodePruned {
				message += fmt.Sprintf("\n%s %s: %s", result.ResourceKey.Kind, result.ResourceKey.Name, result.Message)
			}
		}
		return kubectl.deleted, fmt.Errorf("%s: %s", phase, message)
	}
	return kubectl.deleted, nil
}

func isFailed(result synccommon.ResourceSyncResult) bool {
	return result.Status == synccommon.ResultCodeSyncFailed
}

// diff names what Argo CD would show as OutOfSync.
func (a *application) diff(t *testing.T) []string {
	t.Helper()
	config, err := argodiff.NewDiffConfigBuilder().
		WithDiffSettings(nil, nil, true, normalizers.IgnoreNormalizerOpts{}).
		WithTracking(common.LabelKeyAppInstance, string(v1alpha1.TrackingMethodAnnotation)).
		WithNoCache().
		WithLogger(logr.Discard()).
		WithManager(common.ArgoCDSSAManager).
		Build()
	kit.Must(t, err)
	results, err := argodiff.StateDiffs(a.lives(t), a.targets, config)
	kit.Must(t, err)
	var modified []string
	for i, result := range results.Diffs {
		if result.Modified {
			modified = append(modified, kit.Name(a.targets[i]))
		}
	}
	return modified
}

// strict asks the API server whether it takes every field of the stored objects' targets.
func (a *application) strict(t *testing.T) error {
	t.Helper()
	for i, live := range a.lives(t) {
		target := a.targets[i].DeepCopy()
		target.SetResourceVersion(live.GetResourceVersion())
		options := metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict}
		if _, err := a.cluster.client(target).Update(t.Context(), target, options); err != nil {
			return fmt.Errorf("%s: %w", kit.Name(target), err)
		}
	}
	return nil
}

// resourceVersions tell of each object whether somebody has written it.
func (a *application) resourceVersions(t *testing.T) map[string]string {
	t.Helper()
	versions := map[string]string{}
	for i, live := range a.lives(t) {
		if live == nil {
			versions[kit.Name(a.targets[i])] = "missing"
		} else {
			versions[kit.Name(a.targets[i])] = live.GetResourceVersion()
		}
	}
	return versions
}

// wave is where design and documentation put an object. It is written down here once more, so that a wave that is
// wrong in the program is wrong against something.
func wave(object *unstructured.Unstructured) int {
	labels := object.GetLabels()
	switch object.GetKind() {
	case "Namespace":
		if labels["liqo.io/tenant-namespace"] == "true" {
			return 0
		}
		return 6
	case "Secret":
		kind, _, _ := unstructured.NestedString(object.Object, "type")
		if labels["networking.liqo.io/gateway-resource"] == "true" || kind == "kubernetes.io/service-account-token" {
			return 1
		}
		if _, isNonce := labels["liqo.io/nonce"]; isNonce {
			return 3
		}
		return 4
	case "SealedSecret", "ExternalSecret":
		path := map[string][]string{"SealedSecret": {"spec"}, "ExternalSecret": {"spec", "target"}}[object.GetKind()]
		labels, _, _ := unstructured.NestedStringMap(object.Object, append(path, "template", "metadata", "labels")...)
		if labels["networking.liqo.io/gateway-resource"] == "true" {
			return 1
		}
		return 4
	case "PublicKey", "Configuration", "ServiceAccount":
		return 1
	case "GatewayServer", "GatewayClient":
		return 2
	case "RoleBinding":
		return 3
	case "Identity", "Tenant":
		return 4
	case "ResourceSlice":
		return 5
	case "VirtualNode":
		return 6
	case "NamespaceOffloading", "ForeignCluster":
		return 7
	}
	return -1
}

// applied are the objects in the order in which the API server stored them, right after the first sync: etcd counts.
func (a *application) applied(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	lives := a.lives(t)
	revision := func(i int) int {
		number, err := strconv.Atoi(lives[i].GetResourceVersion())
		kit.Must(t, err)
		return number
	}
	sort.Slice(lives, func(i, j int) bool { return revision(i) < revision(j) })
	return lives
}

// disorder says what comes too early in the order of the waves.
func disorder(objects []*unstructured.Unstructured) error {
	for i, object := range objects {
		if wave(object) < 0 {
			return fmt.Errorf("%s has no place in the order", kit.Name(object))
		}
		if i > 0 && wave(object) < wave(objects[i-1]) {
			return fmt.Errorf("%s, of wave %d, comes before %s, of wave %d (their annotations say %d and %d)",
				kit.Name(objects[i-1]), wave(objects[i-1]), kit.Name(object), wave(object),
				syncwaves.Wave(objects[i-1]), syncwaves.Wave(object))
		}
	}
	return nil
}
