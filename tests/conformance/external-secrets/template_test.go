// Package externalsecrets runs the templates of ExternalSecrets with the code of the external-secrets operator.
//
// It is a module of its own, so that the operator's dependencies do not change Argo CD's.
package externalsecrets

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	esv1 "github.com/external-secrets/external-secrets/apis/externalsecrets/v1"
	"github.com/external-secrets/external-secrets/pkg/controllers/templating"
	"github.com/external-secrets/external-secrets/pkg/template"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// root is the repository.
var root = filepath.Join("..", "..", "..")

// The Secret of a gateway is made from the store's value if that is the key of the document, and from no other value:
// immutable as it is, it would keep an old one.
func TestKeys(t *testing.T) {
	keys := func(object *esv1.ExternalSecret) bool { return object.Spec.Data[0].SecretKey == "privateKey" }
	all := externalSecrets(t, keys)
	if len(all) < 2 {
		t.Fatalf("the golden streams have %d gateway's keys", len(all))
	}
	for name, object := range all {
		t.Run(name, func(t *testing.T) {
			_, after, _ := strings.Cut(object.Spec.Target.Template.Data["publicKey"], `b64enc) "`)
			text, _, _ := strings.Cut(after, `"`)
			expected, err := base64.StdEncoding.DecodeString(text)
			must(t, err)
			// bytes that are no text, and a word that a template would run
			private := append([]byte("\xff\x00{{ .publicKey }}\n"), make([]byte, 13)...)

			secret, err := fill(object, map[string][]byte{"privateKey": private, "publicKey": expected})
			must(t, err)
			items := map[string][]byte{"privateKey": private, "publicKey": expected}
			if !maps.EqualFunc(secret.Data, items, bytes.Equal) {
				t.Errorf("the items are %s, and not the store's bytes", slices.Sorted(maps.Keys(secret.Data)))
			}
			if !maps.Equal(secret.Labels, object.Spec.Target.Template.Metadata.Labels) {
				t.Errorf("the labels are %v", secret.Labels)
			}

			old := sha256.Sum256([]byte("the key of the last generation"))
			for _, public := range [][]byte{old[:], nil, []byte(text), private} {
				_, err := fill(object, map[string][]byte{"privateKey": private, "publicKey": public})
				if err == nil {
					t.Fatalf("a Secret from %q", public)
				}
				for _, part := range []string{text, "argocd-peering keys export"} {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%v: there is no %s in it", err, part)
					}
				}
				// it gets into events and the object's status
				for _, value := range [][]byte{private, public} {
					encoded := base64.StdEncoding.EncodeToString(value)
					if len(value) > 0 && string(value) != text && (strings.Contains(err.Error(), string(value)) || strings.Contains(err.Error(), encoded)) {
						t.Errorf("%v: a value of the store is in it", err)
					}
				}
			}
		})
	}
}

// A kubeconfig is what the store has, and nothing is compared.
func TestKubeconfig(t *testing.T) {
	kubeconfig := func(object *esv1.ExternalSecret) bool { return object.Spec.Data[0].SecretKey == "kubeconfig" }
	all := externalSecrets(t, kubeconfig)
	if len(all) == 0 {
		t.Fatal("no golden stream has a kubeconfig")
	}
	for name, object := range all {
		items := map[string][]byte{"kubeconfig": []byte("apiVersion: v1 # {{ fail \"it ran\" }}\n")}
		secret, err := fill(object, items)
		must(t, err)
		if !maps.EqualFunc(secret.Data, items, bytes.Equal) {
			t.Errorf("%s: the items are %s", name, slices.Sorted(maps.Keys(secret.Data)))
		}
	}
}

// fill is what the operator makes of an ExternalSecret and the decoded values of the store, in its order: ApplyTemplate in
// external-secrets' pkg/controllers/externalsecret/externalsecret_controller_template.go, whose package has every provider.
func fill(object *esv1.ExternalSecret, values map[string][]byte) (*corev1.Secret, error) {
	written := object.Spec.Target.Template
	secret := &corev1.Secret{Type: written.Type, Data: map[string][]byte{}}
	if written.MergePolicy == esv1.MergePolicyMerge || len(written.Data) == 0 {
		maps.Copy(secret.Data, values)
	}
	execute, err := template.EngineForVersion(esv1.TemplateEngineV2) // the CRD's default
	if err != nil {
		return nil, err
	}
	parser := templating.Parser{TargetSecret: secret, DataMap: values, Exec: execute}
	for _, part := range []struct {
		templates map[string]string
		target    esv1.TemplateTarget
	}{
		{written.Data, esv1.TemplateTargetData},
		{written.Metadata.Labels, esv1.TemplateTargetLabels},
		{written.Metadata.Annotations, esv1.TemplateTargetAnnotations},
	} {
		if err := parser.MergeMap(part.templates, part.target); err != nil {
			return nil, err
		}
	}
	return secret, nil
}

// externalSecrets are those of the golden streams, by the operator's type. A field that the type does not have is an error.
func externalSecrets(t *testing.T, wanted func(*esv1.ExternalSecret) bool) map[string]*esv1.ExternalSecret {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "tests", "golden", "*", "*.yaml"))
	must(t, err)
	found := map[string]*esv1.ExternalSecret{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		for document := range strings.SplitSeq(string(text), "---\n") {
			if !strings.Contains(document, "kind: \"ExternalSecret\"") {
				continue
			}
			object := &esv1.ExternalSecret{}
			must(t, yaml.UnmarshalStrict([]byte(document), object))
			if wanted(object) {
				found[filepath.Base(filepath.Dir(file))+"-"+object.Name] = object
			}
		}
	}
	return found
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
