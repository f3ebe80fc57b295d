package reposerver

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func generate(t *testing.T, service *repository.Service, application v1alpha1.Application, commit string) ([]*unstructured.Unstructured, error) {
	t.Helper()
	response, err := service.GenerateManifest(t.Context(), request(application, commit))
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	for _, manifest := range response.Manifests {
		object := &unstructured.Unstructured{}
		kit.Must(t, object.UnmarshalJSON([]byte(manifest)))
		objects = append(objects, object)
	}
	return objects, nil
}

// untracked takes off what the repo-server has added, and fails if it is not what it should be.
func untracked(t *testing.T, application v1alpha1.Application, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	for _, object := range objects {
		group := object.GroupVersionKind().Group
		namespace := object.GetNamespace()
		if namespace == "" {
			namespace = application.Spec.Destination.Namespace
		}
		want := fmt.Sprintf("%s:%s/%s:%s/%s", application.Name, group, object.GetKind(), namespace, object.GetName())
		annotations := object.GetAnnotations()
		if annotations[common.AnnotationKeyAppInstance] != want {
			t.Errorf("%s: the tracking id is %q", kit.Name(object), annotations[common.AnnotationKeyAppInstance])
		}
		delete(annotations, common.AnnotationKeyAppInstance)
		object.SetAnnotations(annotations)
		if len(annotations) == 0 {
			unstructured.RemoveNestedField(object.Object, "metadata", "annotations")
		}
	}
	return objects
}

func TestEveryExampleBothRoles(t *testing.T) {
	kit.Ran(t, "reposerver", "", kit.ArgoCD)
	for _, example := range kit.Examples(t) {
		t.Run(example.Name, func(t *testing.T) {
			kit.Serve(t, kit.PluginFile, example.Identity(t))
			repo, service := newRepo(t), newService(t)
			example.CopyTo(t, filepath.Join(repo.tree, example.Path))
			commit := repo.commit(t)
			for _, role := range example.Roles {
				t.Run(role, func(t *testing.T) {
					application := applicationOf(t, example, role)
					objects, err := generate(t, service, application, commit)
					kit.Must(t, err)
					objects = untracked(t, application, objects)
					if local := example.Local(t, role); !reflect.DeepEqual(objects, local) {
						t.Errorf("Argo CD has %d objects, a person's own run %d, and they differ", len(objects), len(local))
					}
				})
			}
		})
	}
}

// What the quickstart is, in full, so that an example that loses an object is noticed.
func TestQuickstart(t *testing.T) {
	example := kit.Quickstart(t)
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	repo, service := newRepo(t), newService(t)
	example.CopyTo(t, filepath.Join(repo.tree, example.Path))
	commit := repo.commit(t)
	for role, want := range map[string][]string{
		"consumer": {
			"Configuration provider in liqo-tenant-provider",
			"GatewayClient provider in liqo-tenant-provider",
			"Namespace demo",
			"Namespace liqo-tenant-provider",
			"NamespaceOffloading offloading in demo",
			"PublicKey gw-publickey in liqo-tenant-provider",
			"ResourceSlice provider in liqo-tenant-provider",
			"Secret gw-keys-* in liqo-tenant-provider",
			"Secret kubeconfig-controlplane-provider in liqo-tenant-provider",
		},
		"provider": {
			"Configuration consumer in liqo-tenant-consumer",
			"GatewayServer consumer in liqo-tenant-consumer",
			"Namespace liqo-tenant-consumer",
			"PublicKey gw-publickey in liqo-tenant-consumer",
			"RoleBinding * in liqo-tenant-consumer",
			"Secret gw-keys-* in liqo-tenant-consumer",
			"Tenant consumer in liqo-tenant-consumer",
		},
	} {
		objects, err := generate(t, service, application(t, role), commit)
		kit.Must(t, err)
		var left []string
		for _, object := range objects {
			left = append(left, kit.Name(object))
		}
		for _, pattern := range want {
			found := false
			for i, name := range left {
				if match, _ := filepath.Match(pattern, name); match {
					left = append(left[:i], left[i+1:]...)
					found = true
					break
				}
			}
			if !found {
				t.Errorf("%s: there is no %s", role, pattern)
			}
		}
		if len(left) != 0 {
			t.Errorf("%s: there is more: %v", role, left)
		}
	}
}

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
	objects, err := generate(t, service, silent, repo.commit(t))
	kit.Must(t, err)
	if got := untracked(t, silent, objects); !reflect.DeepEqual(got, example.Local(t, "consumer")) {
		t.Errorf("got %d objects, which are not the consumer's", len(got))
	}

	// Whoever can write to the folder can turn a role around. What then decides is the sealed files' terms: the
	// consumer's project is one of the seed's, so the provider's keys are printed.
	kit.WriteFile(t, "plugin:\n  parameters:\n    - name: role\n      string: provider\n", folder, ".argocd-source.yaml")
	turned := application(t, "consumer")
	turned.Name = "turned"
	objects, err = generate(t, service, turned, repo.commit(t))
	kit.Must(t, err)
	if got := untracked(t, turned, objects); !reflect.DeepEqual(got, example.Local(t, "provider")) {
		t.Errorf("got %d objects, which are not the provider's", len(got))
	}
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

	for _, role := range kit.Roles {
		application := application(t, role)
		objects, err := generate(t, service, application, commit)
		kit.Must(t, err)
		if got := untracked(t, application, objects); !reflect.DeepEqual(got, example.Local(t, role)) {
			t.Errorf("%s: the neighbours change the stream", role)
		}
	}
	for path, says := range map[string]string{
		"peerings/copied": "its terms do not name `peerings/copied` among the paths",
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
		}, []string{"error[denied]", "`default`"}},
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
		objects, err = generate(t, newService(t), unnamed, commit)
		kit.Must(t, err)
		if got := untracked(t, unnamed, objects); !reflect.DeepEqual(got, example.Local(t, "consumer")) {
			t.Errorf("got %d objects, which are not the consumer's", len(got))
		}
		// no peering.yaml, so no plugin wants the folder
		unnamed.Spec.Source.Path = "elsewhere"
		objects, err = generate(t, newService(t), unnamed, commit)
		if err == nil || !strings.Contains(err.Error(), "find plugin supporting the given repository") {
			t.Errorf("got %d objects and %v", len(objects), err)
		}
	})
}

// What the UI's Parameters tab gets.
func TestParameters(t *testing.T) {
	example := kit.Quickstart(t)
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	repo := newRepo(t)
	example.CopyTo(t, filepath.Join(repo.tree, example.Path))
	application := application(t, "consumer")
	source := application.Spec.Source
	source.TargetRevision = repo.commit(t)
	details, err := newService(t).GetAppDetails(t.Context(), &apiclient.RepoServerAppDetailsQuery{
		Repo:           &v1alpha1.Repository{Repo: source.RepoURL},
		Source:         source,
		AppName:        application.Name,
		TrackingMethod: string(v1alpha1.TrackingMethodAnnotation),
	})
	kit.Must(t, err)
	if details.Type != "Plugin" || len(details.Plugin.ParametersAnnouncement) != 1 || details.Plugin.ParametersAnnouncement[0].Name != "role" {
		t.Errorf("got %+v", details)
	}
}
