// Go wants this file. The requirements of each version are in a file of its own, which ../pin writes.
module argocd-peering.example/scene/kubernetes

go 1.24
