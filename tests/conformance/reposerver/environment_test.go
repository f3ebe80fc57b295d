package reposerver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
)

// The tests of the package cmp build the repo-server's environment themselves. It has to be the one that the real
// repo-server builds.
func TestEnvironment(t *testing.T) {
	example := kit.Quickstart(t)
	dir := kit.ShortDir(t)
	spy, record := filepath.Join(dir, "spy"), filepath.Join(dir, "environ")
	script := fmt.Sprintf("#!/bin/sh\ncat /proc/$$/environ >'%s'\nexec '%s' \"$@\"\n", record, kit.Binary(t))
	kit.Must(t, os.WriteFile(spy, []byte(script), 0o755))
	t.Setenv("ARGOCD_PEERING_BIN", spy)
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	repo, service := newRepo(t), newService(t)
	example.CopyTo(t, filepath.Join(repo.tree, example.Path))
	commit := repo.commit(t)

	application := application(t, "consumer")
	_, err := generate(t, service, application, commit)
	kit.Must(t, err)
	recorded, err := os.ReadFile(record)
	kit.Must(t, err)
	var got []string
	for _, entry := range strings.Split(strings.TrimRight(string(recorded), "\x00"), "\x00") {
		if !slices.Contains(os.Environ(), entry) { // the cmp-server's own
			got = append(got, entry)
		}
	}

	call := kit.CallOf(example, "consumer")
	call.App = application.Name
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
