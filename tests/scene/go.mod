module argocd-peering.example/scene

go 1.25.5

require golang.org/x/sys v0.39.0
