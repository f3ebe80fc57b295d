package reposerver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

// The texts that a person sees in the Application's conditions.
func TestErrors(t *testing.T) {
	example := kit.Quickstart(t)
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	for _, bad := range []struct {
		name   string
		change func(t *testing.T, folder string, application *v1alpha1.Application)
		says   []string
	}{
		{"no role", func(_ *testing.T, _ string, application *v1alpha1.Application) {
			application.Spec.Source.Plugin.Parameters = nil
		}, []string{"CMP processing failed for application \"consumer-provider-consumer\" || plugin sidecar failed", "error[parameter]", "`role` is missing"}},
		{"another project", func(_ *testing.T, _ string, application *v1alpha1.Application) {
			application.Spec.Project = "default"
		}, []string{"error[denied]", `project="default"`}},
		{"a plugin of another name", func(_ *testing.T, _ string, application *v1alpha1.Application) {
			application.Spec.Source.Plugin.Name = "argocd-peering-v1"
		}, []string{"argocd-peering-v1", "could not find cmp-server plugin || couldn't find cmp-server plugin"}},
		{"a link out of the repository, anywhere in it", func(t *testing.T, folder string, _ *v1alpha1.Application) {
			kit.Must(t, os.Symlink("/etc/hostname", filepath.Join(folder, "..", "..", "elsewhere")))
		}, []string{"out-of-bounds symlinks", "elsewhere"}},
		{"a mistake in peering.yaml", func(t *testing.T, folder string, _ *v1alpha1.Application) {
			kit.Edit(t, filepath.Join(folder, "peering.yaml"), "10.42.0.0/16", "10.42.3.0/16")
		}, []string{"error[cidr-host-bits]", example.Line(t, "10.42.0.0/16"), "10.42.0.0/16"}},
	} {
		t.Run(bad.name, func(t *testing.T) {
			repo, service := newRepo(t), newService(t)
			folder := filepath.Join(repo.tree, example.Path)
			example.CopyTo(t, folder)
			application := application(t, "consumer")
			bad.change(t, folder, &application)
			commit := repo.commit(t)
			objects, err := generate(t, service, application, commit)
			if err == nil {
				t.Fatalf("no error, and %d objects", len(objects))
			}
			t.Log(err)
			kit.Says(t, err, bad.says)
			// Argo CD stores the text in the Application's status: it must not change by itself.
			_, again := generate(t, service, application, commit)
			if again == nil || again.Error() != err.Error() {
				t.Errorf("says another thing the second time: %v", again)
			}
		})
	}
}

// After three failures Argo CD gives the error from its cache, for an hour. A commit ends that.
func TestRepair(t *testing.T) {
	example := kit.Quickstart(t)
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	repo, service := newRepo(t), newService(t)
	document := filepath.Join(repo.tree, example.Path, "peering.yaml")
	example.CopyTo(t, filepath.Dir(document))
	kit.Edit(t, document, "10.42.0.0/16", "10.42.3.0/16")
	broken := repo.commit(t)
	for i := range 5 {
		_, err := generate(t, service, application(t, "consumer"), broken)
		if err == nil {
			t.Fatal("no error")
		}
		if cached := strings.Contains(err.Error(), "Manifest generation error (cached)"); cached != (i >= 3) {
			t.Errorf("failure %d: %v", i+1, err)
		}
	}
	kit.Edit(t, document, "10.42.3.0/16", "10.42.0.0/16")
	objects, err := generate(t, service, application(t, "consumer"), repo.commit(t))
	kit.Must(t, err)
	if len(objects) == 0 {
		t.Error("no object, and no error")
	}
}
