// Package reposerver drives Argo CD's real repo-server service: a Git repository in, the manifests of an Application
// out, with the real cmp-server behind it; and the ApplicationSet's generators on top.
package reposerver

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/cache"
	"github.com/argoproj/argo-cd/v3/reposerver/metrics"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/git"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"

	cacheutil "github.com/argoproj/argo-cd/v3/util/cache"
)

// repo is a Git repository on this machine that Git finds under kit.RepoURL.
type repo struct {
	// tree is its work tree.
	tree string
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	repo := &repo{tree: kit.ShortDir(t)}
	config := filepath.Join(kit.ShortDir(t), "gitconfig")
	kit.WriteFile(t, "[user]\n\tname = nobody\n\temail = nobody@example.org\n[init]\n\tdefaultBranch = main\n"+
		"[url \"file://"+repo.tree+"\"]\n\tinsteadOf = "+kit.RepoURL+"\n"+
		"[safe]\n\tdirectory = *\n[uploadpack]\n\tallowAnySHA1InWant = true\n", config)
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "true")
	repo.git(t, "init", "--quiet")
	return repo
}

func (r *repo) git(t *testing.T, args ...string) string {
	t.Helper()
	output, err := exec.Command("git", append([]string{"-C", r.tree}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, output)
	}
	return strings.TrimSpace(string(output))
}

// commit is the ID of a commit of everything that is in the tree.
func (r *repo) commit(t *testing.T) string {
	t.Helper()
	r.git(t, "add", "--all")
	r.git(t, "commit", "--quiet", "--allow-empty", "--message", "a change")
	return r.git(t, "rev-parse", "HEAD")
}

// verifier puts Argo CD's own script into the PATH, as in its image. Since 3.5 the repo-server runs it for each commit.
func verifier(t *testing.T) {
	t.Helper()
	const name = "git-verify-wrapper.sh"
	text, err := os.ReadFile(filepath.Join(kit.ModuleDir(t, kit.ArgoCD), "hack", name))
	kit.Must(t, err)
	dir := kit.ShortDir(t)
	kit.Must(t, os.WriteFile(filepath.Join(dir, name), text, 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func newService(t *testing.T) *repository.Service {
	t.Helper()
	return newServiceWith(t, func(*repository.RepoServerInitConstants) {})
}

// newServiceWith is newService with other flags.
func newServiceWith(t *testing.T, set func(*repository.RepoServerInitConstants)) *repository.Service {
	t.Helper()
	verifier(t)
	memory := cacheutil.NewCache(cacheutil.NewInMemoryCache(time.Hour))
	// what the repo-server's flags say by default
	flags := repository.RepoServerInitConstants{
		MaxCombinedDirectoryManifestsSize:            resource.MustParse("10M"),
		PauseGenerationAfterFailedGenerationAttempts: 3,
		PauseGenerationOnFailureForMinutes:           60,
		EnableBuiltinGitConfig:                       true,
	}
	set(&flags)
	service := repository.NewService(
		metrics.NewMetricsServer(),
		cache.NewCache(memory, time.Hour, time.Hour, 10*time.Second),
		flags,
		git.NoopCredsStore{},
		kit.ShortDir(t),
	)
	kit.Must(t, service.Init())
	return service
}

// application is one of this repository's, read as strictly as an API server would.
func application(t *testing.T, role string) v1alpha1.Application {
	t.Helper()
	var application v1alpha1.Application
	manifest(t, &application, "argocd-app", role+".yaml")
	return application
}

func manifest(t *testing.T, into any, path ...string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{kit.Root(t)}, path...)...))
	kit.Must(t, err)
	kit.Must(t, yaml.UnmarshalStrict(text, into))
}

// request is what the application-controller asks the repo-server for an Application, with Argo CD's defaults.
func request(application v1alpha1.Application, commit string) *apiclient.ManifestRequest {
	return &apiclient.ManifestRequest{
		Repo:              &v1alpha1.Repository{Repo: application.Spec.Source.RepoURL},
		Revision:          commit,
		AppName:           application.Name,
		Namespace:         application.Spec.Destination.Namespace,
		ProjectName:       application.Spec.Project,
		ApplicationSource: application.Spec.Source,
		AppLabelKey:       common.LabelKeyAppInstance,
		TrackingMethod:    string(v1alpha1.TrackingMethodAnnotation),
		KubeVersion:       kit.KubeVersion,
		ApiVersions:       []string{"v1", "v1/Secret"},
	}
}

// applicationOf is this repository's Application for a role, for another example. The parameter `cluster` may be missing,
// and goes: it repeats a destination that is another one there.
func applicationOf(t *testing.T, example kit.Example, role string) v1alpha1.Application {
	t.Helper()
	application := application(t, role)
	application.Name = filepath.Base(example.Path) + "-" + role
	application.Spec.Source.Path = example.Path
	plugin := application.Spec.Source.Plugin
	plugin.Parameters = slices.DeleteFunc(plugin.Parameters, func(parameter v1alpha1.ApplicationSourcePluginParameter) bool {
		return parameter.Name == "cluster"
	})
	return application
}
