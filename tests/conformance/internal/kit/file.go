package kit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ShortDir is a temporary folder whose path leaves room for a socket's name: a Unix socket's path ends at 107 bytes.
func ShortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "cp")
	Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// WriteFile writes a file of a checkout.
func WriteFile(t testing.TB, text string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	Must(t, os.WriteFile(file, []byte(text), 0o644))
}

// Edit replaces a text that must be there in a file.
func Edit(t testing.TB, file, from, to string) {
	t.Helper()
	text, err := os.ReadFile(file)
	Must(t, err)
	if !strings.Contains(string(text), from) {
		t.Fatalf("%s does not contain %q", filepath.Base(file), from)
	}
	Must(t, os.WriteFile(file, []byte(strings.Replace(string(text), from, to, 1)), 0o644))
}
