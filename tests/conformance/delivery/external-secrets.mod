// Only for the CRDs of external-secrets: no code of it is built.
module argocd-peering.example/conformance/delivery

go 1.26.8

require github.com/external-secrets/external-secrets v1.3.3-0.20260806102745-bf4736a0d7db
