//! The shape of a document: YAML, fields, kinds of values.

use super::Explanation;

pub(super) const SYNTAX: Explanation = Explanation {
    code: "syntax",
    rule: "The document is YAML in UTF-8, without tags, and nested no deeper than a peering needs.",
    reason: "Behind the first place that is not YAML the text could mean anything, so nothing more is read. Tags change \
             what a value is, and every reader knows other ones. What Argo CD's reader of YAML 1.1 refuses is refused here as \
             well, tabs before a key for instance: one such file keeps an ApplicationSet from making any Application.",
    source: "YAML 1.2.2 (yaml.org/spec/1.2.2), chapters 5 to 8; argo-cd applicationset/generators/git.go, which reads with \
             sigs.k8s.io/yaml",
    example: "\
podCIDRs: [10.42.0.0/16
externalCIDR: 10.70.0.0/16",
    fix: "\
podCIDRs: [10.42.0.0/16]
externalCIDR: 10.70.0.0/16",
};

pub(super) const DUPLICATE_KEY: Explanation = Explanation {
    code: "duplicate-key",
    rule: "A key stands once in its map.",
    reason: "Readers differ on which of two counts. Argo CD's takes the last one without a word, and a person may have seen \
             only the first.",
    source: "YAML 1.2.2, section 3.2.1.3; argo-cd applicationset/generators/git.go, which reads with sigs.k8s.io/yaml",
    example: "\
clusterID: rome
podCIDRs: [10.42.0.0/16]
podCIDRs: [10.44.0.0/16]",
    fix: "\
clusterID: rome
podCIDRs: [10.44.0.0/16]",
};

pub(super) const ALIAS: Explanation = Explanation {
    code: "alias",
    rule: "Every value is written out: anchors, aliases and merge keys are not taken.",
    reason: "A few lines of aliases unfold to gigabytes, and the plugin reads what anybody who can push has written. What \
             is written out is also what a review sees.",
    source: "YAML 1.2.2, section 7.1; yaml.org/type/merge.html",
    example: "\
consumer:
  clusterID: rome
  podCIDRs: &pods [10.42.0.0/16]
  externalCIDR: 10.70.0.0/16
provider:
  clusterID: milan
  podCIDRs: *pods",
    fix: "\
consumer:
  clusterID: rome
  podCIDRs: [10.42.0.0/16]
  externalCIDR: 10.70.0.0/16
provider:
  clusterID: milan
  podCIDRs: [10.42.0.0/16]",
};

pub(super) const DOCUMENT_COUNT: Explanation = Explanation {
    code: "document-count",
    rule: "A peering.yaml has exactly one document.",
    reason: "A folder is one peering, with its own sealed files and its own two Applications. Argo CD's ApplicationSet takes \
             one object from a file.",
    source: "argo-cd applicationset/generators/git.go",
    example: "\
---
apiVersion: argocd-peering/v1alpha1
kind: Peering
metadata:
  name: rome-turin",
    fix: "# the second peering has a folder of its own",
};

pub(super) const AMBIGUOUS_SCALAR: Explanation = Explanation {
    code: "ambiguous-scalar",
    rule: "A value without quotes means the same to a reader of YAML 1.1 and to one of YAML 1.2.",
    reason: "Argo CD reads YAML 1.1, in which `on`, `yes`, `1_000` and `12:30` are no strings, and in which a `?` between \
             brackets begins a key; editors and this program read 1.2. The ApplicationSet would see another cluster ID than \
             stands in the manifests, or nothing at all.",
    source: "yaml.org/type/bool.html, yaml.org/type/int.html; argo-cd gitops-engine/pkg/utils/kube/kube.go, which reads \
             with sigs.k8s.io/yaml",
    example: "clusterID: on",
    fix: "clusterID: \"on\"",
};

pub(super) const WRONG_TYPE: Explanation = Explanation {
    code: "wrong-type",
    rule: "A field takes one kind of value: a string, a number, a boolean, a list or a map.",
    reason: "The API server refuses an object with a value of another kind, and the whole sync fails with it. A cluster's pod \
             networks are a list in every release of Liqo 1.x, even if there is one.",
    source: "liqo apis/networking/v1beta1/configuration_types.go",
    example: "podCIDRs: 10.42.0.0/16",
    fix: "podCIDRs: [10.42.0.0/16]",
};

pub(super) const UNKNOWN_FIELD: Explanation = Explanation {
    code: "unknown-field",
    rule: "Only the fields of the schema exist, spelt exactly.",
    reason: "A misspelt field that is passed over is a default that nobody chose, and shows hours later as a tunnel that does \
             not connect. `argocd-peering schema` prints all fields, for editors too.",
    source: "the rule that Kubernetes has for its own objects with `fieldValidation: Strict` (kubernetes.io, API concepts)",
    example: "externalCidr: 10.70.0.0/16",
    fix: "externalCIDR: 10.70.0.0/16",
};

pub(super) const MISSING_FIELD: Explanation = Explanation {
    code: "missing-field",
    rule: "A field for which no default fits everybody is there, and has a value.",
    reason: "Which clusters, which networks and on whose nodes pods may run cannot be guessed. With networking Liqo needs at \
             least one pod network and one external network of each cluster, or its Configuration is never ready.",
    source: "liqo docs/advanced/peering/peering-via-cr.md; \
             pkg/liqo-controller-manager/networking/external-network/configuration/configuration_controller.go",
    example: "\
consumer:
  podCIDRs: [10.42.0.0/16]",
    fix: "\
consumer:
  clusterID: rome
  podCIDRs: [10.42.0.0/16]",
};

pub(super) const UNKNOWN_VALUE: Explanation = Explanation {
    code: "unknown-value",
    rule: "A field with a fixed set of words takes one of them, spelt exactly.",
    reason: "The words are Liqo's and Kubernetes' own, which compare them letter by letter. `ExternalName` is missing on \
             purpose: Liqo's CRD lists it, and its controller reports it as not supported.",
    source: "liqo apis/networking/v1beta1/gatewayserver_types.go; \
             pkg/liqo-controller-manager/networking/external-network/wireguard/wggatewayserver_controller.go",
    example: "endpoint: { serviceType: Nodeport, nodePort: 30742 }",
    fix: "endpoint: { serviceType: NodePort, nodePort: 30742 }",
};

pub(super) const NOT_A_PEERING: Explanation = Explanation {
    code: "not-a-peering",
    rule: "A peering.yaml has `apiVersion: argocd-peering/v1alpha1` and `kind: Peering`.",
    reason: "It has the shape of a Kubernetes object so that an Application without the plugin fails instead of syncing \
             nothing: Argo CD passes over YAML of any other shape.",
    source: "argo-cd reposerver/repository/repository.go",
    example: "\
apiVersion: argocd-peering/v1alpha1
kind: Application",
    fix: "\
apiVersion: argocd-peering/v1alpha1
kind: Peering",
};
