package reposerver

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// documented is the source of the parent Application in argocd-app/README.md.
func documented(t *testing.T) v1alpha1.ApplicationSource {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(kit.Root(t), "argocd-app", "README.md"))
	kit.Must(t, err)
	_, block, found := strings.Cut(string(text), "```yaml\nsource:\n")
	block, _, ends := strings.Cut(block, "```")
	if !found || !ends {
		t.Fatal("argocd-app/README.md has no source of a parent")
	}
	var parent struct{ Source v1alpha1.ApplicationSource }
	kit.Must(t, yaml.UnmarshalStrict([]byte("source:\n"+block), &parent))
	return parent.Source
}

// A parent Application over the folder of all peerings gets both Applications of each as argocd-app/README.md has it. What the
// repo-server makes of another one, `validate` reports before: an error, or the document as a manifest, which no API server takes.
func TestParent(t *testing.T) {
	example := kit.Quickstart(t)
	repo, service := newRepo(t), newService(t)
	folder := filepath.Join(repo.tree, example.Path)
	example.CopyTo(t, folder)
	for _, role := range kit.Roles {
		text, err := os.ReadFile(filepath.Join(kit.Root(t), "argocd-app", role+".yaml"))
		kit.Must(t, err)
		kit.WriteFile(t, string(text), folder, "application-"+role+".yaml")
	}
	schema, err := exec.Command(kit.Binary(t), "schema").Output()
	kit.Must(t, err)
	kit.WriteFile(t, string(schema), repo.tree, "peerings", "peering.schema.json")

	recursing := func(include, exclude string) v1alpha1.ApplicationSource {
		source := documented(t)
		source.Directory = &v1alpha1.ApplicationSourceDirectory{Recurse: true, Include: include, Exclude: exclude}
		return source
	}
	at := func(path string, source v1alpha1.ApplicationSource) v1alpha1.ApplicationSource {
		source.Path = path
		return source
	}
	plain := func(path string) v1alpha1.ApplicationSource {
		source := at(path, documented(t))
		source.Directory = nil
		return source
	}
	for _, parent := range []struct {
		name   string
		source v1alpha1.ApplicationSource
		// fails tells that the repo-server gives an error or a Peering; else it gives so many Applications.
		fails bool
		gives int
		// unknown tells that validate leaves it open.
		unknown bool
	}{
		{"as documented", documented(t), false, 2, false},
		{"everything", recursing("", ""), true, 0, false},
		{"every YAML file", recursing("*.yaml", ""), true, 0, false},
		{"every JSON file", recursing("*.json", ""), true, 0, false},
		{"all but the schema", recursing("", "*.schema.json"), true, 0, false},
		{"all but the document", recursing("", "**/peering.yaml"), true, 0, false},
		{"all but both", recursing("", "{**/peering.yaml,peering.schema.json}"), false, 2, false},
		{"all but both, by a list with spaces", recursing("", "{**/peering.yaml, peering.schema.json}"), true, 0, false},
		{"one side", recursing("*-consumer.yaml", ""), false, 1, false},
		{"a pattern without folders", recursing("application*.yaml", ""), false, 0, false},
		{"one star", recursing("*/application*.yaml", ""), false, 2, false},
		{"a list", recursing("{**/application-consumer.yaml,**/application-provider.yaml}", ""), false, 2, false},
		{"a list in a pattern", recursing("**/{peering,application-consumer}.yaml", ""), true, 0, false},
		{"a list in a pattern, of Applications", recursing("**/application-{consumer,provider}.yaml", ""), false, 2, false},
		{"a class", recursing("**/[o-q]eering.yaml", ""), true, 0, true},
		{"a class, excluded", recursing("*.yaml", "**/[!a-o]eering.yaml"), false, 2, true},
		{"one sign", recursing("**/?eering.yaml", ""), true, 0, false},
		{"an escaped sign", recursing("**/\\peering.yaml", ""), true, 0, true},
		{"included and excluded", recursing("**/application*.yaml", "**/application-provider.yaml"), false, 1, false},
		{"from the root", at(".", recursing("**/application*.yaml", "")), false, 2, false},
		{"from the root, everything", at(".", recursing("", "")), true, 0, false},
		{"from the root with a slash, everything", at("./peerings/", recursing("", "")), true, 0, false},
		{"not into folders", plain("peerings"), true, 0, false},
		{"a peering's folder", plain(example.Path), true, 0, false},
		{"a peering's folder, its Applications", at(example.Path, recursing("application*.yaml", "")), false, 2, false},
	} {
		t.Run(parent.name, func(t *testing.T) {
			application := v1alpha1.Application{Spec: v1alpha1.ApplicationSpec{
				Project: "parents", Source: &parent.source,
				Destination: v1alpha1.ApplicationDestination{Name: "in-cluster", Namespace: "argocd"},
			}}
			application.APIVersion, application.Kind, application.Name, application.Namespace = "argoproj.io/v1alpha1", "Application", "peerings", "argocd"
			text, err := yaml.Marshal(application)
			kit.Must(t, err)
			kit.WriteFile(t, string(text), repo.tree, "parent", "parent.yaml")

			objects, err := unmarshalled(t, service, application, repo.commit(t))
			isPeering := func(object *unstructured.Unstructured) bool { return object.GetKind() == "Peering" }
			if fails := err != nil || slices.ContainsFunc(objects, isPeering); fails != parent.fails {
				t.Errorf("the repo-server gives %d objects and %v", len(objects), err)
			}
			isApplication := func(object *unstructured.Unstructured) bool {
				return object.GetKind() == "Application" && strings.HasPrefix(object.GetName(), "consumer-provider-")
			}
			if given := len(slices.DeleteFunc(objects, func(it *unstructured.Unstructured) bool { return !isApplication(it) })); !parent.fails && given != parent.gives {
				t.Errorf("the repo-server gives %d Applications", given)
			}
			found, levels := reported(t, repo.tree, "./parent/parent.yaml")
			// a class in a pattern is not evaluated, and that is a note
			isUnknown := slices.ContainsFunc(found, func(it string) bool { return strings.HasPrefix(it, "it may take ") })
			if isUnknown != parent.unknown || !isUnknown && slices.Contains(levels, "error") != parent.fails {
				t.Errorf("validate reports %q, of the levels %q", found, levels)
			}
		})
	}
}

// unmarshalled are the objects of an Application as its controller reads them from the repo-server's answer: a manifest that is no
// object is its error (controller/state.go, unmarshalManifests).
func unmarshalled(t *testing.T, service *repository.Service, application v1alpha1.Application, commit string) ([]*unstructured.Unstructured, error) {
	t.Helper()
	response, err := service.GenerateManifest(t.Context(), request(application, commit))
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	for _, manifest := range response.Manifests {
		object, err := v1alpha1.UnmarshalToUnstructured(manifest)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// reported are the findings of `validate` on a file, and their levels.
func reported(t *testing.T, tree, file string) (found, levels []string) {
	t.Helper()
	var report struct {
		Findings []struct{ Level, Message, File string }
	}
	kit.Validate(t, tree, &report, ".")
	for _, finding := range report.Findings {
		if finding.File == file {
			found, levels = append(found, finding.Message), append(levels, finding.Level)
		}
	}
	return found, levels
}
