package reposerver

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
)

// The type of a layer that the repo-server's flags allow by default, and those of what describes it (OCI image-spec, media-types.md).
const (
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	emptyType    = "application/vnd.oci.empty.v1+json"
)

// artifact serves a folder as an OCI artifact of one layer, as `oras push` makes it, under some tags. It returns its URL and the
// manifest's digest.
func artifact(t *testing.T, tree string, tags ...string) (url func(path string) string, digest func() string) {
	t.Helper()
	blobs := map[string][]byte{}
	add := func(content []byte) map[string]any {
		digest := fmt.Sprintf("sha256:%x", sha256.Sum256(content))
		blobs[digest] = content
		return map[string]any{"digest": digest, "size": len(content)}
	}
	manifest := ""
	push := func() {
		layer := add(archive(t, tree))
		layer["mediaType"] = layerType
		config := add([]byte("{}"))
		config["mediaType"] = emptyType
		text, err := json.Marshal(map[string]any{
			"schemaVersion": 2, "mediaType": manifestType, "config": config, "layers": []any{layer},
		})
		kit.Must(t, err)
		manifest = add(text)["digest"].(string)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		parts := strings.Split(request.URL.Path, "/")
		last, kind := parts[len(parts)-1], ""
		if len(parts) > 1 {
			kind = parts[len(parts)-2]
		}
		switch {
		case request.URL.Path == "/v2/":
		case kind == "tags":
			kit.Must(t, json.NewEncoder(w).Encode(map[string]any{"name": "net/peerings", "tags": tags}))
		case kind == "manifests" && (slices.Contains(tags, last) || last == manifest):
			w.Header().Set("Content-Type", manifestType)
			w.Header().Set("Docker-Content-Digest", manifest)
			w.Header().Set("Content-Length", fmt.Sprint(len(blobs[manifest])))
			_, _ = w.Write(blobs[manifest])
		case kind == "blobs" && blobs[last] != nil:
			_, _ = w.Write(blobs[last])
		default:
			http.NotFound(w, request)
		}
	}))
	t.Cleanup(server.Close)
	url = func(path string) string { return "oci" + strings.TrimPrefix(server.URL, "http") + "/" + path }
	return url, func() string { push(); return manifest }
}

// archive is a folder as a compressed tar.
func archive(t *testing.T, tree string) []byte {
	t.Helper()
	var packed bytes.Buffer
	compressed := gzip.NewWriter(&packed)
	writer := tar.NewWriter(compressed)
	kit.Must(t, writer.AddFS(os.DirFS(tree)))
	kit.Must(t, writer.Close())
	kit.Must(t, compressed.Close())
	return packed.Bytes()
}

// TestOCI renders both sides of the quickstart from an OCI artifact. The terms see its URL, the path in it and the tag of the
// Application; another tag, another repository and a file that was sealed for the Git repository are denied.
func TestOCI(t *testing.T) {
	example := kit.Quickstart(t)
	tree := kit.ShortDir(t)
	folder := filepath.Join(tree, example.Path)
	example.CopyTo(t, folder)
	url, push := artifact(t, tree, "1.0.0", "2.0.0")
	service := newServiceWith(t, func(flags *repository.RepoServerInitConstants) {
		flags.OCIMediaTypes = []string{layerType}
		flags.OCIManifestMaxExtractedSize = 1 << 30
	})
	kit.Serve(t, kit.PluginFile, example.Identity(t))
	source := func(role, repo, tag, name string) (v1alpha1.Application, error) {
		application := applicationOf(t, example, role)
		application.Name += name
		application.Spec.Source.RepoURL, application.Spec.Source.TargetRevision = url(repo), tag
		request := request(application, tag)
		request.Repo = &v1alpha1.Repository{Repo: url(repo), Type: "oci", InsecureOCIForceHttp: true}
		objects, err := asked(t, service, request)
		if err == nil {
			example := example
			example.Dir = folder
			if got, local := untracked(t, application, objects), example.Local(t, role); !reflect.DeepEqual(got, local) {
				t.Errorf("%s: Argo CD has %d objects, a person's own run %d, and they differ", role, len(got), len(local))
			}
		}
		return application, err
	}
	push()
	if _, err := source("consumer", "net/peerings", "1.0.0", "-git"); err == nil || !strings.Contains(err.Error(), "error[denied]") {
		t.Fatalf("what was sealed for the Git repository opens: %v", err)
	}
	reseal(t, example, folder, "--repo", url("net/peerings"), "--revision", "1.0.0")
	digest := push()
	for _, role := range kit.Roles {
		if _, err := source(role, "net/peerings", "1.0.0", ""); err != nil {
			t.Errorf("%s: %v", role, err)
		}
	}
	for _, other := range []struct{ repo, tag string }{{"net/others", "1.0.0"}, {"net/peerings", "2.0.0"}, {"net/peerings", digest}} {
		if _, err := source("consumer", other.repo, other.tag, "-"+fmt.Sprint(len(other.repo)+len(other.tag))); err == nil || !strings.Contains(err.Error(), "error[denied]") {
			t.Errorf("%+v: %v", other, err)
		}
	}
}

// reseal seals both files of a folder on other terms, for the identity that opens them.
func reseal(t *testing.T, example kit.Example, folder string, terms ...string) {
	t.Helper()
	identity := example.Identity(t)
	text, err := os.ReadFile(identity)
	kit.Must(t, err)
	recipient := regexp.MustCompile(`age1[0-9a-z]+`).FindString(string(text))
	arguments := append([]string{"reseal", folder, "--identity-file", identity, "--recipient", recipient}, terms...)
	refusal, _ := exec.Command(kit.Binary(t), arguments...).CombinedOutput()
	digest := regexp.MustCompile(`--expect (sha256:[0-9a-f]{64})`).FindSubmatch(refusal)
	if digest == nil {
		t.Fatalf("no question: %s", refusal)
	}
	if output, err := exec.Command(kit.Binary(t), append(arguments, "--expect", string(digest[1]))...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}
