package reposerver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
)

func TestSourceOverride(t *testing.T) {
	example := kit.Quickstart(t)
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	repo, service := newRepo(t), newService(t)
	folder := filepath.Join(repo.tree, example.Path)
	example.CopyTo(t, folder)

	// An Application that says no role, and a file beside peering.yaml that says it for this Application.
	silent := application(t, "consumer")
	silent.Spec.Source.Plugin.Parameters = nil
	kit.WriteFile(t, "plugin:\n  parameters:\n    - name: role\n      string: consumer\n", folder, ".argocd-source-"+silent.Name+".yaml")
	sameAsLocal(t, service, silent, repo.commit(t), example, "consumer")

	// Whoever can write to the folder can turn a role around. What then decides is the sealed files' terms: they give each
	// project one side.
	kit.WriteFile(t, "plugin:\n  parameters:\n    - name: role\n      string: provider\n", folder, ".argocd-source.yaml")
	turned := application(t, "consumer")
	turned.Name = "turned"
	if objects, err := generate(t, service, turned, repo.commit(t)); err == nil || !strings.Contains(err.Error(), "error[denied]") {
		t.Errorf("%d objects and %v", len(objects), err)
	}

	// The file's list of parameters replaces the Application's, so it takes `cluster` away as well: then nothing compares
	// the destination with the document. argocd-app/applicationset.yaml and argocd-app/README.md say so.
	document := filepath.Join(folder, "peering.yaml")
	text, err := os.ReadFile(document)
	kit.Must(t, err)
	moved := strings.Replace(string(text), "clusterID: consumer\n", "clusterID: consumer\n    argocdCluster: elsewhere\n", 1)
	kit.WriteFile(t, moved, document)
	compared := application(t, "consumer")
	compared.Name = "compared"
	kit.Must(t, os.Remove(filepath.Join(folder, ".argocd-source.yaml")))
	objects, err := generate(t, service, compared, repo.commit(t))
	if err == nil || !strings.Contains(err.Error(), "the plugin parameter `cluster` is") {
		t.Errorf("%d objects and %v", len(objects), err)
	}
	kit.WriteFile(t, "plugin:\n  parameters:\n    - name: role\n      string: consumer\n", folder, ".argocd-source.yaml")
	sameAsLocal(t, service, compared, repo.commit(t), example, "consumer")
}

func TestMonorepo(t *testing.T) {
	example := kit.Quickstart(t)
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	repo, service := newRepo(t), newService(t)
	example.CopyTo(t, filepath.Join(repo.tree, example.Path))
	// neighbours: a copied peering, a broken one, a chart, and a folder that is none of it
	example.CopyTo(t, filepath.Join(repo.tree, "peerings", "copied"))
	kit.WriteFile(t, "kind: [\n", repo.tree, "peerings", "broken", "peering.yaml")
	kit.WriteFile(t, "apiVersion: v2\nname: chart\nversion: 1.0.0\n", repo.tree, "chart", "Chart.yaml")
	kit.WriteFile(t, "hello\n", repo.tree, "README.md")
	commit := repo.commit(t)

	// the neighbours change nothing
	for _, role := range kit.Roles {
		sameAsLocal(t, service, application(t, role), commit, example, role)
	}
	for path, says := range map[string]string{
		"peerings/copied": `path="peerings/copied"`,
		"peerings/broken": "error[syntax]",
		"chart":           "error[document-file]: peering.yaml: there is no such file",
		"nowhere":         "nowhere: app path does not exist",
	} {
		application := application(t, "consumer")
		application.Spec.Source.Path = path
		application.Name = filepath.Base(path)
		objects, err := generate(t, service, application, commit)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %d objects and %v", path, len(objects), err)
		}
	}
}

// An Application that was meant for the plugin and does not say so must not turn into one without resources.
func TestWithoutPluginSection(t *testing.T) {
	example := kit.Quickstart(t)
	repo := newRepo(t)
	example.CopyTo(t, filepath.Join(repo.tree, example.Path))
	kit.WriteFile(t, "hello\n", repo.tree, "elsewhere", "README.md")
	commit := repo.commit(t)
	silent := application(t, "consumer")
	silent.Spec.Source.Plugin = nil

	t.Run("plain", func(t *testing.T) {
		kit.Serve(t, kit.PluginFile, example.Identity(t))
		objects, err := generate(t, newService(t), silent, commit)
		kit.Must(t, err)
		// Argo CD takes the folder for plain manifests, and peering.yaml for one, which no API server will take.
		if len(objects) != 1 || objects[0].GetKind() != "Peering" {
			t.Errorf("got %d objects", len(objects))
		}
	})
	t.Run("with discovery", func(t *testing.T) {
		kit.Serve(t, kit.DiscoveryFile, example.Identity(t))
		objects, err := generate(t, newService(t), silent, commit)
		if err == nil || !strings.Contains(err.Error(), "`role` is missing") {
			t.Errorf("got %d objects and %v", len(objects), err)
		}
		unnamed := application(t, "consumer")
		unnamed.Spec.Source.Plugin.Name = ""
		sameAsLocal(t, newService(t), unnamed, commit, example, "consumer")
		// no peering.yaml, so no plugin wants the folder
		unnamed.Spec.Source.Path = "elsewhere"
		objects, err = generate(t, newService(t), unnamed, commit)
		if err == nil || !strings.Contains(err.Error(), "find plugin supporting the given repository") {
			t.Errorf("got %d objects and %v", len(objects), err)
		}
	})
}
