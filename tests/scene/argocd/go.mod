// Go wants this file. The requirements of each version are in a file of its own, which ../pin writes.
module argocd-peering.example/scene/argocd

go 1.24
