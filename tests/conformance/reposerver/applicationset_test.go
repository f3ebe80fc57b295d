package reposerver

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/applicationset/controllers/template"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/services"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	log "github.com/sirupsen/logrus"
	"k8s.io/apimachinery/pkg/api/equality"
)

// folders is the Git generator's view of the repo-server: the real service, at a commit. How signatures of commits are
// to be verified is said in another type since Argo CD 3.5; the ApplicationSet asks for none.
type folders[Signatures any] struct {
	service *repository.Service
	commit  string
}

// foldersOf finds out that type from Argo CD's own interface.
func foldersOf[Signatures any](
	_ func(services.Repos, context.Context, string, string, string, bool, Signatures) ([]string, error),
	service *repository.Service, commit string,
) folders[Signatures] {
	return folders[Signatures]{service, commit}
}

func (f folders[Signatures]) GetDirectories(ctx context.Context, url, _, _ string, noRevisionCache bool, _ Signatures) ([]string, error) {
	response, err := f.service.GetGitDirectories(ctx, &apiclient.GitDirectoriesRequest{
		Repo:            &v1alpha1.Repository{Repo: url},
		Revision:        f.commit,
		NoRevisionCache: noRevisionCache,
	})
	return response.GetPaths(), err
}

func (folders[Signatures]) GetFiles(context.Context, string, string, string, string, bool, Signatures) (map[string][]byte, error) {
	panic("the ApplicationSet asks for no file")
}

// applications are what the controller makes of argocd-app/applicationset.yaml.
func applications(t *testing.T, service *repository.Service, commit string) (map[string]v1alpha1.Application, error) {
	t.Helper()
	var set v1alpha1.ApplicationSet
	manifest(t, &set, "argocd-app", "applicationset.yaml")
	inner := map[string]generators.Generator{
		"List": generators.NewListGenerator(),
		"Git":  generators.NewGitGenerator(foldersOf(services.Repos.GetDirectories, service, commit), set.Namespace),
	}
	all := map[string]generators.Generator{"Matrix": generators.NewMatrixGenerator(inner)}
	made, _, err := template.GenerateApplications(log.WithField("test", t.Name()), set, all, &utils.Render{}, nil)
	byName := map[string]v1alpha1.Application{}
	for _, application := range made {
		if _, twice := byName[application.Name]; twice {
			t.Errorf("two Applications are named %s", application.Name)
		}
		byName[application.Name] = application
	}
	return byName, err
}

