// Package kit is what the conformance tests share: the program, its examples laid out as their sealed files' terms
// want them, and Argo CD's own cmp-server on a socket.
package kit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v3/cmpserver"
	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/cmpserver/plugin"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/cmp"
	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"github.com/sirupsen/logrus"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const (
	// RepoURL is the repository that the examples' sealed files are bound to.
	RepoURL = "https://git.example.org/net/peerings.git"
	// KubeVersion is what the repo-server is told of the destination.
	KubeVersion = "1.34.2"
	// Revision stands for a commit where there is no Git repository.
	Revision = "0123456789abcdef0123456789abcdef01234567"
)

// Roles are the two values of the plugin's parameter.
var Roles = []string{"consumer", "provider"}

// What Argo CD logs of every call would bury what a test says.
func init() {
	logrus.SetOutput(io.Discard)
}

// Root is the repository under test.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	Must(t, err)
	for ; dir != "/"; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "Cargo.toml")); err == nil {
			return dir
		}
	}
	t.Fatal("no Cargo.toml above the working directory")
	return ""
}

// Binary is the program under test, from ARGOCD_PEERING_BIN, which tests/conformance/run sets.
func Binary(t testing.TB) string {
	t.Helper()
	binary := os.Getenv("ARGOCD_PEERING_BIN")
	if binary == "" {
		t.Fatal("ARGOCD_PEERING_BIN does not name the program: use tests/conformance/run")
	}
	return binary
}

// Must ends the test on an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ShortDir is a temporary folder whose path leaves room for a socket's name: a Unix socket's path ends at 107 bytes.
func ShortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "cp")
	Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

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
		// two organisations keep the halves of one peering at the same path, each in its repository
		if exists(filepath.Join(filepath.Dir(dir), document)) {
			example.Path = "peerings/" + filepath.Dir(name)
			example.Roles = []string{filepath.Base(name)}
		}
		examples = append(examples, example)
		return nil
	}))
	if len(examples) == 0 {
		t.Fatal("no example found")
	}
	return examples
}

const document = "peering.yaml"

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
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

// Says fails unless an error has all these words. Where versions of Argo CD differ, one of `one || other` is enough.
func Says(t testing.TB, err error, words []string) {
	t.Helper()
	for _, either := range words {
		found := false
		for _, one := range strings.Split(either, " || ") {
			found = found || strings.Contains(err.Error(), one)
		}
		if !found {
			t.Errorf("does not say %q: %v", either, err)
		}
	}
}

// Identity is a copy of the age identity that opens the example's files, outside every checkout: its own, or the
// quickstart's.
func (e Example) Identity(t testing.TB) string {
	t.Helper()
	for _, dir := range []string{e.Dir, filepath.Join(Root(t), "examples", "quickstart")} {
		files, err := filepath.Glob(filepath.Join(dir, "*"+identitySuffix))
		Must(t, err)
		if len(files) == 0 {
			continue
		}
		text, err := os.ReadFile(files[0])
		Must(t, err)
		path := filepath.Join(ShortDir(t), "identity.txt")
		Must(t, os.WriteFile(path, text, 0o600))
		return path
	}
	t.Fatal("no demo-identity.txt")
	return ""
}

const identitySuffix = "demo-identity.txt"

// Checkout is a fresh folder with the example at its path and nothing else: no identity, which nobody commits.
func (e Example) Checkout(t testing.TB) string {
	t.Helper()
	root := ShortDir(t)
	e.CopyTo(t, filepath.Join(root, e.Path))
	return root
}

// CopyTo copies the example's files into a folder.
func (e Example) CopyTo(t testing.TB, target string) {
	t.Helper()
	Must(t, filepath.WalkDir(e.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(entry.Name(), identitySuffix) {
			return err
		}
		if entry.IsDir() && path != e.Dir && exists(filepath.Join(path, document)) {
			return filepath.SkipDir // another example
		}
		relative, err := filepath.Rel(e.Dir, path)
		if err != nil {
			return err
		}
		to := filepath.Join(target, relative)
		if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	}))
}

// Local is the example's stream as a person gets it at their own machine, without Argo CD.
func (e Example) Local(t testing.TB, role string) []*unstructured.Unstructured {
	t.Helper()
	command := exec.Command(Binary(t), "generate", e.Dir, "--local", "--role", role, "--identity-file", e.Identity(t))
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.Output()
	if err != nil {
		t.Fatalf("generate --local: %v\n%s", err, stderr.String())
	}
	objects, err := kube.SplitYAML(stdout)
	Must(t, err)
	return objects
}

