package stage

import "fmt"

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
