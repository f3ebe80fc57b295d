package corpus

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	kyaml "sigs.k8s.io/yaml"
)

// schema is a part of a CRD's schema.
type schema struct {
	Type       string
	Properties map[string]schema
	Items      *schema
}

// sample is a value with all fields of a schema.
func (s schema) sample() any {
	switch s.Type {
	case "array":
		return []any{s.Items.sample()}
	case "boolean":
		return true
	case "integer":
		return 1
	case "string":
		return "a"
	}
	fields := map[string]any{}
	for name, field := range s.Properties {
		fields[name] = field.sample()
	}
	return fields
}

// source names the plugin; the other sources of an Application only have their fields.
var source = map[string]any{
	"repoURL": "https://git.example.org/a", "path": "a", "targetRevision": "main",
	"plugin": map[string]any{"name": "argocd-peering", "parameters": []any{map[string]any{"name": "role", "string": "consumer"}}},
}

// What an Argo CD has in its CRDs is in the program's tables: a field that is new there is to be judged, or to get a reason.
func TestFieldsOfArgoCD(t *testing.T) {
	repository := newRepository(t)
	eachModule(t, func(t *testing.T, files map[string][]byte) {
		for _, kind := range []string{"Application", "ApplicationSet", "AppProject"} {
			text, isArgoCD := files["manifests/crds/"+strings.ToLower(kind)+"-crd.yaml"]
			if !isArgoCD {
				return
			}
			var crd struct {
				Spec struct {
					Versions []struct {
						Schema struct{ OpenAPIV3Schema schema }
					}
				}
			}
			if err := kyaml.Unmarshal(text, &crd); err != nil {
				t.Fatal(err)
			}
			spec, _ := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].sample().(map[string]any)
			switch kind {
			case "Application":
				maps.Copy(spec["source"].(map[string]any), source)
				spec["syncPolicy"].(map[string]any)["syncOptions"] = []any{}
			case "ApplicationSet":
				spec["generators"] = []any{map[string]any{"list": map[string]any{"elements": []any{map[string]any{}}}}}
				spec["template"] = map[string]any{"metadata": map[string]any{"name": "a"}, "spec": map[string]any{"source": source}}
			}
			// a project that an Application names
			object := map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": kind, "metadata": map[string]any{"name": "peering-provider"}, "spec": spec}
			written, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			repository.put(t, map[string][]byte{"object.json": written})
			said := 0
			for _, it := range repository.validate(t).NotJudged {
				if it.Kind != "field" {
					continue
				}
				said++
				if strings.HasPrefix(it.Reason, "no such field") {
					t.Errorf("%s: %s: %s", kind, it.What, it.Reason)
				}
			}
			if said == 0 {
				t.Errorf("%s: no field of %s is said", kind, written)
			}
		}
	})
}
