package reposerver

import (
	"crypto/rand"
	"encoding/base64"
	"path/filepath"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
)

// With the annotation of argocd-app and the setting of its install, one folder is sent to the plugin, and after a commit to another folder
// nothing is. Without the setting it is the whole repository. tests/scene/run --many counts the calls of a whole Argo CD.
func TestOneFolder(t *testing.T) {
	const large = 1 << 20
	repo, example := newRepo(t), kit.Quickstart(t)
	example.CopyTo(t, filepath.Join(repo.tree, example.Path))
	random := make([]byte, large)
	_, _ = rand.Read(random)
	kit.WriteFile(t, base64.StdEncoding.EncodeToString(random), repo.tree, "elsewhere", "large")
	first := repo.commit(t)
	kit.WriteFile(t, "more", repo.tree, "elsewhere", "small")
	second := repo.commit(t)
	for _, narrow := range []bool{false, true} {
		server := kit.Serve(t, kit.PluginFile, example.Identity(t))
		service := newServiceWith(t, func(flags *repository.RepoServerInitConstants) { flags.CMPUseManifestGeneratePaths = narrow })
		// as the application-controller asks when a commit has come (controller/state.go, GetRepoObjs)
		ask := func(commit string) int64 {
			t.Helper()
			before, application := server.Received.Load(), application(t, "consumer")
			request := request(application, commit)
			request.AnnotationManifestGeneratePaths = application.Annotations[v1alpha1.AnnotationKeyManifestGeneratePaths]
			if request.AnnotationManifestGeneratePaths != "." {
				t.Fatalf("the Application's paths are %q", request.AnnotationManifestGeneratePaths)
			}
			if commit != first {
				_, err := service.UpdateRevisionForPaths(t.Context(), &apiclient.UpdateRevisionForPathsRequest{
					Repo: request.Repo, Revision: commit, SyncedRevision: first, AppLabelKey: common.LabelKeyAppInstance,
					Paths:   []string{application.Spec.Source.Path}, // what `.` stands for
					AppName: request.AppName, Namespace: request.Namespace, TrackingMethod: request.TrackingMethod,
					ApplicationSource: request.ApplicationSource, KubeVersion: request.KubeVersion, ApiVersions: request.ApiVersions,
				})
				kit.Must(t, err)
			}
			objects, err := asked(t, service, request)
			kit.Must(t, err)
			if len(objects) == 0 {
				t.Error("no object, and no error")
			}
			return server.Received.Load() - before
		}
		if sent := ask(first); (sent > large) == narrow || sent < 1024 {
			t.Errorf("with the setting (%t), %d bytes were sent", narrow, sent)
		}
		if sent := ask(second); sent > 1024 {
			t.Errorf("after a commit to another folder, %d bytes were sent", sent)
		}
	}
}
