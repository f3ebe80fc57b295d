package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/applicationset/controllers/template"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	log "github.com/sirupsen/logrus"
	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/controller-runtime/pkg/client"
	kyaml "sigs.k8s.io/yaml"
)

// everyFile is how long the files of a module may take together, each by itself in every way.
const everyFile = 2 * time.Minute

// way is how a foreign object is led to the sound folder: what becomes of its sources, and of a set's git generators.
type way struct {
	name              string
	source, generator func(node *yaml.Node)
}

const finds = "the generator finds the folder"

var ways = []way{
	{"the source is replaced", replace, func(*yaml.Node) {}},
	{"the fields are added", add, own},
	{finds, replace, find},
}

// Each foreign Application and ApplicationSet is led to the sound folder. Each is then judged or named; what Argo CD refuses is an
// error, and what it takes is none.
func TestPointedFiles(t *testing.T) {
	repository := newRepository(t)
	eachModule(t, func(t *testing.T, files map[string][]byte) {
		begun, tried := time.Now(), 0
		var seen seen
		for _, way := range ways {
			pointed := map[string][]byte{}
			for name, text := range files {
				led, objects := point(text, way)
				if len(objects) == 0 {
					continue
				}
				pointed[name] = led
				tried++
				repository.put(t, map[string][]byte{name: led})
				for _, fault := range seen.hold(repository, way, name, objects, repository.validate(t)) {
					t.Errorf("%s, %s: %s", name, way.name, fault)
				}
			}
			repository.put(t, pointed)
			repository.validate(t)
		}
		if took := time.Since(begun); took > everyFile {
			t.Errorf("%d files took %s", tried, took)
		}
		if tried > 0 && (seen.named == 0 || seen.refused == 0 || seen.fits == 0) {
			t.Errorf("of %d files nothing is refused, or not judged, or right: %+v", tried, seen)
		}
		t.Logf("%d files: %+v", tried, seen)
	})
}

// plugin is what leads a source to the sound folder.
func plugin() *yaml.Node {
	var node yaml.Node
	text := `{"name": "argocd-peering", "parameters": [{"name": "role", "string": "consumer"}]}`
	if err := yaml.Unmarshal([]byte(text), &node); err != nil {
		panic(err)
	}
	return node.Content[0]
}

const path = "peerings/consumer-provider"

func quoted(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle}
}

func add(source *yaml.Node) {
	set(source, "repoURL", quoted(kit.RepoURL))
	set(source, "path", quoted(path))
	set(source, "plugin", plugin())
}

func replace(source *yaml.Node) {
	source.Content = nil
	add(source)
}

// own has a git generator look into the repository of the sound folder.
func own(generator *yaml.Node) {
	set(generator, "repoURL", quoted(kit.RepoURL))
}

// find has it find the folder, by its name or by its document.
func find(generator *yaml.Node) {
	own(generator)
	for list, pattern := range map[string]string{"directories": "peerings/*", "files": "peerings/*/peering.yaml"} {
		if items := field(generator, list); items != nil {
			item := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{quoted("path"), quoted(pattern)}}
			*items = yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{item}}
		}
	}
}

func set(node *yaml.Node, key string, value *yaml.Node) {
	if at := field(node, key); at != nil {
		*at = *value
		return
	}
	node.Content = append(node.Content, quoted(key), value)
}

// field is the value of a key of a map.
func field(node *yaml.Node, key string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

func word(node *yaml.Node, key string) string {
	if value := field(node, key); value != nil {
		return value.Value
	}
	return ""
}

// point leads each source of an Application or of a set in a text to the sound folder. It returns the text and the objects, as an API
// server reads them. What is no YAML is another tool's template.
func point(text []byte, way way) (led []byte, objects [][]byte) {
	var written bytes.Buffer
	encoder := yaml.NewEncoder(&written)
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil
		}
		if len(document.Content) == 0 {
			continue
		}
		of := []*yaml.Node{document.Content[0]}
		if items := field(of[0], "items"); items != nil && strings.HasSuffix(word(of[0], "kind"), "List") {
			of = items.Content
		}
		for _, object := range of {
			kind := word(object, "kind")
			if !strings.HasPrefix(word(object, "apiVersion"), "argoproj.io/") || kind != "Application" && kind != "ApplicationSet" {
				continue
			}
			if pointSpecs(object, way) > 0 {
				one, err := yaml.Marshal(object)
				if err != nil {
					return nil, nil
				}
				objects = append(objects, one)
			}
		}
		if err := encoder.Encode(&document); err != nil {
			return nil, nil
		}
	}
	return written.Bytes(), objects
}

