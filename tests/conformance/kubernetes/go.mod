// Go wants this file. The requirements of each version are in a file of its own.
module argocd-peering.example/conformance/kubernetes

go 1.25.0
