package reposerver

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
)

// pairOf is the folder of one peering of a large repository.
func pairOf(i int) string {
	return fmt.Sprintf("peerings/spoke-%04d/hub", i)
}

// large is a repository of peerings that need no sealed file to be opened, with files like sealed ones: as large, and
// impossible to compress below their bytes.
func large(t *testing.T, folders int) *repo {
	t.Helper()
	repo, sealed := newRepo(t), make([]byte, 700)
	for i := range folders {
		folder := filepath.Join(repo.tree, pairOf(i))
		for _, name := range []string{"peering.seed.age", "kubeconfig.age"} {
			_, _ = rand.Read(sealed)
			kit.WriteFile(t, base64.StdEncoding.EncodeToString(sealed), folder, name)
		}
		kit.WriteFile(t, fmt.Sprintf(`apiVersion: argocd-peering/v1alpha1
kind: Peering
metadata: { name: spoke-%04[1]d }
spec:
  consumer: { clusterID: spoke-%04[1]d, podCIDRs: [10.42.0.0/16], externalCIDR: 10.70.0.0/16 }
  provider: { clusterID: hub, podCIDRs: [10.43.0.0/16], externalCIDR: 10.71.0.0/16 }
  authentication: { subject: { kind: User, name: spoke-%04[1]d }, credential: pending }
  offloading: { resourceSlices: [{ resources: { cpu: "20" } }] }
`, i), folder, "peering.yaml")
	}
	return repo
}

// cost is what a round of the application-controller made the repo-server and the plugin do.
type cost struct {
	asked, rendered int
	bytes           int64
	took            time.Duration
}

func (c cost) String() string {
	return fmt.Sprintf("%4d Applications, %4d rendered, %10d bytes, %6d ms each", c.asked, c.rendered, c.bytes, c.took.Milliseconds()/int64(c.asked))
}

// round asks as the application-controller does when a commit has come (controller/state.go, GetRepoObjs): with the
// annotation, whether anything changed since the commit that is synced, and then for the manifests.
func round(t *testing.T, service *repository.Service, server *kit.Server, applications []v1alpha1.Application, annotated bool, synced, commit string) cost {
	t.Helper()
	cost, start := cost{asked: len(applications)}, time.Now()
	for _, application := range applications {
		before := server.Received.Load()
		request := request(application, commit)
		if annotated {
			request.AnnotationManifestGeneratePaths = application.Annotations[v1alpha1.AnnotationKeyManifestGeneratePaths]
			if synced != "" {
				_, err := service.UpdateRevisionForPaths(t.Context(), &apiclient.UpdateRevisionForPathsRequest{
					Repo:              request.Repo,
					Revision:          commit,
					SyncedRevision:    synced,
					Paths:             []string{application.Spec.Source.Path}, // what `.` stands for
					AppLabelKey:       common.LabelKeyAppInstance,
					AppName:           request.AppName,
					Namespace:         request.Namespace,
					TrackingMethod:    request.TrackingMethod,
					ApplicationSource: request.ApplicationSource,
					KubeVersion:       request.KubeVersion,
					ApiVersions:       request.ApiVersions,
				})
				kit.Must(t, err)
			}
		}
		objects, err := asked(t, service, request)
		kit.Must(t, err)
		if len(objects) == 0 {
			t.Fatalf("%s has no objects", application.Name)
		}
		// the smallest stream of a folder is larger than everything else that is said
		if received := server.Received.Load() - before; received > 1024 {
			cost.rendered++
			cost.bytes += received
		}
	}
	cost.took = time.Since(start)
	return cost
}

// A commit to one folder of a large repository, with and without what argocd-app and its install set. docs/project/bounds.md has
// the numbers of SCALE=1000 SCALE_APPLICATIONS=40.
func TestScale(t *testing.T) {
	setting := func(name string, usual int) int {
		if text := os.Getenv(name); text != "" {
			number, err := strconv.Atoi(text)
			kit.Must(t, err)
			return number
		}
		return usual
	}
	folders, count := setting("SCALE", 30), setting("SCALE_APPLICATIONS", 10)
	repo := large(t, folders)
	first := repo.commit(t)
	kit.Edit(t, filepath.Join(repo.tree, pairOf(0), "peering.yaml"), `cpu: "20"`, `cpu: "21"`)
	second := repo.commit(t)

	var applications []v1alpha1.Application
	for i := range count {
		role := kit.Roles[i%2]
		application := application(t, role)
		application.Name = fmt.Sprintf("spoke-%04d-hub-%s", i/2, role)
		application.Spec.Source.Path = pairOf(i / 2)
		for j, parameter := range application.Spec.Source.Plugin.Parameters {
			if parameter.Name == "cluster" {
				application.Spec.Source.Plugin.Parameters[j].String_ = map[string]*string{
					"consumer": ptr(fmt.Sprintf("spoke-%04d", i/2)), "provider": ptr("hub"),
				}[role]
			}
		}
		applications = append(applications, application)
	}
	if got := applications[0].Annotations[v1alpha1.AnnotationKeyManifestGeneratePaths]; got != "." {
		t.Fatalf("the Application's paths are %q", got)
	}
	example := kit.Quickstart(t)
	for _, way := range []struct {
		name               string
		annotated, narrow  bool
		rendered, eachMost int
	}{
		{"as Argo CD is by default", false, false, count, 0},
		{"with the annotation", true, false, 2, 0},
		{"with the annotation and the flag", true, true, 2, 16 << 10},
	} {
		t.Run(way.name, func(t *testing.T) {
			server := kit.Serve(t, kit.PluginFile, example.Identity(t))
			service := newServiceWith(t, func(flags *repository.RepoServerInitConstants) {
				flags.CMPUseManifestGeneratePaths = way.narrow
			})
			fresh := round(t, service, server, applications, way.annotated, "", first)
			after := round(t, service, server, applications, way.annotated, first, second)
			t.Logf("%d folders, %s", folders, way.name)
			t.Logf("the first time:           %v", fresh)
			t.Logf("a commit to one folder:   %v", after)
			if fresh.rendered != count || after.rendered != way.rendered {
				t.Errorf("rendered %d and %d of %d", fresh.rendered, after.rendered, count)
			}
			if most := int64(count * way.eachMost); most > 0 && fresh.bytes > most {
				t.Errorf("%d bytes for %d folders", fresh.bytes, count)
			}
			if whole := int64(count * folders * 1024); !way.narrow && fresh.bytes < whole {
				t.Errorf("%d bytes are less than the repository, %d times", fresh.bytes, count)
			}
		})
	}
}

func ptr(text string) *string { return &text }