// pointSpecs leads the sources of each `spec` of an Application in a node: its own, its template's, that of a generator's template.
func pointSpecs(node *yaml.Node, way way) int {
	led := 0
	spec := field(node, "spec")
	sources := []*yaml.Node{field(spec, "source"), field(field(spec, "sourceHydrator"), "drySource")}
	if list := field(spec, "sources"); list != nil {
		sources = append(sources, list.Content...)
	}
	for _, source := range sources {
		if source != nil && source.Kind == yaml.MappingNode {
			way.source(source)
			led++
		}
	}
	if git := field(node, "git"); field(git, "repoURL") != nil {
		way.generator(git)
	}
	if node.Kind == yaml.MappingNode || node.Kind == yaml.SequenceNode {
		for _, child := range node.Content {
			led += pointSpecs(child, way)
		}
	}
	return led
}

// hold is what is wrong with a report on a file that has these objects, and nothing else, beside the sound folder.
func (s *seen) hold(repository *repository, way way, name string, objects [][]byte, now report) (faults []string) {
	file := "./" + beside + "/" + name
	isRefused, found := map[string]bool{}, []string{}
	for _, finding := range now.Findings {
		if finding.File == file {
			found = append(found, finding.Level+"["+finding.Code+"] "+finding.Message)
			isRefused[finding.Code] = isRefused[finding.Code] || finding.Level == "error"
		}
	}
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	var all []verdict
	for _, object := range objects {
		all = append(all, repository.ask(object))
	}
	at := slices.IndexFunc(now.NotJudged, func(it notJudged) bool { return it.What == file })
	if at >= 0 {
		s.named++
		// of a file the first reason is given, for all its objects of a kind
		reason := now.NotJudged[at].Reason
		if reason == "" || way.name == finds && all[0].makes > 0 && strings.Contains(reason, "find no folder") {
			say("Argo CD makes %d Applications; not judged: %q", all[0].makes, reason)
		}
		return faults
	}
	if judged := now.seen() - repository.sound.seen(); judged < len(objects) {
		say("of %d objects %d are judged: %+v", len(objects), judged, now)
	}
	for _, it := range all {
		switch {
		case it.refused != "":
			s.refused++
			// an Application's own, or that of the object that has no such project
			if !slices.Contains(slices.Collect(maps.Values(isRefused)), true) {
				say("Argo CD: %s; validate: %q", it.refused, found)
			}
		case it.fits && len(all) == 1:
			s.fits++
			// what its project does not permit has a code of its own
			if isRefused["application"] {
				say("Argo CD takes it; validate: %q", found)
			}
		case it.makes == 0 && len(found) == 0:
			say("Argo CD makes no Application, and nothing is reported")
		}
	}
	return faults
}

// seen is how many objects of each kind were tried.
type seen struct{ named, refused, fits int }

// verdict is what Argo CD's own code makes of an object.
type verdict struct {
	// refused is why it does not take it, or not to the folder.
	refused string
	// fits tells that it is the consumer's Application, and the only one of the object.
	fits bool
	// makes is how many Applications there are, or unknown.
	makes int
}

// unknown is how many Applications a set makes that asks another program.
const unknown = -1

func (r *repository) ask(text []byte) verdict {
	var kind struct{ Kind string }
	if err := kyaml.Unmarshal(text, &kind); err != nil {
		return verdict{refused: err.Error()}
	}
	if kind.Kind == "Application" {
		var application v1alpha1.Application
		if err := kyaml.Unmarshal(text, &application); err != nil {
			return verdict{refused: err.Error()}
		}
		refused := refusal(application)
		return verdict{refused: refused, fits: refused == "" && isConsumers(application), makes: 1}
	}
	var set v1alpha1.ApplicationSet
	if err := kyaml.Unmarshal(text, &set); err != nil {
		return verdict{refused: err.Error()}
	}
	if !isFinite(set) {
		return verdict{makes: unknown}
	}
	terminal := map[string]generators.Generator{"List": generators.NewListGenerator(), "Git": generators.NewGitGenerator(folder{r.root}, "argocd")}
	inner := maps.Clone(terminal)
	inner["Matrix"], inner["Merge"] = generators.NewMatrixGenerator(terminal), generators.NewMergeGenerator(terminal)
	all := maps.Clone(terminal)
	all["Matrix"], all["Merge"] = generators.NewMatrixGenerator(inner), generators.NewMergeGenerator(inner)
	made, _, err := template.GenerateApplications(log.NewEntry(log.StandardLogger()), set, all, &utils.Render{}, projects{})
	if err != nil {
		return verdict{refused: err.Error()}
	}
	for _, application := range made {
		if refused := refusal(application); refused != "" {
			return verdict{refused: refused}
		}
	}
	return verdict{makes: len(made), fits: len(made) == 1 && isConsumers(made[0])}
}