func names(applications map[string]v1alpha1.Application) []string {
	var names []string
	for name := range applications {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// fleet is what the folders of a repository can be at once, by their paths: peerings/CONSUMER/PROVIDER.
func fleet(t *testing.T) map[string]kit.Example {
	t.Helper()
	fleet := map[string]kit.Example{}
	for _, example := range kit.Examples(t) {
		switch {
		case example.Name == "quickstart":
			fleet["peerings/consumer/provider"] = example
		case strings.HasPrefix(example.Name, "hub-and-spoke/"):
			fleet[example.Path] = example
		}
	}
	if len(fleet) != 4 {
		t.Fatalf("got %v", fleet)
	}
	return fleet
}

// commitOf is a commit of the fleet, after an edit of its work tree.
func commitOf(t *testing.T, edit func(tree string)) (map[string]kit.Example, *repository.Service, string) {
	t.Helper()
	repo, service, fleet := newRepo(t), newService(t), fleet(t)
	for path, example := range fleet {
		example.CopyTo(t, filepath.Join(repo.tree, path))
	}
	edit(repo.tree)
	return fleet, service, repo.commit(t)
}

func nothing(string) {}

func TestApplicationSet(t *testing.T) {
	fleet, service, commit := commitOf(t, func(tree string) {
		// what is not a folder of a peering makes no Application
		kit.WriteFile(t, "# Peerings", filepath.Join(tree, "README.md"))
		kit.WriteFile(t, "{}", filepath.Join(tree, "peerings", "schema", "peering.schema.json"))
	})
	made, err := applications(t, service, commit)
	kit.Must(t, err)
	if len(made) != 2*len(fleet) {
		t.Errorf("%d folders made the Applications %v", len(fleet), names(made))
	}
	for path := range fleet {
		clusters := strings.Split(path, "/")[1:]
		for i, role := range kit.Roles {
			name := clusters[0] + "-" + clusters[1] + "-" + role
			application, ok := made[name]
			if !ok {
				t.Errorf("there is no Application %s", name)
				continue
			}
			spec := application.Spec
			if spec.Destination.Name != clusters[i] || spec.Destination.Namespace != "liqo-tenant-"+clusters[1-i] {
				t.Errorf("%s goes to %+v", name, spec.Destination)
			}
			if spec.Project != "peering-"+role || spec.Source.Path != path {
				t.Errorf("%s is %+v", name, spec)
			}
			if len(application.Finalizers) != 0 {
				t.Errorf("%s has the finalizers %v", name, application.Finalizers)
			}
		}
	}

	// The two Applications that are written out are what the set makes, for their folder.
	for _, role := range kit.Roles {
		want := application(t, role)
		got := made[want.Name]
		want.Spec.Source.Path = "peerings/consumer/provider"
		if !equality.Semantic.DeepEqual(got.Spec, want.Spec) || got.Namespace != want.Namespace ||
			!maps.Equal(got.Annotations, want.Annotations) {
			t.Errorf("the set makes\n%+v\nand %s.yaml is\n%+v", got, role, want)
		}
	}

	// And they generate.
	kit.Serve(t, kit.PluginFile, kit.Quickstart(t).Identity(t))
	for path, example := range fleet {
		for _, role := range kit.Roles {
			name := strings.ReplaceAll(strings.TrimPrefix(path, "peerings/"), "/", "-") + "-" + role
			sameAsLocal(t, service, made[name], commit, example, role)
		}
	}
}

// A broken folder stops its own two Applications and no others: Argo CD reads no file of it.
func TestBrokenFolder(t *testing.T) {
	document := filepath.Join("peerings", "spoke-2", "hub", "peering.yaml")
	edit := func(from, to string) func(string) {
		return func(tree string) { kit.Edit(t, filepath.Join(tree, document), from, to) }
	}
	for _, broken := range []struct {
		name, says string
		edit       func(tree string)
	}{
		{"not YAML", "error[syntax]", edit("kind: Peering", "kind: [")},
		{"no cluster ID", "error[unknown-field]", edit("clusterID: hub", "id: hub")},
		{"no document", "error[document-file]", func(tree string) {
			kit.Must(t, os.Remove(filepath.Join(tree, document)))
		}},
		{"a document like a bomb", "error[", func(tree string) {
			kit.WriteFile(t, strings.Repeat("[", 1<<20), filepath.Join(tree, document))
		}},
	} {
		t.Run(broken.name, func(t *testing.T) {
			fleet, service, commit := commitOf(t, broken.edit)
			made, err := applications(t, service, commit)
			kit.Must(t, err)
			if len(made) != 2*len(fleet) {
				t.Fatalf("made %v", names(made))
			}
			kit.Serve(t, kit.PluginFile, kit.Quickstart(t).Identity(t))
			for name, application := range made {
				objects, err := generate(t, service, application, commit)
				if !strings.HasPrefix(name, "spoke-2-") {
					kit.Must(t, err)
				} else if err == nil || !strings.Contains(err.Error(), broken.says) {
					t.Errorf("%s: %d objects and %v", name, len(objects), err)
				}
			}
		})
	}
}

// The name of the folder decides the destination, and the plugin refuses it if the document disagrees. Nothing of the
// folder can choose the role, and with it the project.
func TestFolderOfAnotherCluster(t *testing.T) {
	_, service, commit := commitOf(t, func(tree string) {
		kit.Must(t, os.Rename(filepath.Join(tree, "peerings", "spoke-3"), filepath.Join(tree, "peerings", "spoke-9")))
		kit.Edit(t, filepath.Join(tree, "peerings", "spoke-2", "hub", "peering.yaml"), "kind: Peering", "kind: Peering\nrole: provider\npath: elsewhere")
	})
	made, err := applications(t, service, commit)
	kit.Must(t, err)
	kit.Serve(t, kit.PluginFile, kit.Quickstart(t).Identity(t))
	_, err = generate(t, service, made["spoke-9-hub-consumer"], commit)
	if err == nil || !strings.Contains(err.Error(), "error[parameter]") || !strings.Contains(err.Error(), "`spoke-9`") {
		t.Errorf("got %v", err)
	}
	// its destination is right, and its sealed files are for another folder
	_, err = generate(t, service, made["spoke-9-hub-provider"], commit)
	if err == nil || !strings.Contains(err.Error(), "error[denied]") {
		t.Errorf("got %v", err)
	}
	for _, role := range kit.Roles {
		spec := made["spoke-2-hub-"+role].Spec
		if spec.Project != "peering-"+role || spec.Source.Path != "peerings/spoke-2/hub" {
			t.Errorf("%s: got %+v", role, spec)
		}
	}
}

// Whatever a folder is called, its two Applications are made, and those of the others stay what they are. The controller
// then refuses single Applications: a name that two folders give, a destination that it does not know
// (validateGeneratedApplications).
func TestOddNames(t *testing.T) {
	_, service, plain := commitOf(t, nothing)
	before, err := applications(t, service, plain)
	kit.Must(t, err)
	odd := []string{"a/b", "Rome/Milan", "a b/{{ .role }}", "'/\"", "ro:me/#", "0/1e3", "null/~", "é/ü"}
	_, service, commit := commitOf(t, func(tree string) {
		for _, name := range append(odd, "a/b/c", ".hidden/x", "x/.hidden") {
			kit.WriteFile(t, "", filepath.Join(tree, "peerings", filepath.FromSlash(name), "peering.yaml"))
		}
	})
	made, err := applications(t, service, commit)
	kit.Must(t, err)
	if len(made) != len(before)+2*len(odd) {
		t.Errorf("made %v", names(made))
	}
	for name, application := range before {
		if !equality.Semantic.DeepEqual(made[name].Spec, application.Spec) {
			t.Errorf("%s is now %+v", name, made[name])
		}
	}
	for _, name := range odd {
		path := "peerings/" + name
		clusters := strings.Split(name, "/")
		application, ok := made[clusters[0]+"-"+clusters[1]+"-consumer"]
		if !ok || application.Spec.Destination.Name != clusters[0] || application.Spec.Source.Path != path {
			t.Errorf("%s: %+v", name, application)
		}
	}
}
