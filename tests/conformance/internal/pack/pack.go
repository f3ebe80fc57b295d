// Package pack reads health checks as Argo CD does. It is not in kit, whose users run with other versions of Argo CD too, and
// their go.mod has less.
package pack

import (
	"os"
	"path/filepath"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/argoproj/argo-cd/v3/util/settings"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"sigs.k8s.io/yaml"
)

// Read is what Argo CD reads of a pack of health checks, from the ConfigMap or the values of the chart.
func Read(t testing.TB, pack, install string) lua.ResourceHealthOverrides {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(kit.Root(t), "argocd-app", "install", pack, install))
	kit.Must(t, err)
	var file struct {
		Data    map[string]string
		Configs struct{ CM map[string]string }
	}
	kit.Must(t, yaml.Unmarshal(text, &file))
	data := file.Data
	if data == nil {
		data = file.Configs.CM
	}
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Name: name, Namespace: "argocd", Labels: map[string]string{"app.kubernetes.io/part-of": "argocd"}}
	}
	client := fake.NewClientset(
		&corev1.ConfigMap{ObjectMeta: meta(common.ArgoCDConfigMapName), Data: data},
		&corev1.Secret{ObjectMeta: meta(common.ArgoCDSecretName), Data: map[string][]byte{"server.secretkey": nil, "admin.password": nil}},
	)
	overrides, err := settings.NewSettingsManager(t.Context(), client, "argocd").GetResourceOverrides()
	kit.Must(t, err)
	checks := lua.ResourceHealthOverrides{}
	for kind, override := range overrides {
		if override.HealthLua != "" {
			checks[kind] = override
		}
	}
	return checks
}
