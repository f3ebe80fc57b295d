package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

// applyApplications applies files with Applications or an ApplicationSet.
func applyApplications(s *stage.Stage, files ...string) {
	s.Run("kubectl apply -f " + strings.Join(files, " -f "))
}
