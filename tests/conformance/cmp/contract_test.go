// Package cmp drives Argo CD's real cmp-server with this repository's plugin.yaml and program.
package cmp

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"google.golang.org/protobuf/types/known/emptypb"

	argocmp "github.com/argoproj/argo-cd/v3/util/cmp"
)

// Without discovery an Application that names no plugin gets none.
func TestConfiguration(t *testing.T) {
	example := kit.Quickstart(t)
	for file, discovery := range map[string]bool{kit.PluginFile: false, kit.DiscoveryFile: true} {
		t.Run(file, func(t *testing.T) {
			server := kit.Serve(t, file, example.Identity(t))
			response, err := server.Client.CheckPluginConfiguration(t.Context(), &emptypb.Empty{})
			kit.Must(t, err)
			if response.IsDiscoveryConfigured != discovery || response.ProvideGitCreds {
				t.Fatalf("got %+v", response)
			}
			if match := server.Match(t, example.Checkout(t), example.Path, nil); match.IsSupported != discovery || match.IsDiscoveryEnabled != discovery {
				t.Errorf("got %+v", match)
			}
		})
	}
}

// What the probes of the sidecar ask.
func TestHealthcheck(t *testing.T) {
	identity := kit.Quickstart(t).Identity(t)
	server := kit.Serve(t, kit.PluginFile, identity)
	if name := filepath.Base(server.Socket); name != "argocd-peering.sock" {
		t.Errorf("the default of --socket has another name than %s", name)
	}
	check := func() string {
		command := exec.CommandContext(t.Context(), kit.Binary(t), "healthcheck", "--socket", server.Socket, "--identity-file", identity)
		output, err := command.CombinedOutput()
		return fmt.Sprintf("%v: %s", err, output)
	}
	if got := check(); got != "<nil>: healthy\n" {
		t.Error(got)
	}
	server.Stop()
	if got := check(); !strings.HasPrefix(got, "exit status 3: error[sidecar]: ") {
		t.Error(got)
	}
}

func TestParameterAnnouncement(t *testing.T) {
	example := kit.Quickstart(t)
	checkout := example.Checkout(t)
	for _, file := range []string{kit.PluginFile, kit.DiscoveryFile} {
		t.Run(file, func(t *testing.T) {
			server := kit.Serve(t, file, example.Identity(t))
			stream, err := server.Client.GetParametersAnnouncement(t.Context())
			kit.Must(t, err)
			kit.Must(t, argocmp.SendRepoStream(t.Context(), filepath.Join(checkout, example.Path), checkout, stream, nil, nil))
			response, err := stream.CloseAndRecv()
			kit.Must(t, err)
			if len(response.ParameterAnnouncements) != 2 {
				t.Fatalf("got %+v", response)
			}
			// Argo CD's UI reads the name, the title, the kind of collection and the defaults.
			for i, want := range []struct {
				name     string
				required bool
				words    []string
			}{{"role", true, kit.Roles}, {"cluster", false, []string{"destination.name"}}} {
				parameter := response.ParameterAnnouncements[i]
				if parameter.Name != want.name || parameter.CollectionType != "" || parameter.String_ != "" || parameter.Required != want.required {
					t.Errorf("got %+v", parameter)
				}
				for _, word := range want.words {
					if !strings.Contains(parameter.Title, word) {
						t.Errorf("the title %q does not say %q", parameter.Title, word)
					}
				}
			}
		})
	}
}

func TestEveryExampleBothRoles(t *testing.T) {
	kit.Ran(t, "cmp", "", kit.ArgoCD)
	for _, example := range kit.Examples(t) {
		t.Run(example.Name, func(t *testing.T) {
			server := kit.Serve(t, kit.PluginFile, example.Identity(t))
			checkout := example.Checkout(t)
			for _, role := range kit.Roles {
				t.Run(role, func(t *testing.T) {
					if !slices.Contains(example.Roles, role) {
						manifests, err := server.GenerateCall(t, checkout, kit.CallOf(example, role))
						if err == nil || !strings.Contains(err.Error(), "error[seed-elsewhere]") {
							t.Errorf("got %d manifests and %v", len(manifests), err)
						}
						return
					}
					manifests, err := server.GenerateCall(t, checkout, kit.CallOf(example, role))
					kit.Must(t, err)
					objects := kit.Objects(t, manifests)
					if len(objects) == 0 {
						t.Fatal("no manifest, and no error")
					}
					for _, object := range objects {
						if object.GetAPIVersion() == "" || object.GetKind() == "" || object.GetName() == "" {
							t.Errorf("an object without apiVersion, kind or name: %s", kit.Name(object))
						}
					}
					again, err := server.GenerateCall(t, checkout, kit.CallOf(example, role))
					kit.Must(t, err)
					if !reflect.DeepEqual(manifests, again) {
						t.Error("the second call gave other bytes")
					}
					if local := example.Local(t, role); !reflect.DeepEqual(objects, local) {
						t.Errorf("Argo CD gets %d objects, a person's own run %d, and they differ", len(objects), len(local))
					}
				})
			}
		})
	}
}

func TestDiscovery(t *testing.T) {
	example := kit.Quickstart(t)
	server := kit.Serve(t, kit.DiscoveryFile, example.Identity(t))
	checkout := example.Checkout(t)
	kit.WriteFile(t, "kind: Nothing\n", checkout, "elsewhere", "other.yaml")
	environ := kit.CallOf(example, "consumer").Environ(t)
	for _, probe := range []struct {
		path    string
		environ []string
		want    bool
	}{
		{example.Path, environ, true},
		{example.Path, nil, true}, // listing applications sends no environment
		{"elsewhere", environ, false},
		{".", environ, false},
	} {
		response := server.Match(t, checkout, probe.path, probe.environ)
		want := &apiclient.RepositoryResponse{IsSupported: probe.want, IsDiscoveryEnabled: true}
		if !reflect.DeepEqual(response, want) {
			t.Errorf("%s: got %+v", probe.path, response)
		}
	}
	for _, role := range kit.Roles {
		manifests, err := server.GenerateCall(t, checkout, kit.CallOf(example, role))
		kit.Must(t, err)
		if len(manifests) == 0 {
			t.Error("no manifest, and no error")
		}
	}
	for _, example := range kit.Examples(t) {
		if response := server.Match(t, example.Checkout(t), example.Path, nil); !response.IsSupported {
			t.Errorf("%s: got %+v", example.Name, response)
		}
	}
}
