package apiserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/yaml"
)

// inLiqo runs Go in the module that knows Liqo, with its requirements for a tag.
func inLiqo(t *testing.T, liqo, command string, args ...string) string {
	t.Helper()
	return inModule(t, "liqo", command, append([]string{"-modfile=" + liqo + ".mod"}, args...)...)
}

// inModule runs Go in one of the modules beside this one.
func inModule(t *testing.T, module, command string, args ...string) string {
	t.Helper()
	program := exec.Command("go", append([]string{command}, args...)...)
	program.Dir = filepath.Join(kit.Root(t), "tests", "conformance", module)
	var stderr bytes.Buffer
	program.Stderr = &stderr
	output, err := program.Output()
	if err != nil {
		t.Fatalf("go %s %s in %s: %v\n%s", command, strings.Join(args, " "), module, err, stderr.String())
	}
	return strings.TrimSpace(string(output))
}

// programs has those of other modules, for all tests: each takes seconds to link.
var programs string

func build(t *testing.T, name, module string, args ...string) string {
	t.Helper()
	program := filepath.Join(programs, name)
	if _, err := os.Stat(program); err != nil {
		inModule(t, module, "build", append([]string{"-o", program}, args...)...)
	}
	return program
}

// crdsOf are Liqo's CRDs of a tag: its chart's, which is in the module that has the Go types.
func crdsOf(t *testing.T, liqo string) string {
	t.Helper()
	module := inLiqo(t, liqo, "list", "-f", "{{.Module.Dir}}", "github.com/liqotech/liqo/pkg/consts")
	return filepath.Join(module, "deployments", "liqo", "charts", "liqo-crds", "crds", "*.yaml")
}

// takes are the examples that a Liqo of this tag understands, and the names of those that say a newer one.
func takes(t *testing.T, liqo string) (examples []kit.Example, newer []string) {
	t.Helper()
	for _, example := range kit.Examples(t) {
		lowest, given, _ := unstructured.NestedString(example.Document(t), "spec", "liqoVersion")
		if given && version.MustParseGeneric(liqo).LessThan(version.MustParseGeneric(lowest)) {
			newer = append(newer, example.Name)
		} else {
			examples = append(examples, example)
		}
	}
	if len(examples) == 0 {
		t.Fatalf("every example is for a Liqo newer than %s", liqo)
	}
	return examples, newer
}

// typesOf builds the program that knows Liqo's Go types of a tag.
func typesOf(t *testing.T, liqo string) string {
	t.Helper()
	return build(t, liqo, "liqo", "-modfile="+liqo+".mod", ".")
}

func isLiqo(object *unstructured.Unstructured) bool {
	return strings.HasSuffix(object.GroupVersionKind().Group, ".liqo.io")
}

// liqo gives objects to the program that knows Liqo, and returns what it writes.
func (c *cluster) liqo(what string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	var in, stderr bytes.Buffer
	for _, object := range objects {
		if err := json.NewEncoder(&in).Encode(object.Object); err != nil {
			return nil, err
		}
	}
	command := exec.Command(c.liqoTypes, what)
	command.Stdin, command.Stderr = &in, &stderr
	out, err := command.Output()
	if err != nil {
		return nil, errors.New(strings.TrimSpace(stderr.String()))
	}
	var written []*unstructured.Unstructured
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); errors.Is(err, io.EOF) {
			return written, nil
		} else if err != nil {
			return nil, err
		}
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(raw); err != nil {
			return nil, err
		}
		written = append(written, object)
	}
}

// found fails on an object that Liqo, which looks objects up by label, would not find.
func (a *application) found() error {
	_, err := a.cluster.liqo("labels", a.targets)
	return err
}

// updateAsLiqo is what Liqo's controllers do with what they find: they read it into their types and update it. What
// comes back is what changed by that, though nobody meant to change anything.
func (a *application) updateAsLiqo(t *testing.T) ([]string, error) {
	t.Helper()
	var found []*unstructured.Unstructured
	for _, live := range a.lives(t) {
		if live != nil && isLiqo(live) {
			found = append(found, live)
		}
	}
	written, err := a.cluster.liqo("rewrite", found)
	if err != nil {
		return nil, err
	}
	var changed []string
	for i, object := range written {
		stored, err := a.cluster.client(object).Update(t.Context(), object, metav1.UpdateOptions{})
		if err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(stored.Object["spec"], found[i].Object["spec"]) {
			changed = append(changed, kit.Name(object))
		}
	}
	return changed, nil
}

// What Liqo's webhook adds to a VirtualNode's list when it is created, and what the program therefore adds before
// (src/peering/offloading/virtual_node/patch.rs), is the chart's default.
func TestAnnotationsNotReflected(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(kit.Root(t), "src", "peering", "offloading", "virtual_node", "patch.rs"))
	kit.Must(t, err)
	_, list, _ := strings.Cut(string(source), "const LIQO: ")
	list, _, _ = strings.Cut(list, "];\n")
	var ours []string
	for _, quoted := range regexp.MustCompile(`"[^"]+"`).FindAllString(list, -1) {
		ours = append(ours, strings.Trim(quoted, `"`))
	}
	for _, liqo := range kit.LiqoTags(t) {
		module := inLiqo(t, liqo, "list", "-f", "{{.Module.Dir}}", "github.com/liqotech/liqo/pkg/consts")
		text, err := os.ReadFile(filepath.Join(module, "deployments", "liqo", "values.yaml"))
		kit.Must(t, err)
		var values struct {
			Offloading struct {
				Reflection struct {
					Skip struct{ Labels, Annotations []string }
				}
			}
		}
		kit.Must(t, yaml.Unmarshal(text, &values))
		skip := values.Offloading.Reflection.Skip
		if len(skip.Labels) != 0 || !slices.Equal(skip.Annotations, ours) {
			t.Errorf("%s: the chart has %+v, and the program %v", liqo, skip, ours)
		}
	}
}
