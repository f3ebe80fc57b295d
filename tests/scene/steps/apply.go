package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

// applyApplications applies files with Applications or an ApplicationSet, and does what their comments ask for before Argo CD 3.2.
func applyApplications(s *stage.Stage, files ...string) {
	if s.ArgoCDSince(2) {
		s.Run("kubectl apply -f " + strings.Join(files, " -f "))
		return
	}
	for _, file := range files {
		s.Run(withoutRefresh + " " + file + " | kubectl apply -f -")
	}
}

// withoutRefresh leaves out a field that Argo CD 3.1 does not know, and the annotation that needs it.
const withoutRefresh = "sed '/^ *refresh: true/d; /manifest-generate-paths: /d'"
