package stage

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// sidecar is the name of the first pod's.
const sidecar = "sidecar"

// rootOf is the sidecar's file system.
func rootOf(name string) string { return dir + "/" + name }

// container is what the sidecar's container of the Deployment says.
type container struct {
	Name, Image     string
	Command, Args   []string
	SecurityContext struct {
		RunAsUser, RunAsGroup    int
		ReadOnlyRootFilesystem   bool
		AllowPrivilegeEscalation *bool
	}
	VolumeMounts []struct {
		Name, MountPath string
		ReadOnly        bool
	}
}

type deployment struct {
	Spec struct {
		Template struct {
			Spec struct {
				Containers []container
				Volumes    []struct {
					Name     string
					EmptyDir *struct{ SizeLimit string }
					Secret   *struct {
						SecretName  string
						DefaultMode uint32
						Items       []struct{ Key, Path string }
					}
				}
			}
		}
	}
}

// StartSidecar does what a kubelet does with the container argocd-peering of the Deployment argocd-repo-server: the image's
// files and nothing else, read-only, with the volumes, user and command that the Deployment says.
func (s *Stage) StartSidecar() { s.startSidecar(sidecar, plugins) }

// startSidecar starts one that has its socket in a folder.
func (s *Stage) startSidecar(name, plugins string) {
	root := rootOf(name)
	text, err := s.Ask("kubectl -n argocd get deployment argocd-repo-server -o json")
	s.must(err)
	var deployed deployment
	s.must(json.Unmarshal([]byte(text), &deployed))
	pod := deployed.Spec.Template.Spec
	var c *container
	for i := range pod.Containers {
		if pod.Containers[i].Name == "argocd-peering" {
			c = &pod.Containers[i]
		}
	}
	if c == nil {
		s.Fail("the Deployment argocd-repo-server has no container argocd-peering")
	}
	security := c.SecurityContext
	s.Holds(security.RunAsUser == 999 && security.RunAsGroup == 999 && security.ReadOnlyRootFilesystem &&
		security.AllowPrivilegeEscalation != nil && !*security.AllowPrivilegeEscalation,
		"the sidecar is user 999, read-only, and gains no privileges", security)

	s.must(os.MkdirAll(root, 0o755))
	s.must(run("mount", "-t", "tmpfs", "-o", "mode=755", name, root))
	// the image: the lines of the Dockerfile that copy
	s.must(copyFile(filepath.Join(s.Root, "plugin.yaml"), root+"/home/argocd/cmp-server/config/plugin.yaml", 0o444))
	s.must(bind(filepath.Join(bin, "argocd-peering-image"), root+"/usr/local/bin/argocd-peering", "ro"))
	// the runtime
	s.must(os.MkdirAll(root+"/proc", 0o755))
	s.must(run("mount", "-t", "proc", "proc", root+"/proc"))
	for _, device := range []string{"null", "zero", "urandom"} {
		s.must(bind("/dev/"+device, root+"/dev/"+device))
	}
	for _, mount := range c.VolumeMounts {
		target := root + mount.MountPath
		if mount.Name == "var-files" {
			// upstream's init container copies Argo CD's binary there
			s.must(bind(filepath.Join(bin, "argocd-static"), target+"/argocd-cmp-server", "ro"))
			continue
		}
		if mount.Name == "plugins" {
			s.must(bind(plugins, target))
			continue
		}
		for _, volume := range pod.Volumes {
			if volume.Name != mount.Name {
				continue
			}
			s.must(os.MkdirAll(target, 0o755))
			if volume.EmptyDir != nil {
				size := strings.TrimSuffix(volume.EmptyDir.SizeLimit, "i")
				s.must(run("mount", "-t", "tmpfs", "-o", "mode=1777,size="+size, mount.Name, target))
			}
			if volume.Secret != nil {
				s.secretVolume = filepath.Join(dir, mount.Name)
				s.must(os.MkdirAll(s.secretVolume, 0o755))
				s.MountSecret(volume.Secret.SecretName, volume.Secret.Items[0].Key, volume.Secret.Items[0].Path, volume.Secret.DefaultMode)
				s.must(bind(s.secretVolume, target, "ro"))
			}
		}
	}
	s.must(run("mount", "-o", "remount,ro", root))

	argv := append([]string{
		"setpriv", "--no-new-privs", "chroot", fmt.Sprintf("--userspec=%d:%d", security.RunAsUser, security.RunAsGroup), "--groups=", root,
	}, c.Command...)
	env := []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/"}
	s.must(s.start(name, env, append(argv, c.Args...)...))
	s.must(s.listens(name, "unix", plugins+"/argocd-peering.sock"))
	s.Note("the sidecar's processes are confined: %s", s.confinement(name))
}

// MountSecret writes a Secret's value as a kubelet does: a new folder, and a link that is moved to it.
func (s *Stage) MountSecret(secret, key, path string, mode uint32) {
	text, err := s.Ask(fmt.Sprintf("kubectl -n argocd get secret %s -o jsonpath={.data.%s}", secret, strings.ReplaceAll(key, ".", `\\.`)))
	s.must(err)
	value, err := base64.StdEncoding.DecodeString(text)
	s.must(err)
	s.mounted++
	version := "..version-" + strconv.Itoa(s.mounted)
	s.must(os.MkdirAll(filepath.Join(s.secretVolume, version), 0o755))
	file := filepath.Join(s.secretVolume, version, path)
	s.must(os.WriteFile(file, value, 0o600))
	s.must(os.Chmod(file, os.FileMode(mode)))
	s.must(os.Symlink(version, filepath.Join(s.secretVolume, "..new")))
	s.must(os.Rename(filepath.Join(s.secretVolume, "..new"), filepath.Join(s.secretVolume, "..data")))
	if link := filepath.Join(s.secretVolume, path); !exists(link) {
		s.must(os.Symlink(filepath.Join("..data", path), link))
	}
}

// confinement is what the kernel says of the sidecar's process.
func (s *Stage) confinement(name string) string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.processes[name].command.Process.Pid))
	s.must(err)
	var said []string
	for _, line := range strings.Split(string(status), "\n") {
		for _, field := range []string{"Uid:", "Gid:", "CapEff:", "NoNewPrivs:"} {
			if strings.HasPrefix(line, field) {
				said = append(said, strings.Join(strings.Fields(line), " "))
			}
		}
	}
	return strings.Join(said, ", ")
}

func copyFile(from, to string, mode os.FileMode) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(to, text, mode); err != nil {
		return err
	}
	return os.Chmod(to, mode)
}

// Mount puts a file into the sidecar, as a ConfigMap's volume would be, and starts it again.
func (s *Stage) Mount(text, path string) {
	s.Stop(sidecar)
	root := rootOf(sidecar)
	s.must(run("mount", "-o", "remount,rw", root))
	target := root + path
	s.must(os.MkdirAll(filepath.Dir(target), 0o755))
	_ = os.Remove(target)
	s.must(os.WriteFile(target, []byte(text), 0o444))
	s.must(run("mount", "-o", "remount,ro", root))
	s.Restart(sidecar)
}
