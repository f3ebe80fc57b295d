package cmp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

type parameters = v1alpha1.ApplicationSourcePluginParameters

// Argo CD takes an empty success for an Application without resources, and would prune them all. So each of these has
// to fail, and with a text that helps the person who sees it in the UI. What else a document may have wrong is in tests/diagnostics.
func TestBadInput(t *testing.T) {
	example := kit.Quickstart(t)
	server := kit.Serve(t, kit.PluginFile, example.Identity(t))
	document := filepath.Join(example.Path, "peering.yaml")

	for _, bad := range []struct {
		name   string
		change func(t *testing.T, checkout string, call *kit.Call)
		says   []string
	}{
		{"parameter of another type", func(_ *testing.T, _ string, call *kit.Call) {
			array := &v1alpha1.OptionalArray{Array: []string{"consumer"}}
			call.Parameters = parameters{{Name: "role", OptionalArray: array}}
		}, []string{"error[parameter]", "`role`", "`array`"}},
		{"no role", func(_ *testing.T, _ string, call *kit.Call) {
			call.Parameters = nil
		}, []string{"error[parameter]", "`role` is missing"}},
		{"no peering.yaml", func(t *testing.T, checkout string, call *kit.Call) {
			kit.WriteFile(t, "kind: Nothing\n", checkout, "elsewhere", "other.yaml")
			call.Path = "elsewhere"
		}, []string{"error[document-file]", "peering.yaml", "`path`"}},
		{"peering.yaml over its cap", func(t *testing.T, checkout string, _ *kit.Call) {
			text, err := os.ReadFile(filepath.Join(checkout, document))
			kit.Must(t, err)
			kit.WriteFile(t, string(text)+strings.Repeat("# more\n", 10<<10), checkout, document)
		}, []string{"error[document-file]", "peering.yaml", "65536 bytes"}},
		{"peering.yaml is a link inside the tree", func(t *testing.T, checkout string, _ *kit.Call) {
			kit.Must(t, os.Rename(filepath.Join(checkout, document), filepath.Join(checkout, "moved.yaml")))
			kit.Must(t, os.Symlink("../../moved.yaml", filepath.Join(checkout, document)))
		}, []string{"error[document-file]", "symbolic link"}},
		{"peering.yaml is a relative link out of the tree", func(t *testing.T, checkout string, _ *kit.Call) {
			kit.Must(t, os.Remove(filepath.Join(checkout, document)))
			kit.Must(t, os.Symlink("../../../outside.yaml", filepath.Join(checkout, document)))
		}, []string{"illegal filepath in symlink || path escapes from parent"}}, // the cmp-server's own words
		{"the seed is a link", func(t *testing.T, checkout string, _ *kit.Call) {
			seed := filepath.Join(checkout, example.Path, "peering.seed.age")
			kit.Must(t, os.Rename(seed, seed+".moved"))
			kit.Must(t, os.Symlink("peering.seed.age.moved", seed))
		}, []string{"peering.seed.age", "symbolic link"}},
		{"an unknown parameter of 120 KiB", func(_ *testing.T, _ string, call *kit.Call) {
			// Argo CD gives it to the program twice: in its list of parameters, and as a variable of its own.
			call.Parameters = append(call.Parameters, kit.String("rolle", strings.Repeat("x", 120<<10)))
		}, []string{"error[parameter]", "`rolle`", "`role`"}},
		{"a role of 120 KiB", func(_ *testing.T, _ string, call *kit.Call) {
			call.Parameters = parameters{kit.String("role", strings.Repeat("x", 120<<10))}
		}, []string{"error[parameter]", "`role`"}},
		{"an environment that Linux does not take", func(_ *testing.T, _ string, call *kit.Call) {
			call.Env = v1alpha1.Env{{Name: "BIG", Value: strings.Repeat("x", 128<<10)}}
		}, []string{"argument list too long"}},
		{"a seed for another project", func(_ *testing.T, _ string, call *kit.Call) {
			call.Project = "default"
		}, []string{"error[denied]", "peering.seed.age", `project="default"`}},
		{"a seed copied to another folder", func(t *testing.T, checkout string, call *kit.Call) {
			call.Path = "peerings/copied"
			example.CopyTo(t, filepath.Join(checkout, call.Path))
		}, []string{"error[denied]", "peering.seed.age", `path="peerings/copied"`}},
		{"a seed for other clusters", func(t *testing.T, checkout string, _ *kit.Call) {
			kit.Edit(t, filepath.Join(checkout, document), "clusterID: provider", "clusterID: elsewhere")
		}, []string{"error[denied]", "peering.seed.age", "clusters"}},
		{"the Source Hydrator", func(_ *testing.T, _ string, call *kit.Call) {
			call.KubeVersion = ""
		}, []string{"error[hydration]", "KUBE_VERSION"}},
		{"a plain scalar that YAML 1.1 reads as a boolean", func(t *testing.T, checkout string, _ *kit.Call) {
			kit.Edit(t, filepath.Join(checkout, document), "clusterID: consumer", "clusterID: on")
		}, []string{"error[ambiguous-scalar]", example.Line(t, "clusterID: consumer"), "quote"}},
	} {
		t.Run(bad.name, func(t *testing.T) {
			checkout := example.Checkout(t)
			call := kit.CallOf(example, "consumer")
			bad.change(t, checkout, &call)
			manifests, err := server.GenerateCall(t, checkout, call)
			if err == nil {
				t.Fatalf("no error, and %d manifests", len(manifests))
			}
			t.Log(err)
			kit.Says(t, err, bad.says)
			// Argo CD stores it in the Application's status.
			if len(err.Error()) > 2<<10 {
				t.Errorf("the text has %d bytes", len(err.Error()))
			}
			// The cmp-server's folder has another name in each run. In an error of ours it would make each another one.
			if strings.Contains(err.Error(), server.WorkDir) && strings.Contains(err.Error(), "error[") {
				t.Errorf("names the work folder: %v", err)
			}
		})
	}

	t.Run("and after all of them", func(t *testing.T) {
		manifests, err := server.GenerateCall(t, example.Checkout(t), kit.CallOf(example, "consumer"))
		kit.Must(t, err)
		if len(manifests) == 0 {
			t.Error("no manifest, and no error")
		}
	})
}

