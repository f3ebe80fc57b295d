//! How kubectl is asked for Secrets: as JSON of what is public, so that it prints no value and no annotation of a tool's. A
//! nonce is public: the other cluster signs it, and the document has it.

use crate::peering::names::{
    GATEWAY_RESOURCE, IDENTITY_TYPE, NONCE_LABEL, REMOTE_CLUSTER_ID, REMOTE_TENANT_NAMESPACE,
};

/// What Liqo finds a Secret by. Tools keep whole objects in annotations, private keys and all, and no list of such tools is
/// complete: nothing else of a Secret's metadata is kept.
pub(super) const LABELS: [&str; 4] = [REMOTE_CLUSTER_ID, GATEWAY_RESOURCE, IDENTITY_TYPE, NONCE_LABEL];
pub(super) const ANNOTATION: &str = REMOTE_TENANT_NAMESPACE;

/// Before the template, which is longer than a person reads.
pub(super) const GO: &str = "go-template=";

/// A list of Secrets (Go `text/template`). Of owners it says only whether there are any.
const TEMPLATE: &str = concat!(
    r#"{{define "s"}}{{if .}}"{{js .}}"{{else}}null{{end}}{{end}}"#,
    r#"{"kind":"List","items":[{{range $i,$s := .items}}{{if $i}},{{end}}"#,
    r#"{"apiVersion":"v1","kind":"Secret","type":{{template "s" .type}},{{with .metadata}}"metadata":{"#,
    r#""namespace":{{template "s" .namespace}},"name":{{template "s" .name}},"#,
    r#""deletionTimestamp":{{template "s" .deletionTimestamp}},"#,
    r#""finalizers":[{{range $i,$f := .finalizers}}{{if $i}},{{end}}{{template "s" .}}{{end}}],"#,
    r#""ownerReferences":[{{with .ownerReferences}}{}{{end}}],"#,
    r#""labels":{ {{with .labels}}LABELS{{end}}},"annotations":{ {{with .annotations}}ANNOTATION{{end}}}}{{end}},"#,
    r#""data":{ {{with .data}}"publicKey":{{template "s" .publicKey}},"nonce":{{template "s" .nonce}}{{end}}}}{{end}}]}"#,
);

/// The format of `kubectl get -o`.
pub(super) fn format() -> String {
    let field = |key: &&str| r#""KEY":{{template "s" index . "KEY"}}"#.replace("KEY", key);
    let fields = |keys: &[&str]| keys.iter().map(field).collect::<Vec<_>>().join(",");
    GO.to_owned()
        + &TEMPLATE.replace("LABELS", &fields(&LABELS)).replace("ANNOTATION", &fields(&[ANNOTATION]))
}

/// What it prints, as JSON: `js` writes a quote of JavaScript's, which JSON does not know (Go `text/template`, `JSEscape`).
pub(super) fn json(printed: &str) -> String {
    printed.replace(r"\'", "'")
}
