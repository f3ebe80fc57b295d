package corpus

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
)

// searched is how much of a file is searched for secrets, and at most what is read of one that names Argo CD
// (docs/project/bounds.md).
const searched = 4 << 20

// Of a foreign file nothing is reported but a secret that it has.
func TestForeignFiles(t *testing.T) {
	repository := newRepository(t)
	eachModule(t, func(t *testing.T, files map[string][]byte) {
		repository.put(t, files)
		now := repository.validate(t)
		foreign := func(name string) (string, bool) { return strings.CutPrefix(name, "./"+beside+"/") }
		of := 0
		for _, finding := range now.Findings {
			name, isForeign := foreign(finding.File)
			if !isForeign {
				of++
				continue
			}
			if finding.Code != "plaintext-secret" || finding.Level == "error" || !hasSecret(files[name], finding.Range.Line) {
				t.Errorf("%s:%d: %s[%s] %s", name, finding.Range.Line, finding.Level, finding.Code, finding.Message)
			}
		}
		if of != len(repository.sound.Findings) || now.More > 0 {
			t.Errorf("of the sound folder is found %+v", now)
		}
		for _, it := range now.NotJudged[len(repository.sound.NotJudged):] {
			if name, isForeign := foreign(it.What); !isForeign || len(files[name]) <= searched {
				t.Errorf("not judged: %+v", it)
			}
		}
		if got := now.count("file") - repository.sound.count("file"); got != len(files) {
			t.Errorf("of %d files %d were searched", len(files), got)
		}
		if got := now.count("Application") - repository.sound.count("Application"); got != 0 {
			t.Errorf("%d foreign Applications were judged", got)
		}
		t.Logf("%d files", len(files))
	})
}

// What a secret begins with: a private key in PEM, an age identity, a token of a ServiceAccount, in clear or in base64.
var secret = regexp.MustCompile(`PRIVATE KEY-----|AGE-SECRET-KEY-|eyJ[A-Za-z0-9_-]{10,}\.eyJ`)
var encoded = regexp.MustCompile(`[A-Za-z0-9+/]{24,}={0,2}`)

// hasSecret looks at a line with other eyes than the program.
func hasSecret(text []byte, line int) bool {
	lines := strings.Split(string(text), "\n")
	if line < 1 || line > len(lines) {
		return false
	}
	found := secret.MatchString(lines[line-1])
	for _, word := range encoded.FindAllString(lines[line-1], -1) {
		decoded, err := base64.StdEncoding.DecodeString(word)
		found = found || err == nil && secret.Match(decoded)
	}
	return found
}