func TestNoIdentity(t *testing.T) {
	example := kit.Quickstart(t)
	server := kit.Serve(t, kit.PluginFile, filepath.Join(t.TempDir(), "identity.txt"))
	_, err := server.GenerateCall(t, example.Checkout(t), kit.CallOf(example, "consumer"))
	if err == nil || !strings.Contains(err.Error(), "identity") {
		t.Errorf("got %v", err)
	}
}

func TestLegalButLarge(t *testing.T) {
	example := kit.Quickstart(t)
	server := kit.Serve(t, kit.PluginFile, example.Identity(t))
	usual, err := server.GenerateCall(t, example.Checkout(t), kit.CallOf(example, "consumer"))
	kit.Must(t, err)

	t.Run("a thousand unrelated files", func(t *testing.T) {
		checkout := example.Checkout(t)
		for i := range 500 {
			kit.WriteFile(t, strings.Repeat("x", i), checkout, example.Path, fmt.Sprintf("unrelated-%d.txt", i))
			kit.WriteFile(t, strings.Repeat("y", i), checkout, fmt.Sprintf("other-%d", i), "peering.yaml")
		}
		same(t, server, checkout, kit.CallOf(example, "consumer"), usual)
	})
	t.Run("an environment of 120 KiB", func(t *testing.T) {
		call := kit.CallOf(example, "consumer")
		call.Env = v1alpha1.Env{{Name: "BIG", Value: strings.Repeat("x", 120<<10)}}
		same(t, server, example.Checkout(t), call, usual)
	})
	t.Run("five hundred namespaces", func(t *testing.T) {
		checkout := example.Checkout(t)
		var more strings.Builder
		more.WriteString("    namespaces:\n")
		for i := range 500 {
			fmt.Fprintf(&more, "      - { name: more-%d, create: true, clusters: thisPeer }\n", i)
		}
		kit.Edit(t, filepath.Join(checkout, example.Path, "peering.yaml"), "    namespaces:\n", more.String())
		manifests, err := server.GenerateCall(t, checkout, kit.CallOf(example, "consumer"))
		kit.Must(t, err)
		counts := map[string]int{}
		for _, object := range kit.Objects(t, manifests) {
			counts[object.GetKind()]++
		}
		// The tenant's, the example's own, and these; and each but the tenant's is offloaded.
		if counts["Namespace"] != 502 || counts["NamespaceOffloading"] != 501 {
			t.Errorf("got %v", counts)
		}
	})
}
