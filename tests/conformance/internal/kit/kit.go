// Package kit is what the conformance tests share: the program, its examples laid out as their sealed files' terms
// want them, and Argo CD's own cmp-server on a socket.
package kit

import (
	"io"
	"strings"
	"testing"

	"github.com/sirupsen/logrus"
)

// What Argo CD logs of every call would bury what a test says.
func init() {
	logrus.SetOutput(io.Discard)
}

// Must ends the test on an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Says fails unless an error has all these words. Where versions of Argo CD differ, one of `one || other` is enough.
func Says(t testing.TB, err error, words []string) {
	t.Helper()
	for _, either := range words {
		found := false
		for _, one := range strings.Split(either, " || ") {
			found = found || strings.Contains(err.Error(), one)
		}
		if !found {
			t.Errorf("does not say %q: %v", either, err)
		}
	}
}