// isFinite tells whether what a set makes follows from the set and the repository alone.
func isFinite(set v1alpha1.ApplicationSet) bool {
	isHere := func(list *v1alpha1.ListGenerator, git *v1alpha1.GitGenerator) bool {
		return list != nil && list.ElementsYaml == "" || git != nil && git.RepoURL == kit.RepoURL
	}
	areHere := func(nested []v1alpha1.ApplicationSetNestedGenerator) bool {
		return !slices.ContainsFunc(nested, func(it v1alpha1.ApplicationSetNestedGenerator) bool { return !isHere(it.List, it.Git) })
	}
	return !slices.ContainsFunc(set.Spec.Generators, func(it v1alpha1.ApplicationSetGenerator) bool {
		return !isHere(it.List, it.Git) && (it.Matrix == nil || !areHere(it.Matrix.Generators)) && (it.Merge == nil || !areHere(it.Merge.Generators))
	})
}

// projects is the API server in which the Git generator finds each project, without a rule on signatures.
type projects struct{ client.Client }

func (projects) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return nil
}

// folder is the Git generator's view of a repository on this machine: what the repo-server finds with git
// (reposerver/repository/repository.go, GetGitDirectories and GetGitFiles).
type folder struct{ root string }

func (f folder) GetDirectories(_ context.Context, _, _, _ string, _, _ bool) (paths []string, err error) {
	return paths, filepath.WalkDir(f.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() || path == f.root {
			return err
		}
		if strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		name, err := filepath.Rel(f.root, path)
		paths = append(paths, name)
		return err
	})
}

func (f folder) GetFiles(_ context.Context, _, _, _, pattern string, _, _ bool) (map[string][]byte, error) {
	found := map[string][]byte{}
	names, err := exec.Command("git", "-C", f.root, "ls-files", "--cached", "--others", "-z", "--", pattern).Output()
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		if name == "" || err != nil {
			continue
		}
		found[name], err = os.ReadFile(filepath.Join(f.root, name))
	}
	return found, err
}

// refusal is why Argo CD does not render an Application with the plugin (pkg/apis/application/v1alpha1/types.go, ExplicitType;
// util/argo/argo.go, ValidateRepo and GetDestinationCluster; reposerver/repository/repository.go, which reads a chart instead of a path).
func refusal(application v1alpha1.Application) string {
	led := 0
	sources := application.Spec.GetSources()
	if application.Spec.SourceHydrator != nil {
		sources = v1alpha1.ApplicationSources{application.Spec.SourceHydrator.GetDrySource()}
	}
	for _, source := range sources {
		if source.Plugin == nil {
			continue
		}
		led++
		if _, err := source.ExplicitType(); err != nil {
			return err.Error()
		}
		if source.Chart != "" {
			return "the chart " + source.Chart
		}
	}
	destination := application.Spec.Destination
	switch {
	case led == 0:
		return "no source that is read has the plugin"
	case destination.Name != "" && destination.Server != "":
		return "a destination with a name and a server"
	case destination.Name == "" && destination.Server == "":
		return "a destination with neither a name nor a server"
	case application.Name != "" && len(validation.IsDNS1123Subdomain(application.Name)) > 0:
		return "the name " + application.Name
	}
	return ""
}

func isConsumers(application v1alpha1.Application) bool {
	destination := application.Spec.Destination
	spec := application.Spec
	isOne := len(spec.Sources) == 0 || len(spec.Sources) == 1 && spec.Source == nil
	return isOne && spec.SourceHydrator == nil && application.Name != "" &&
		(destination.Name == "in-cluster" || destination.Server == v1alpha1.KubernetesInternalAPIServerAddr)
}
