package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

var install = Step{
	Name: "Put it into Argo CD",
	Asserts: "The steps of docs/install.md, over upstream's manifests on a real API server: the identity's Secret, the " +
		"sidecar and the default health checks by their Kustomize components, the two projects. The sidecar then runs as the Deployment says.",
	Run: func(s *stage.Stage) {
		s.Run(last(s.Block("docs/install.md", "create secret generic argocd-peering-identity ")))
		s.Run(apply(s, "health") + " | grep -E 'repo-server|argocd-cm '")
		containers := s.Run("kubectl -n argocd get deployment argocd-repo-server -o jsonpath='{.spec.template.spec.containers[*].image}'")
		s.Holds(strings.HasSuffix(containers, " registry.example.org/mine:0.1.0"), "the repo-server comes first, then the sidecar", containers)
		s.StartSidecar()
		// a pod has all of its containers from the start
		s.Restart("argocd-repo-server")
		for _, role := range []string{"consumer", "provider"} {
			s.Run("kubectl apply -f ~/argocd-peering/argocd-app/project-" + role + ".yaml")
		}
	},
}

// apply is the command that installs Argo CD with the sidecar and a pack of health checks.
func apply(s *stage.Stage, health string) string {
	s.Write(stage.Kustomization("components: [../argocd-peering/argocd-app/install, ../argocd-peering/argocd-app/install/"+health+"]\n"+
		"images: [{name: registry.example.org/argocd-peering, newName: registry.example.org/mine, newTag: 0.1.0}]\n"),
		"argo-cd", "kustomization.yaml")
	return "kubectl apply --server-side -k ~/argo-cd"
}
