package stage

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is a program that runs until it is stopped, or until the scene ends.
type process struct {
	argv, env []string
	// network and address are where it listens, if it does.
	network, address string
	command          *exec.Cmd
	ended            chan struct{}
}

// start runs a program in the background. What it prints goes to a file with its name.
func (s *Stage) start(name string, env []string, argv ...string) error {
	p := &process{argv: argv, env: env}
	s.processes[name] = p
	return s.launch(name, p)
}

func (s *Stage) launch(name string, p *process) error {
	log, err := os.OpenFile(filepath.Join(s.logs, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	p.command = exec.Command(p.argv[0], p.argv[1:]...)
	p.command.Env, p.command.Stdout, p.command.Stderr = p.env, log, log
	p.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.ended = make(chan struct{})
	if err := p.command.Start(); err != nil {
		return err
	}
	go func(command *exec.Cmd, ended chan struct{}) {
		_ = command.Wait()
		close(ended)
	}(p.command, p.ended)
	return nil
}

// Stop kills a process with everything that it started, as a node that fails does.
func (s *Stage) Stop(name string) {
	p := s.processes[name]
	if p == nil {
		return
	}
	_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL)
	<-p.ended
}

// Restart starts a process again, with what it was started with.
func (s *Stage) Restart(name string) {
	s.Stop(name)
	p := s.processes[name]
	s.must(s.launch(name, p))
	if p.address != "" {
		s.must(s.listens(name, p.network, p.address))
	}
}

// listens waits until a process accepts connections.
func (s *Stage) listens(name, network, address string) error {
	p := s.processes[name]
	p.network, p.address = network, address
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if connection, err := net.Dial(network, address); err == nil {
			return connection.Close()
		}
		select {
		case <-p.ended:
			return fmt.Errorf("%s ended; it said:\n%s", name, s.lastLines(name))
		default:
		}
	}
	return fmt.Errorf("%s does not listen at %s; it said:\n%s", name, address, s.lastLines(name))
}

func (s *Stage) lastLines(name string) string {
	text, _ := os.ReadFile(filepath.Join(s.logs, name+".log"))
	if len(text) > 2000 {
		text = text[len(text)-2000:]
	}
	return string(text)
}