// Ran notes for docs/compatibility.md that a part passed, with the versions that are linked into this test. It does so
// when the test has ended, and only if it passed.
func Ran(t *testing.T, part, liqo string, modules ...string) {
	t.Helper()
	file := os.Getenv("CONFORMANCE_RAN")
	if file == "" {
		return
	}
	t.Cleanup(func() {
		if t.Failed() {
			return
		}
		note := part + "\t" + liqo
		for _, module := range modules {
			note += "\t" + linked(t, module)
		}
		notes, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		Must(t, err)
		_, err = fmt.Fprintln(notes, note)
		Must(t, err)
		Must(t, notes.Close())
	})
}

// linked is the version of a module that this test is built with; GOFLAGS says from which file, if it is not go.mod.
func linked(t *testing.T, module string) string {
	t.Helper()
	version, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", module).Output()
	Must(t, err)
	return strings.TrimSpace(string(version))
}

// The modules whose versions are of interest to a reader.
const (
	ArgoCD     = "github.com/argoproj/argo-cd/v3"
	Kubernetes = "k8s.io/kubernetes"
)

// LiqoTags are the tags of Liqo whose Go types tests/conformance/liqo has.
func LiqoTags(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Root(t), "tests", "conformance", "liqo", "v*.mod"))
	Must(t, err)
	var tags []string
	for _, file := range files {
		tags = append(tags, strings.TrimSuffix(filepath.Base(file), ".mod"))
	}
	return tags
}

// WriteFile writes a file of a checkout.
func WriteFile(t testing.TB, text string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	Must(t, os.WriteFile(file, []byte(text), 0o644))
}

// Edit replaces a text that must be there in a file.
func Edit(t testing.TB, file, from, to string) {
	t.Helper()
	text, err := os.ReadFile(file)
	Must(t, err)
	if !strings.Contains(string(text), from) {
		t.Fatalf("%s does not contain %q", filepath.Base(file), from)
	}
	Must(t, os.WriteFile(file, []byte(strings.Replace(string(text), from, to, 1)), 0o644))
}

// Plugin files of this repository.
const (
	PluginFile    = "plugin.yaml"
	DiscoveryFile = "argocd-app/install/plugin-with-discovery.yaml"
)

// Server is Argo CD's cmp-server, in this process, on a socket of its own.
type Server struct {
	Client apiclient.ConfigManagementPluginServiceClient
	// WorkDir is where it puts what it is sent.
	WorkDir string
}

// Serve starts the cmp-server with a plugin file of this repository, in which nothing but the two paths of the image
// is replaced. It sets variables of this process, so there is one at a time.
func Serve(t testing.TB, pluginFile, identity string) *Server {
	t.Helper()
	return ServeIn(t, pluginFile, identity, ShortDir(t))
}

