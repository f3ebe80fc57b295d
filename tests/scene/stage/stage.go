// Package stage is what a scene is played on: two clusters, a Git server, Argo CD and a person's shell, all of them
// processes of one machine in namespaces of their own.
package stage

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	// dir is where everything is written: a file system in memory that only the scene's processes see.
	dir = "/srv"
	// Home is the folder of the person who follows the tutorial.
	Home = dir + "/home"
	// bin has the programs of a person and of the image.
	bin = dir + "/bin"
	// RepoURL is the name under which Argo CD and a person know the repository.
	RepoURL = "https://git.example.org/net/peerings.git"
)

// Stage is everything that runs.
type Stage struct {
	*Transcript
	// Root is this repository.
	Root string
	// ArgoCD is the folder of Argo CD's module, which has its manifests.
	ArgoCD string
	// CRDs is the folder with Liqo's CRDs, where Liqo itself does not run.
	CRDs string
	// Liqo tells whether Liqo runs on all clusters, and liqo which releases.
	Liqo bool
	liqo []string

	logs      string
	programs  string
	processes map[string]*process
	people    []string
	// secretVolume is the sidecar's volume with the identity, and mounted how often it was written.
	secretVolume string
	mounted      int
}

// Options are what the program is called with.
type Options struct {
	Root, Programs, CRDs, Logs string
	// Liqo has the releases that run: one for all clusters, or the consumer's and the provider's. None: Liqo does not run.
	Liqo []string
	// Third adds a third cluster.
	Third bool
}

// New makes the folders and the network. It must run in network, mount and process namespaces of its own: tests/scene/run
// sees to that, and what is made here is gone when the last process of these namespaces ends.
func New(options Options) (*Stage, error) {
	if os.Getpid() != 1 {
		return nil, fmt.Errorf("this is not the first process of a namespace: use tests/scene/run")
	}
	argocd, err := filepath.EvalSymlinks(filepath.Join(options.Programs, "argocd.module"))
	if err != nil {
		return nil, err
	}
	if options.Third {
		Clusters, podsOf = append(Clusters, Third), podsOfThree
	}
	s := &Stage{
		Transcript: &Transcript{}, Root: options.Root, ArgoCD: argocd, CRDs: options.CRDs, Liqo: len(options.Liqo) > 0, liqo: options.Liqo,
		logs: options.Logs, programs: options.Programs, processes: map[string]*process{},
	}
	if err := os.RemoveAll(s.logs); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.logs, 0o755); err != nil {
		return nil, err
	}
	for _, folder := range []string{dir, "/run"} {
		if err := run("mount", "-t", "tmpfs", "-o", "mode=755", "scene", folder); err != nil {
			return nil, err
		}
	}
	for _, folder := range []string{Home, bin, "/run/netns"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
	}
	// bound and not linked, because the sidecar's user may not enter the folders above
	names := []string{"argocd-peering", "argocd-peering-image", "argocd", "argocd-static", "kubectl", "cluster", "oras"}
	if s.Liqo {
		names = append(names, "kubeseal")
	}
	for _, name := range names {
		if err := bind(filepath.Join(options.Programs, name), filepath.Join(bin, name)); err != nil {
			return nil, err
		}
	}
	// git and ssh read more of the machine's configuration than HOME
	s.people = []string{
		"HOME=" + Home, "PATH=" + bin + ":/usr/sbin:/usr/bin:/sbin:/bin", "KUBECONFIG=" + kubeconfig, "TERM=xterm-256color", "NO_COLOR=1", "LANG=C.UTF-8", "USER=ada",
		"GIT_CONFIG_NOSYSTEM=true", "ARGOCD_SERVER=argocd-server:8080", "ARGOCD_OPTS=--plaintext",
	}
	return s, s.network()
}

// End stops every process.
func (s *Stage) End() {
	for name := range s.processes {
		s.Stop(name)
	}
}

// bind shows a file, or a folder, at another path.
func bind(from, to string, options ...string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		err = os.MkdirAll(to, 0o755)
	} else if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil {
		err = os.WriteFile(to, nil, 0o644)
	}
	if err != nil {
		return err
	}
	if err := run("mount", "--bind", from, to); err != nil || len(options) == 0 {
		return err
	}
	return run("mount", append([]string{"-o", "remount,bind"}, append(options, to)...)...)
}

// run runs a command of the machine that has nothing to say unless it fails.
func run(name string, args ...string) error {
	if text, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %q: %w\n%s", name, args, err, text)
	}
	return nil
}

// Until waits for something that other processes do. When it takes too long, the step fails with what was there instead.
func (s *Stage) Until(what string, limit time.Duration, check func() (bool, string)) {
	start := time.Now()
	for {
		done, instead := check()
		if done {
			s.Note("%s (%s)", what, time.Since(start).Round(100*time.Millisecond))
			return
		}
		if time.Since(start) > limit {
			s.Fail("%s: not within %s; instead:\n%s", what, limit, instead)
		}
		time.Sleep(500 * time.Millisecond)
	}
}
