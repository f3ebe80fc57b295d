package reposerver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"sigs.k8s.io/yaml"
)

// The tests of the package cmp build the repo-server's environment themselves. It has to be the one that the real
// repo-server builds.
func TestEnvironment(t *testing.T) {
	example, environ, _, commit := watched(t)
	service := newService(t)

	application := application(t, "consumer")
	_, err := generate(t, service, application, commit)
	kit.Must(t, err)
	got := environ()

	call := kit.CallOf(example, "consumer")
	call.App = application.Name
	call.Parameters = append(call.Parameters, kit.String("cluster", "consumer"))
	want := call.Environ(t)
	actual := map[string]string{
		"ARGOCD_APP_NAMESPACE":              application.Spec.Destination.Namespace,
		"ARGOCD_APP_REVISION":               commit,
		"ARGOCD_APP_REVISION_SHORT":         commit[:7],
		"ARGOCD_APP_REVISION_SHORT_8":       commit[:8],
		"ARGOCD_APP_SOURCE_TARGET_REVISION": application.Spec.Source.TargetRevision,
		"KUBE_API_VERSIONS":                 strings.Join(request(application, commit).ApiVersions, ","),
	}
	for i, entry := range want {
		name, _, _ := strings.Cut(entry, "=")
		if value, ok := actual[name]; ok {
			want[i] = name + "=" + value
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the real one is\n%s\nand this one\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// watched serves the plugin with a program that notes its environment, for a repository with the quickstart and its
// commit. environ is the environment of the newest run, without what the cmp-server itself has.
func watched(t *testing.T) (example kit.Example, environ func() []string, repo *repo, commit string) {
	t.Helper()
	example = kit.Quickstart(t)
	dir := kit.ShortDir(t)
	spy, record := filepath.Join(dir, "spy"), filepath.Join(dir, "environ")
	script := fmt.Sprintf("#!/bin/sh\ncat /proc/$$/environ >'%s'\nexec '%s' \"$@\"\n", record, kit.Binary(t))
	kit.Must(t, os.WriteFile(spy, []byte(script), 0o755))
	t.Setenv("ARGOCD_PEERING_BIN", spy)
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	environ = func() []string {
		t.Helper()
		recorded, err := os.ReadFile(record)
		kit.Must(t, err)
		kit.Must(t, os.Remove(record))
		var got []string
		for _, entry := range strings.Split(strings.TrimRight(string(recorded), "\x00"), "\x00") {
			if !slices.Contains(os.Environ(), entry) {
				got = append(got, entry)
			}
		}
		return got
	}
	repo = newRepo(t)
	example.CopyTo(t, filepath.Join(repo.tree, example.Path))
	return example, environ, repo, repo.commit(t)
}

// What the term `revisions` of a sealed file is compared with: the Application's targetRevision as it is written,
// whatever it is resolved to.
func TestRevisions(t *testing.T) {
	_, environ, repo, main := watched(t)
	service := newService(t)
	repo.git(t, "tag", "v1")
	repo.git(t, "checkout", "--quiet", "-b", "other")
	other := repo.commit(t)
	repo.git(t, "update-ref", "refs/pull/7/head", other)
	repo.git(t, "checkout", "--quiet", "main")

	for i, test := range []struct{ target, sync, commit string }{
		{"main", "", main},
		{"refs/heads/main", "", main},
		{"v1", "", main},
		{"refs/tags/v1", "", main},
		{"v*", "", main}, // the newest tag that a semantic version allows
		{main, "", main},
		{"HEAD", "", main},
		{"", "", main},
		{"other", "", other},
		{"refs/pull/7/head", "", other},
		// `argocd app sync --revision`: the target is what the Application says (controller/state.go, GetRepoObjs)
		{"main", "other", other},
		{"main", other, other},
	} {
		application := application(t, "consumer")
		application.Name = fmt.Sprintf("%s-%d", application.Name, i) // failures of one name are cached
		// The repo-server asks a repository for its references without the rewriting of URLs that `repo` sets up.
		application.Spec.Source.RepoURL = "file://" + repo.tree
		application.Spec.Source.TargetRevision = test.target
		revision := test.target
		if test.sync != "" {
			revision = test.sync
		}
		if _, err := generate(t, service, application, revision); err == nil || !strings.Contains(err.Error(), "error[denied]") {
			t.Fatalf("%+v: the plugin ran, and its terms do not name this repository: %v", test, err)
		}
		got := environ()
		for _, entry := range []string{"ARGOCD_APP_SOURCE_TARGET_REVISION=" + test.target, "ARGOCD_APP_REVISION=" + test.commit} {
			if !slices.Contains(got, entry) {
				t.Errorf("%+v: the environment does not have %s", test, entry)
			}
		}
	}
}

// The plugin cannot tell in which namespace an Application is: with the right project it opens the files for one of a team as
// well. So the AppProjects have to keep such Applications out, and those of this repository do.
func TestApplicationsInAnyNamespace(t *testing.T) {
	_, environ, _, commit := watched(t)
	service := newService(t)
	application := application(t, "consumer")
	application.Namespace = "team"
	// what the application-controller reports (argo-cd `pkg/apis/application/v1alpha1/types.go`, InstanceName)
	application.Name = application.InstanceName("argocd")
	_, err := generate(t, service, application, commit)
	kit.Must(t, err)
	for _, entry := range environ() {
		if strings.Contains(entry, "ARGOCD_APP_PROJECT_NAME=") && !strings.HasSuffix(entry, "=peering-consumer") {
			t.Error(entry)
		}
	}
	for _, role := range kit.Roles {
		var project v1alpha1.AppProject
		text, err := os.ReadFile(filepath.Join(kit.Root(t), "argocd-app", "project-"+role+".yaml"))
		kit.Must(t, err)
		kit.Must(t, yaml.Unmarshal(text, &project)) // it has fields of a newer Argo CD than this one
		if project.IsAppNamespacePermitted(&application, "argocd") {
			t.Errorf("the project of the %s takes Applications of another namespace", role)
		}
		project.Spec.SourceNamespaces = []string{"team"}
		if !project.IsAppNamespacePermitted(&application, "argocd") {
			t.Errorf("the project of the %s would take none at all", role)
		}
	}
}