// ServeIn is Serve with a work folder of the caller's choice.
func ServeIn(t testing.TB, pluginFile, identity, workDir string) *Server {
	t.Helper()
	sockets, configDir := ShortDir(t), ShortDir(t)
	t.Setenv(common.EnvPluginSockFilePath, sockets)
	t.Setenv(common.EnvCMPWorkDir, workDir)

	text, err := os.ReadFile(filepath.Join(Root(t), pluginFile))
	Must(t, err)
	config := string(text)
	for from, to := range map[string]string{
		`"/usr/local/bin/argocd-peering"`:             Binary(t),
		`"/etc/argocd-peering/identity/identity.txt"`: identity,
	} {
		if strings.Count(config, from) != 1 {
			t.Fatalf("%s has %s %d times", pluginFile, from, strings.Count(config, from))
		}
		config = strings.Replace(config, from, fmt.Sprintf("%q", to), 1)
	}
	WriteFile(t, config, configDir, common.PluginConfigFileName)

	pluginConfig, err := plugin.ReadPluginConfig(configDir)
	Must(t, err)
	server, err := cmpserver.NewServer(plugin.CMPServerInitConstants{PluginConfig: *pluginConfig})
	Must(t, err)
	service, err := server.CreateGRPC()
	Must(t, err)
	listener, err := net.Listen("unix", pluginConfig.Address())
	Must(t, err)
	go func() { _ = service.Serve(listener) }()
	t.Cleanup(service.Stop)

	connection, client, err := apiclient.NewConfigManagementPluginClientSet(pluginConfig.Address()).NewConfigManagementPluginClient()
	Must(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	return &Server{Client: client, WorkDir: common.GetCMPWorkDir()}
}

// Call is what an Application says: the values that the repo-server makes its environment of.
type Call struct {
	App, Project, Path string
	Parameters         v1alpha1.ApplicationSourcePluginParameters
	Env                v1alpha1.Env
	KubeVersion        string
}

// String is a parameter with one value.
func String(name, value string) v1alpha1.ApplicationSourcePluginParameter {
	return v1alpha1.ApplicationSourcePluginParameter{Name: name, String_: &value}
}

// CallOf is the call of the example's Application for a role.
func CallOf(example Example, role string) Call {
	return Call{
		App:         filepath.Base(example.Name) + "-" + role,
		Project:     "peering-" + role,
		Path:        example.Path,
		Parameters:  v1alpha1.ApplicationSourcePluginParameters{String("role", role)},
		KubeVersion: KubeVersion,
	}
}

// Environ is the environment that the repo-server builds for the call: newEnv and getPluginEnvs of
// reposerver/repository/repository.go, which are not exported. The tests of the package reposerver have the real one.
func (c Call) Environ(t testing.TB) []string {
	t.Helper()
	environ := []string{
		"ARGOCD_APP_NAME=" + c.App,
		"ARGOCD_APP_NAMESPACE=liqo-tenant-test",
		"ARGOCD_APP_PROJECT_NAME=" + c.Project,
		"ARGOCD_APP_REVISION=" + Revision,
		"ARGOCD_APP_REVISION_SHORT=" + Revision[:7],
		"ARGOCD_APP_REVISION_SHORT_8=" + Revision[:8],
		"ARGOCD_APP_SOURCE_REPO_URL=" + RepoURL,
		"ARGOCD_APP_SOURCE_PATH=" + c.Path,
		"ARGOCD_APP_SOURCE_TARGET_REVISION=main",
		"KUBE_VERSION=" + c.KubeVersion,
		"KUBE_API_VERSIONS=apps/v1,apps/v1/Deployment,v1,v1/Secret",
	}
	for _, entry := range c.Env {
		environ = append(environ, "ARGOCD_ENV_"+entry.Name+"="+entry.Value)
	}
	parameters, err := c.Parameters.Environ()
	Must(t, err)
	return append(environ, parameters...)
}

// Generate asks for manifests as the repo-server does: the checkout as a tgz in chunks, then one reply.
func (s *Server) Generate(ctx context.Context, checkout, path string, environ []string) ([]string, error) {
	stream, err := s.Client.GenerateManifest(ctx)
	if err != nil {
		return nil, err
	}
	if err := cmp.SendRepoStream(stream.Context(), filepath.Join(checkout, path), checkout, stream, environ, nil); err != nil {
		return nil, err
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return nil, err
	}
	return response.Manifests, nil
}

// GenerateCall is Generate within the minute that Argo CD gives it.
func (s *Server) GenerateCall(t testing.TB, checkout string, call Call) ([]string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return s.Generate(ctx, checkout, call.Path, call.Environ(t))
}

// Match asks whether the plugin wants a folder.
func (s *Server) Match(t testing.TB, checkout, path string, environ []string) *apiclient.RepositoryResponse {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stream, err := s.Client.MatchRepository(ctx)
	Must(t, err)
	Must(t, cmp.SendRepoStream(ctx, filepath.Join(checkout, path), checkout, stream, environ, nil))
	response, err := stream.CloseAndRecv()
	Must(t, err)
	return response
}

// Objects decodes manifests with the repo-server's own reader.
func Objects(t testing.TB, manifests []string) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	for _, manifest := range manifests {
		some, err := kube.SplitYAML([]byte(manifest))
		Must(t, err)
		objects = append(objects, some...)
	}
	return objects
}

// Name is how a person speaks of an object.
func Name(object *unstructured.Unstructured) string {
	name := object.GetKind() + " " + object.GetName()
	if object.GetNamespace() != "" {
		name += " in " + object.GetNamespace()
	}
	return name
}
