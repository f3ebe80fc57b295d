package reposerver

import (
	"context"
	"path/filepath"
	"slices"
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

// files is the Git generator's view of the repo-server: the real service, at a commit. How signatures of commits are
// to be verified is said in another type since Argo CD 3.4; the ApplicationSet asks for none.
type files[Signatures any] struct {
	service *repository.Service
	commit  string
}

// filesOf finds out that type from Argo CD's own interface.
func filesOf[Signatures any](
	_ func(services.Repos, context.Context, string, string, string, bool, Signatures) ([]string, error),
	service *repository.Service, commit string,
) files[Signatures] {
	return files[Signatures]{service, commit}
}

func (f files[Signatures]) GetFiles(ctx context.Context, url, _, _, pattern string, noRevisionCache bool, _ Signatures) (map[string][]byte, error) {
	response, err := f.service.GetGitFiles(ctx, &apiclient.GitFilesRequest{
		Repo:            &v1alpha1.Repository{Repo: url},
		Revision:        f.commit,
		Path:            pattern,
		NoRevisionCache: noRevisionCache,
	})
	return response.GetMap(), err
}

func (files[Signatures]) GetDirectories(context.Context, string, string, string, bool, Signatures) ([]string, error) {
	panic("the ApplicationSet asks for files")
}

// applications are what the controller makes of argocd-app/applicationset.yaml.
func applications(t *testing.T, service *repository.Service, commit string) (map[string]v1alpha1.Application, error) {
	t.Helper()
	var set v1alpha1.ApplicationSet
	manifest(t, &set, "argocd-app", "applicationset.yaml")
	inner := map[string]generators.Generator{
		"List": generators.NewListGenerator(),
		"Git":  generators.NewGitGenerator(filesOf(services.Repos.GetDirectories, service, commit), set.Namespace),
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

func side(document map[string]any, role string) map[string]any {
	return document["spec"].(map[string]any)[role].(map[string]any)
}

func other(role string) string {
	if role == "consumer" {
		return "provider"
	}
	return "consumer"
}

func TestApplicationSet(t *testing.T) {
	repo, service := newRepo(t), newService(t)
	examples := slices.DeleteFunc(kit.Examples(t), kit.Example.Half)
	for _, example := range examples {
		example.CopyTo(t, filepath.Join(repo.tree, example.Path))
	}
	commit := repo.commit(t)
	made, err := applications(t, service, commit)
	kit.Must(t, err)
	if len(made) != 2*len(examples) {
		t.Errorf("%d folders made the Applications %v", len(examples), names(made))
	}
	for _, example := range examples {
		document := example.Document(t)
		for _, role := range kit.Roles {
			name := document["metadata"].(map[string]any)["name"].(string) + "-" + role
			application, ok := made[name]
			if !ok {
				t.Errorf("there is no Application %s", name)
				continue
			}
			mine, peer := side(document, role), side(document, other(role))
			destination, namespace := mine["argocdCluster"], mine["tenantNamespace"]
			if destination == nil {
				destination = mine["clusterID"]
			}
			if namespace == nil {
				namespace = "liqo-tenant-" + peer["clusterID"].(string)
			}
			spec := application.Spec
			if spec.Destination.Name != destination || spec.Destination.Namespace != namespace {
				t.Errorf("%s goes to %+v", name, spec.Destination)
			}
			if spec.Project != "peering-"+role || spec.Source.Path != example.Path {
				t.Errorf("%s is %+v", name, spec)
			}
			if len(application.Finalizers) != 0 {
				t.Errorf("%s has the finalizers %v", name, application.Finalizers)
			}
		}
	}

	// The two Applications that are written out are what the set makes.
	for _, role := range kit.Roles {
		want := application(t, role)
		got := made[want.Name]
		if !equality.Semantic.DeepEqual(got.Spec, want.Spec) || got.Namespace != want.Namespace {
			t.Errorf("the set makes\n%+v\nand %s.yaml is\n%+v", got.Spec, role, want.Spec)
		}
	}

	// And they generate.
	example := kit.Quickstart(t)
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	for _, role := range kit.Roles {
		sameAsLocal(t, service, made["consumer-provider-"+role], commit, example, role)
	}
}

// A peering.yaml in which the set does not find what it needs stops the set from being updated, as argocd-app/README.md
// says: an error, and no Application fewer that the controller would then delete. What is there goes on.
func TestBrokenFolder(t *testing.T) {
	for _, broken := range []struct{ name, from, to, says string }{
		{"no YAML", "kind: Peering", "kind: [", "unable to parse file"},
		{"no cluster ID", "clusterID: provider", "id: provider", "clusterID"},
		{"no side", "  provider:\n", "  supplier:\n", "clusterID"},
	} {
		t.Run(broken.name, func(t *testing.T) {
			repo, service := newRepo(t), newService(t)
			example := kit.Quickstart(t)
			example.CopyTo(t, filepath.Join(repo.tree, example.Path))
			folder := filepath.Join(repo.tree, "peerings", "broken")
			example.CopyTo(t, folder)
			kit.Edit(t, filepath.Join(folder, "peering.yaml"), broken.from, broken.to)
			commit := repo.commit(t)
			made, err := applications(t, service, commit)
			if err == nil || !strings.Contains(err.Error(), broken.says) {
				t.Errorf("made %v and %v", names(made), err)
			}
			t.Log(err)
			kit.Serve(t, kit.PluginFile, example.Identity(t))
			// and the broken folder changes nobody else's stream
			for _, role := range kit.Roles {
				sameAsLocal(t, service, application(t, role), commit, example, role)
			}
		})
	}
}

// A peering.yaml that only the plugin refuses keeps its two Applications, and they alone fail.
func TestRefusedFolder(t *testing.T) {
	repo, service := newRepo(t), newService(t)
	example := kit.Quickstart(t)
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	example.CopyTo(t, filepath.Join(repo.tree, example.Path))
	folder := filepath.Join(repo.tree, "peerings", "refused")
	example.CopyTo(t, folder)
	kit.Edit(t, filepath.Join(folder, "peering.yaml"), "10.42.0.0/16", "10.42.3.0/16")
	kit.Edit(t, filepath.Join(folder, "peering.yaml"), "name: consumer-provider", "name: refused")
	commit := repo.commit(t)
	made, err := applications(t, service, commit)
	kit.Must(t, err)
	want := []string{"consumer-provider-consumer", "consumer-provider-provider", "refused-consumer", "refused-provider"}
	if got := names(made); !slices.Equal(got, want) {
		t.Fatalf("made %v", got)
	}
	for name, application := range made {
		objects, err := generate(t, service, application, commit)
		if strings.HasPrefix(name, "consumer-provider-") {
			kit.Must(t, err)
		} else if err == nil || !strings.Contains(err.Error(), "error[cidr-host-bits]") {
			t.Errorf("%s: %d objects and %v", name, len(objects), err)
		}
	}
}

// A document cannot choose the project: the list's role wins over a key of that name.
func TestRoleOfTheDocument(t *testing.T) {
	repo, service := newRepo(t), newService(t)
	example := kit.Quickstart(t)
	folder := filepath.Join(repo.tree, example.Path)
	example.CopyTo(t, folder)
	kit.Edit(t, filepath.Join(folder, "peering.yaml"), "kind: Peering", "kind: Peering\nrole: provider\npath: elsewhere")
	made, err := applications(t, service, repo.commit(t))
	kit.Must(t, err)
	for _, role := range kit.Roles {
		spec := made["consumer-provider-"+role].Spec
		if spec.Project != "peering-"+role || spec.Source.Path != example.Path {
			t.Errorf("%s: got %+v", role, spec)
		}
	}
}
