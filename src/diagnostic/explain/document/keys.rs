//! Keys, seeds, certificates and the files they are in.

use super::Explanation;

pub(super) const PUBLIC_KEY: Explanation = Explanation {
    code: "public-key",
    rule: "A public key is base64 of 32 bytes that WireGuard can use, and each side has its own.",
    reason: "Liqo's gateway panics on fewer bytes and cuts off what is more. With a point of low order every private key gives \
             the same secret.",
    source: "liqo pkg/gateway/tunnel/wireguard/publickeys_controller.go; RFC 7748, section 6.1",
    example: "publicKey: ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KE",
    fix: "publicKey: ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=",
};

pub(super) const FILE_NAME: Explanation = Explanation {
    code: "file-name",
    rule: "A sealed file stands beside peering.yaml and is named without a path.",
    reason: "The document is written by whoever can push, and must not make the plugin open other files: those of other \
             folders, or the sidecar's own. The folder is also one of a sealed file's terms.",
    source: "argo-cd cmpserver/plugin/plugin.go, which unpacks the whole repository and runs the plugin in the folder",
    example: "seed: { file: secrets/peering.seed.age }",
    fix: "seed: { file: peering.seed.age }",
};

pub(super) const KEY_GENERATION: Explanation = Explanation {
    code: "key-generation",
    rule: "`keyGeneration` counts a cluster's keys from 1.",
    reason: "It enters the derivation: another number is another key. The first key has 1, which is the default.",
    source: "RFC 5869, section 3.2: what tells keys apart goes into HKDF's info",
    example: "keyGeneration: 0",
    fix: "keyGeneration: 1",
};

pub(super) const SEED: Explanation = Explanation {
    code: "seed",
    rule: "With networking each side has a seed or a `publicKey`, and no seed is named that gives no key.",
    reason: "A side's stream holds its own private key and the other side's public one. A seed from which nothing is derived \
             was left behind, or somebody thinks that it counts.",
    source: "liqo pkg/liqo-controller-manager/networking/external-network/wireguard/utils.go, which wants both halves in the \
             gateway's Secret",
    example: "\
spec:
  consumer:
    clusterID: rome",
    fix: "\
spec:
  seed: { file: peering.seed.age }
  consumer:
    clusterID: rome",
};

pub(super) const CERTIFICATE: Explanation = Explanation {
    code: "certificate",
    rule: "`ca` and `signedCRT` are base64 of PEM certificates.",
    reason: "Liqo makes a kubeconfig of them as they are, with the consumer's own private key. They are public; a private key \
             in their place would stand in Git in clear.",
    source: "liqo pkg/liqo-controller-manager/authentication/forge/kubeconfig.go; RFC 7468",
    example: "ca: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo=",
    fix: "ca: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K",
};
