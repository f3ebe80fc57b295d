package main

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

// pod is a Pod that was given an address and, if there is a program for one of its containers, a place to run in.
type pod struct {
	address netip.Addr
	started metav1.Time
	// namespace is the name of its network namespace, and root the folder that its processes see as theirs.
	namespace, root string
	containers      map[string]*container
}

// container is a process that is started again whenever it ends.
type container struct {
	command  []string
	environ  []string
	log      string
	process  *exec.Cmd
	ended    atomic.Bool
	since    metav1.Time
	restarts int32
	probed   bool
}

// newPod makes a Pod's place. It starts nothing yet.
func (n *node) newPod(ctx context.Context, object *corev1.Pod) (*pod, error) {
	n.last = n.last.Next()
	if !n.prefix.Contains(n.last) {
		return nil, fmt.Errorf("%s has no address left", n.prefix)
	}
	p := &pod{address: n.last, started: metav1.Now().Rfc3339Copy(), containers: map[string]*container{}}
	for _, spec := range object.Spec.Containers {
		program, found := n.program(spec.Image)
		if !found {
			continue
		}
		environ, expand, err := n.environment(ctx, object, p, spec)
		if err != nil {
			return nil, err
		}
		command := []string{"/programs/" + program}
		for _, arg := range spec.Args {
			command = append(command, expansion.Expand(arg, expand))
		}
		log := fmt.Sprintf("%s.%s.%s.log", object.Namespace, object.Name, spec.Name)
		p.containers[spec.Name] = &container{command: command, environ: environ, log: filepath.Join(n.data, "pods", log)}
	}
	if len(p.containers) == 0 {
		return p, nil
	}
	p.namespace = "pod" + strings.ReplaceAll(p.address.String(), ".", "-")
	p.root = filepath.Join(n.data, "pods", string(object.UID))
	err := n.connect(p)
	if err == nil {
		err = n.furnish(ctx, object, p)
	}
	if err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// program is the one of an image, in the folder of the image's tag if there is one: ghcr.io/liqotech/gateway/wireguard:v1.2.0 is
// v1.2.0/wireguard. So a cluster runs the release that its chart names.
func (n *node) program(image string) (string, bool) {
	name, tag, _ := strings.Cut(path.Base(image), ":")
	for _, program := range []string{path.Join(tag, name), name} {
		if info, err := os.Stat(filepath.Join(n.programs, program)); err == nil && info.Mode().IsRegular() {
			return program, true
		}
	}
	return "", false
}

// keep starts what does not run, but not more often than every two seconds.
func (p *pod) keep() error {
	for _, c := range p.containers {
		if c.process != nil {
			if !c.ended.Load() || time.Since(c.since.Time) < 2*time.Second {
				continue
			}
			c.restarts++
		}
		if err := c.start(p); err != nil {
			return err
		}
	}
	return nil
}

func (c *container) start(p *pod) error {
	log, err := os.OpenFile(c.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	// each of these becomes the next one, so that the process is the container's
	process := exec.Command("ip", append([]string{"netns", "exec", p.namespace, "chroot", p.root}, c.command...)...)
	process.Env, process.Stdout, process.Stderr = c.environ, log, log
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	c.probed, c.since = false, metav1.Now().Rfc3339Copy()
	if err := process.Start(); err != nil {
		return err
	}
	c.process = process
	c.ended.Store(false)
	go func() {
		_ = process.Wait()
		c.ended.Store(true)
	}()
	// for who wants to look into the Pod: nsenter -t PID -n
	return os.WriteFile(strings.TrimSuffix(c.log, ".log")+".pid", fmt.Append(nil, process.Process.Pid), 0o600)
}

// stop ends the processes at once. Liqo's have nothing to say goodbye to.
func (p *pod) stop() {
	for _, c := range p.containers {
		if c.process == nil {
			continue
		}
		_ = c.process.Process.Kill()
		for !c.ended.Load() {
			time.Sleep(10 * time.Millisecond)
		}
		_ = os.Remove(strings.TrimSuffix(c.log, ".log") + ".pid")
	}
	if p.namespace != "" {
		_ = syscall.Unmount(p.root, syscall.MNT_DETACH)
		_ = command("ip", "netns", "delete", p.namespace)
	}
}
