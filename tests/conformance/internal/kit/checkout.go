package kit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const identitySuffix = "demo-identity.txt"

// Identity is a copy of the age identity that opens the example's files, outside every checkout: its own, the one of
// its name in examples/identities, or the one of all.
func (e Example) Identity(t testing.TB) string {
	t.Helper()
	identities := filepath.Join(Root(t), "examples", "identities")
	for _, file := range []string{
		filepath.Join(e.Dir, identitySuffix),
		filepath.Join(identities, filepath.Base(e.Dir)+"-"+identitySuffix),
		filepath.Join(identities, identitySuffix),
	} {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		Must(t, err)
		path := filepath.Join(ShortDir(t), "identity.txt")
		Must(t, os.WriteFile(path, text, 0o600))
		return path
	}
	t.Fatal("no demo-identity.txt")
	return ""
}

// Recipient is the public key of the example's identity.
func (e Example) Recipient(t testing.TB) string {
	t.Helper()
	identity, err := os.ReadFile(e.Identity(t))
	Must(t, err)
	_, public, _ := strings.Cut(string(identity), "public key: ")
	return strings.Fields(public)[0]
}

// Checkout is a fresh folder with the example at its path and nothing else: no identity, which nobody commits.
func (e Example) Checkout(t testing.TB) string {
	t.Helper()
	root := ShortDir(t)
	e.CopyTo(t, filepath.Join(root, e.Path))
	return root
}

// CopyTo copies the example's files into a folder.
func (e Example) CopyTo(t testing.TB, target string) {
	t.Helper()
	Must(t, filepath.WalkDir(e.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(entry.Name(), identitySuffix) {
			return err
		}
		if entry.IsDir() && path != e.Dir && exists(filepath.Join(path, document)) {
			return filepath.SkipDir // another example
		}
		relative, err := filepath.Rel(e.Dir, path)
		if err != nil {
			return err
		}
		to := filepath.Join(target, relative)
		if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	}))
}
