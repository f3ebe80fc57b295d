package stage

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

const (
	// argocdDir has what Argo CD's pods have in volumes.
	argocdDir = dir + "/argocd"
	plugins   = argocdDir + "/plugins"
	// podUser is the user of Argo CD's images.
	podUser = "999"
)

// Workloads are those of Argo CD's install.yaml. Processes stand for their pods, so they have no replicas.
var Workloads = []string{
	"argocd-application-controller", "argocd-applicationset-controller", "argocd-dex-server", "argocd-notifications-controller",
	"argocd-redis", "argocd-repo-server", "argocd-server",
}

// Kustomization is what a person installs Argo CD with: upstream's manifests, and further lines.
func Kustomization(further string) string {
	text := "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: argocd\nresources: [install.yaml]\n" + further +
		"replicas: # their pods are processes here\n"
	for _, name := range Workloads {
		text += "  - { name: " + name + ", count: 0 }\n"
	}
	return text
}

// InstallArgoCD applies upstream's manifests, registers the clusters and the repository, and starts the processes.
func (s *Stage) InstallArgoCD() error {
	manifests, err := os.ReadFile(filepath.Join(s.ArgoCD, "manifests", "install.yaml"))
	if err != nil {
		return err
	}
	install := filepath.Join(Home, "argo-cd")
	registered := `---
apiVersion: v1
kind: Secret
metadata: { name: peerings, namespace: argocd, labels: { argocd.argoproj.io/secret-type: repository } }
stringData: { type: git, url: ` + RepoURL + " }\n"
	for _, cluster := range Clusters {
		secret, err := cluster.register()
		if err != nil {
			return err
		}
		registered += secret
	}
	for name, text := range map[string]string{
		"install.yaml": string(manifests), "kustomization.yaml": Kustomization(""), "registered.yaml": registered,
	} {
		if err := os.MkdirAll(install, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(install, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"create", "namespace", "argocd"},
		{"apply", "--server-side", "-k", install},
		{"apply", "-f", filepath.Join(install, "registered.yaml")},
		// the process of the controller is its pod; no controller of this scene writes that, and doctor looks at it
		{"-n", "argocd", "patch", "statefulset", "argocd-application-controller", "--subresource=status", "--type=merge",
			"-p", `{"status":{"replicas":1,"readyReplicas":1}}`},
	} {
		if err := s.kubectl(args...); err != nil {
			return err
		}
	}
	// the person's clone of this repository
	if err := bind(s.Root, filepath.Join(Home, "argocd-peering"), "ro"); err != nil {
		return err
	}
	return s.startArgoCD()
}

func (s *Stage) startArgoCD() error {
	for _, folder := range []string{"tls", "ssh", "gnupg", "home", "tmp", "plugins", "bin"} {
		if err := os.MkdirAll(filepath.Join(argocdDir, folder), 0o755); err != nil {
			return err
		}
	}
	// what the image has in its PATH
	for _, name := range []string{"git-verify-wrapper.sh", "gpg-wrapper.sh", "git-ask-pass.sh"} {
		text, err := os.ReadFile(filepath.Join(s.ArgoCD, "hack", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(argocdDir, "bin", name), text, 0o755); err != nil {
			return err
		}
	}
	for _, component := range []string{"server", "repo-server", "application-controller", "applicationset-controller", "cmp-server"} {
		if err := os.Symlink(filepath.Join(bin, "argocd"), filepath.Join(argocdDir, "bin", "argocd-"+component)); err != nil {
			return err
		}
	}
	files := map[string]string{"kubeconfig": kubeconfig}
	for _, host := range []string{gitHost, guideHost, RegistryHost} {
		files[filepath.Join("tls", host)] = CertificateFile
	}
	for to, from := range files {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(argocdDir, to), text, 0o600); err != nil {
			return err
		}
	}
	if err := run("chown", "-R", podUser+":"+podUser, argocdDir); err != nil {
		return err
	}
	if err := s.start("redis", nil, "/usr/bin/redis-server", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"); err != nil {
		return err
	}
	if err := s.listens("redis", "tcp", "127.0.0.1:6379"); err != nil {
		return err
	}
	// The API server writes the settings that the others read.
	for _, component := range []struct {
		name, address string
		flags         []string
	}{
		{"argocd-server", "127.0.0.1:8080", []string{"--insecure", "--disable-auth", "--staticassets", ""}},
		{"argocd-repo-server", "127.0.0.1:8081", nil},
		{"argocd-application-controller", "127.0.0.1:8082", nil},
		{"argocd-applicationset-controller", "127.0.0.1:7000", []string{"--metrics-addr", ":8085", "--probe-addr", ":8086"}},
	} {
		if err := s.pod(component.name, component.flags...); err != nil {
			return err
		}
		if err := s.listens(component.name, "tcp", component.address); err != nil {
			return err
		}
	}
	return nil
}

// pod starts a component of Argo CD as its image's user, with the environment that stands for its pod's.
func (s *Stage) pod(name string, flags ...string) error {
	return s.podOf(name, name, argocdDir+"/tmp", plugins, flags...)
}

// podOf starts another pod of a component, with volumes of its own.
func (s *Stage) podOf(component, name, tmp, plugins string, flags ...string) error {
	env := []string{
		"PATH=" + argocdDir + "/bin:/usr/bin:/bin", "HOME=" + argocdDir + "/home", "TMPDIR=" + tmp, "HOSTNAME=" + name + "-0",
		"ARGOCD_FAKE_IN_CLUSTER=true", "KUBECONFIG=" + argocdDir + "/kubeconfig", "ARGOCD_GPG_ENABLED=false",
		"ARGOCD_TLS_DATA_PATH=" + argocdDir + "/tls", "ARGOCD_SSH_DATA_PATH=" + argocdDir + "/ssh", "ARGOCD_GNUPGHOME=" + argocdDir + "/gnupg",
		"ARGOCD_PLUGINSOCKFILEPATH=" + plugins, "ARGOCD_ASK_PASS_SOCK=" + tmp + "/ask-pass.sock",
	}
	argv := []string{"setpriv", "--reuid=" + podUser, "--regid=" + podUser, "--clear-groups", "--no-new-privs", argocdDir + "/bin/" + component}
	return s.start(name, env, append(argv, flags...)...)
}

// App is what an Application says of itself.
type App struct {
	Metadata struct {
		DeletionTimestamp string
		Annotations       map[string]string
	}
	Status struct {
		Sync           struct{ Status, Revision string }
		Health         struct{ Status string }
		Conditions     []struct{ Type, Message string }
		Resources      []Resource
		History        []struct{ ID int }
		OperationState struct {
			Phase, Message string
			SyncResult     struct {
				Revision  string
				Resources []struct{ Message string }
			}
		}
	}
}

// Resource is an object of an Application.
type Resource struct{ Group, Version, Kind, Namespace, Name, Status string }

// App is an Application of Argo CD, or nil.
func (s *Stage) App(name string) *App {
	text, err := s.Ask("kubectl -n argocd get application " + name + " -o json --ignore-not-found")
	s.must(err)
	if text == "" {
		return nil
	}
	app := &App{}
	s.must(json.Unmarshal([]byte(text), app))
	return app
}

// Says are the texts of an Application's conditions, a line each.
func (a *App) Says() string {
	var said []string
	for _, condition := range a.Status.Conditions {
		said = append(said, condition.Type+": "+condition.Message)
	}
	return strings.Join(said, "\n")
}
