package stage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The second pod of the repo-server. Both are at one address here, so it has other ports.
const (
	secondRepoServer = "argocd-repo-server-2"
	secondSidecar    = "sidecar-2"
	secondPort       = "8091"
)

// StartSecondRepoServer starts another pod of the repo-server, with a sidecar of its own.
func (s *Stage) StartSecondRepoServer() {
	plugins, tmp := argocdDir+"/plugins-2", argocdDir+"/tmp-2"
	for _, folder := range []string{plugins, tmp} {
		s.must(os.MkdirAll(folder, 0o755))
		s.must(run("chown", podUser+":"+podUser, folder))
	}
	s.startSidecar(secondSidecar, plugins)
	s.must(s.podOf("argocd-repo-server", secondRepoServer, tmp, plugins, "--port", secondPort, "--metrics-port", "8094"))
	s.must(s.listens(secondRepoServer, "tcp", "127.0.0.1:"+secondPort))
	s.Balance(true)
}

// Balance has every second connection to the repo-server go to the second pod, as kube-proxy does for a Service with two endpoints;
// or none, once an endpoint is gone.
func (s *Stage) Balance(both bool) {
	_ = run("nft", "delete", "table", "ip", "service")
	if both {
		s.must(run("nft", "add table ip service; add chain ip service output { type nat hook output priority -100; }; "+
			"add rule ip service output ip daddr 127.0.0.1 tcp dport 8081 numgen inc mod 2 1 redirect to :"+secondPort))
	}
}

// StopSecondRepoServer kills the second pod, and then its endpoint goes.
func (s *Stage) StopSecondRepoServer() {
	s.Stop(secondRepoServer)
	s.Stop(secondSidecar)
}

// RestartSecondRepoServer starts the second pod again.
func (s *Stage) RestartSecondRepoServer() {
	_ = os.Remove(argocdDir + "/plugins-2/argocd-peering.sock")
	s.Restart(secondSidecar)
	s.Restart(secondRepoServer)
	s.Balance(true)
}

// Logged counts the lines of the processes' logs that have a text, for each process whose name begins so.
func (s *Stage) Logged(name, text string) map[string]int {
	count := map[string]int{}
	for process := range s.processes {
		if strings.HasPrefix(process, name) {
			log, err := os.ReadFile(filepath.Join(s.logs, process+".log"))
			s.must(err)
			count[process] = strings.Count(string(log), text)
		}
	}
	return count
}

// Memory is the most that a process had in memory, in MiB (VmHWM of proc(5)).
func (s *Stage) Memory(name string) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.processes[name].command.Process.Pid))
	s.must(err)
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib := 0
	_, err = fmt.Sscanf(rest, "%d", &kib)
	s.must(err)
	return kib >> 10
}
