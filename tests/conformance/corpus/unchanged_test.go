package corpus

import (
	"strings"
	"testing"
)

// searched is at most what is read of a file that names Argo CD
// (docs/project/bounds.md).
const searched = 4 << 20

// Of a foreign file nothing is reported.
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
			t.Errorf("%s:%d: %s[%s] %s", name, finding.Range.Line, finding.Level, finding.Code, finding.Message)
		}
		if of != len(repository.sound.Findings) || now.More > 0 {
			t.Errorf("of the sound folder is found %+v", now)
		}
		for _, it := range now.NotJudged[len(repository.sound.NotJudged):] {
			// a foreign Application over the whole repository is named, and was not to be judged
			if name, isForeign := foreign(it.What); !isForeign || it.Asked && len(files[name]) <= searched {
				t.Errorf("not judged: %+v", it)
			}
		}
		if got := now.count("Application") - repository.sound.count("Application"); got != 0 {
			t.Errorf("%d foreign Applications were judged", got)
		}
		t.Logf("%d files", len(files))
	})
}
