package stage

import (
	"fmt"
	"strings"
)

// Versions are those of the parts, as they report them.
func (s *Stage) Versions() (string, error) {
	text := ""
	for _, part := range []struct{ what, line string }{
		{"Argo CD", "basename $(dirname " + s.ArgoCD + "/x) | sed 's/.*@//'"},
		{"Kubernetes", "kubectl get --raw /version | grep gitVersion | cut -d'\"' -f4"},
		{"argocd-peering", "argocd-peering --version"},
		{"Git", "git --version"},
		{"Redis", "redis-server --version | grep -o 'v=[0-9.]*'"},
	} {
		version, err := s.Ask(part.line)
		if err != nil {
			return "", fmt.Errorf("the version of %s: %w", part.what, err)
		}
		text += "- " + part.what + ": " + version + "\n"
	}
	return text, nil
}

// ArgoCDSince tells whether this Argo CD has what is new in 3.minor.
func (s *Stage) ArgoCDSince(minor int) bool {
	_, version, _ := strings.Cut(s.ArgoCD, "@v")
	var major, own int
	_, err := fmt.Sscanf(version, "%d.%d.", &major, &own)
	s.must(err)
	return major > 3 || major == 3 && own >= minor
}
