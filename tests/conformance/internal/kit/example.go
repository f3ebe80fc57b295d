package kit

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Roles are the two values of the plugin's parameter.
var Roles = []string{"consumer", "provider"}

// Example is a folder below examples/.
type Example struct {
	Name string
	// Dir is the folder in this repository.
	Dir string
	// Path is where its sealed files may be opened.
	Path string
	// Roles are those that the folder can be generated for: both, unless the other seed is elsewhere.
	Roles []string
}

// Half tells whether the example is one organisation's part of the example in the folder above.
func (e Example) Half() bool {
	return len(e.Roles) == 1
}

const document = "peering.yaml"

// Examples are all folders below examples/ that have a peering.yaml.
func Examples(t testing.TB) []Example {
	t.Helper()
	root := filepath.Join(Root(t), "examples")
	var examples []Example
	Must(t, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != document {
			return err
		}
		dir := filepath.Dir(file)
		name, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		example := Example{Name: name, Dir: dir, Path: "peerings/" + name, Roles: Roles}
		if name == "quickstart" {
			example.Path = "peerings/consumer-provider"
		}
		if spoke, ok := strings.CutPrefix(name, "hub-and-spoke/"); ok {
			example.Path = "peerings/" + spoke + "/hub"
		}
		// two organisations keep the halves of one peering at the same path, each in its repository
		if half, ok := strings.CutPrefix(name, "two-organisations/"); ok {
			example.Path = "peerings/two-organisations"
			example.Roles = []string{half}
		}
		examples = append(examples, example)
		return nil
	}))
	if len(examples) == 0 {
		t.Fatal("no example found")
	}
	return examples
}

// Quickstart is the example of the README.
func Quickstart(t testing.TB) Example {
	t.Helper()
	for _, example := range Examples(t) {
		if example.Name == "quickstart" {
			return example
		}
	}
	t.Fatal("examples/quickstart is missing")
	return Example{}
}

// Document is the example's peering.yaml, decoded.
func (e Example) Document(t testing.TB) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(e.Dir, document))
	Must(t, err)
	var decoded map[string]any
	Must(t, yaml.Unmarshal(text, &decoded))
	return decoded
}

// Line is how a diagnostic names the line of peering.yaml that has a text first.
func (e Example) Line(t testing.TB, text string) string {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(e.Dir, document))
	Must(t, err)
	before, _, found := strings.Cut(string(file), text)
	if !found {
		t.Fatalf("%s of %s does not contain %q", document, e.Name, text)
	}
	return fmt.Sprintf("%s:%d:", document, strings.Count(before, "\n")+1)
}
