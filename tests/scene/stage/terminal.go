package stage

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Type runs a command at a terminal and answers its questions, each when it is asked. A question that no answer is for
// gets an empty line if it shows a default in brackets. Everything else is no question, also if it ends with a colon.
func (s *Stage) Type(line string, answers map[string]string) string {
	controller, terminal, err := openTerminal()
	s.must(err)
	command := s.command(line)
	command.Stdin, command.Stdout, command.Stderr = terminal, terminal, terminal
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	s.must(command.Start())
	s.must(terminal.Close())
	var shown, unanswered strings.Builder
	part := make([]byte, 4096)
	for {
		count, err := controller.Read(part)
		if err != nil {
			break // Linux ends a terminal that nobody holds any more with an error
		}
		shown.Write(part[:count])
		unanswered.Write(part[:count])
		question := strings.TrimRight(unanswered.String(), " \r\n")
		if !strings.HasSuffix(question, ":") {
			continue
		}
		answer, asked := "", strings.HasSuffix(question, "]:")
		for part, known := range answers {
			if strings.Contains(question[strings.LastIndex(question, "\n")+1:], part) {
				answer, asked = known, true
			}
		}
		if !asked {
			continue
		}
		unanswered.Reset()
		_, err = controller.WriteString(answer + "\n")
		s.must(err)
	}
	err = command.Wait()
	_ = controller.Close()
	printed := strings.ReplaceAll(shown.String(), "\r\n", "\n")
	s.shell(line, printed)
	if err != nil {
		s.Fail("`%s`: %v\n%s", line, err, printed)
	}
	return printed
}

// openTerminal is both sides of a new terminal (pty(7)).
func openTerminal() (controller, terminal *os.File, err error) {
	if controller, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	if err := unix.IoctlSetPointerInt(int(controller.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, err
	}
	number, err := unix.IoctlGetInt(int(controller.Fd()), unix.TIOCGPTN)
	if err != nil {
		return nil, nil, err
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	return controller, terminal, err
}
