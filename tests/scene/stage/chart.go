package stage

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Chart applies a Helm chart to a cluster as `helm install` does, and waits until its Deployments run. The values are NAME=VALUE.
func (s *Stage) Chart(c Cluster, release, namespace string, values ...string) {
	folder := filepath.Join(c.data(), release)
	s.must(os.MkdirAll(folder, 0o755))
	args := []string{"--chart", filepath.Join(s.programs, release+".chart") + "/", "--release", release, "--namespace", namespace, "--out", folder}
	chart := exec.Command(filepath.Join(s.programs, "chart"), append(args, values...)...)
	if text, err := chart.CombinedOutput(); err != nil {
		s.Fail("the chart %s: %v\n%s", release, err, text)
	}
	crds, objects := filepath.Join(folder, "crds.yaml"), filepath.Join(folder, "objects.yaml")
	on := func(args ...string) { s.must(s.kubectl(append([]string{"--context", c.Name}, args...)...)) }
	if err := s.kubectl("--context", c.Name, "get", "namespace", namespace); err != nil {
		on("create", "namespace", namespace)
	}
	on("apply", "--server-side", "-f", crds)
	on("wait", "--for=condition=Established", "--timeout=60s", "-f", crds)
	on("apply", "--server-side", "-n", namespace, "-f", objects)
	on("wait", "deployment", "--all", "-n", namespace, "--for=condition=Available", "--timeout=120s")
	s.Note("the chart %s runs on the %s", release, c.Name)
}
