package kit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"testing"
	"time"
)

// Validate runs `validate --format json` in a folder, in bounded time, and reads its report. wrong tells that the exit code was 1.
func Validate(t testing.TB, dir string, report any, args ...string) (stdout, stderr string, wrong bool) {
	t.Helper()
	within, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(within, Binary(t), append([]string{"validate", "--format", "json"}, args...)...)
	command.Dir = dir
	var out, notes bytes.Buffer
	command.Stdout, command.Stderr = &out, &notes
	err := command.Run()
	var exit *exec.ExitError
	if wrong = errors.As(err, &exit) && exit.ExitCode() == 1; wrong {
		err = nil
	}
	if err == nil {
		err = json.Unmarshal(out.Bytes(), report)
	}
	if err != nil {
		t.Fatalf("validate: %v\n%s", err, &notes)
	}
	return out.String(), notes.String(), wrong
}
