// Go wants this file. The requirements of each tag of Liqo are in a file of its own, v*.mod.
module argocd-peering.example/conformance/liqo

go 1.25.5
