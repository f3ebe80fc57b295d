module argocd-peering.example/scene

go 1.25.5

require (
	github.com/google/go-containerregistry v0.22.1
	golang.org/x/sys v0.47.0
)
