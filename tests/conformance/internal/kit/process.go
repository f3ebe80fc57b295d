package kit

import (
	"bytes"
	"os/exec"
	"testing"
)

// Start runs a command until the test ends, and shows what it printed if the test failed.
func Start(t testing.TB, name string, command *exec.Cmd) {
	t.Helper()
	var printed bytes.Buffer
	command.Stdout, command.Stderr = &printed, &printed
	Must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("%s printed:\n%s", name, &printed)
		}
	})
}
