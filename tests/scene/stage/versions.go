package stage

// Versions are those of the parts, as they report them.
func (s *Stage) Versions() string {
	text := ""
	for _, part := range []struct{ what, line string }{
		{"Argo CD", "basename $(dirname " + s.ArgoCD + "/x) | sed 's/.*@//'"},
		{"Kubernetes", "kubectl version -o json | grep -A20 serverVersion | grep gitVersion | cut -d'\"' -f4"},
		{"argocd-peering", "argocd-peering --version"},
		{"Git", "git --version"},
		{"Redis", "redis-server --version | grep -o 'v=[0-9.]*'"},
	} {
		version, err := s.Ask(part.line)
		s.must(err)
		text += "- " + part.what + ": " + version + "\n"
	}
	return text
}
