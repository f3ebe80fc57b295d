package kit

import (
	"path/filepath"
	"testing"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

const (
	// RepoURL is the repository that the examples' sealed files are bound to.
	RepoURL = "https://git.example.org/net/peerings.git"
	// KubeVersion is what the repo-server is told of the destination.
	KubeVersion = "1.34.2"
	// Revision stands for a commit where there is no Git repository.
	Revision = "0123456789abcdef0123456789abcdef01234567"
)

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
