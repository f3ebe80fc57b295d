//! Names: Liqo's cluster IDs, Kubernetes' object names, labels.
//!
//! A value of each type is made only by its `FromStr`. The rules are those of
//! `k8s.io/apimachinery/pkg/util/validation/validation.go` and of Liqo's CRDs.

use super::characters::{has_only_digits, is_word};
use crate::argocd::PATTERN;
use crate::diagnostic::{Code, Rule, is_unmasked, is_unseen, nearest, quoted};
use crate::document::texts;
use crate::input::folder::DOCUMENT;
use std::fmt::Arguments;

/// The form of an RFC 1123 label.
pub(crate) const LABEL: &str = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

/// The form of an RFC 1123 subdomain.
pub(crate) const SUBDOMAIN: &str =
    r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/// The form of a qualified name: `[domain/]name`.
pub(crate) const QUALIFIED: &str =
    r"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$";

/// The most characters of an RFC 1123 subdomain, which most object names are.
pub const SUBDOMAIN_MAX: usize = 253;

/// The help: how to read a cluster's networks.
pub(crate) const READ_NETWORKS: &str = "read it on the cluster: `kubectl get networks.ipam.liqo.io -A -l ipam.liqo.io/network-type -o custom-columns=NAME:.metadata.name,CIDR:.status.cidr`";

/// The help: how to read a cluster's ID.
pub(crate) const READ_CLUSTER_ID: &str = "read it on the cluster: `kubectl get configmaps -A --field-selector metadata.name=liqo-clusterid-configmap -o custom-columns=ID:.data.CLUSTER_ID`";

const SUBDOMAIN_FORM: &str =
    "lower-case letters, digits, `-` and `.`, each part with a letter or digit at both ends";

/// Whether a text is labels joined by dots.
pub(super) fn is_subdomain(text: &str) -> bool {
    text.split('.').all(is_label)
}

texts! {
    /// A cluster's ID, as Liqo stores it in ConfigMap `liqo-clusterid-configmap`.
    ///
    /// A value of this type matches the CRDs' pattern, has at most 63 characters (it is a label's value
    /// everywhere), and is not all digits (Liqo's template engine would turn it into a number).
    ClusterId, takes "a cluster ID", schema {
        "type": "string", "pattern": "^(?![0-9]+$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "maxLength": 63, "examples": ["rome"],
    },
    check_cluster_id;

    /// A namespace's name: an RFC 1123 label of at most 63 characters.
    Namespace, takes "a namespace's name", schema { "type": "string", "pattern": LABEL, "minLength": 1, "maxLength": 63 },
    |text| label("a namespace's name", text);

    /// The name of a Kubernetes object: an RFC 1123 subdomain of at most 253 characters.
    ObjectName, takes "an object's name", schema { "type": "string", "pattern": SUBDOMAIN, "minLength": 1, "maxLength": 253 },
    |text| check_name(text, "an object's name", SUBDOMAIN_MAX, is_subdomain, SUBDOMAIN_FORM);

    /// The name of a Configuration. Liqo makes longer names of it: Networks, routes, tables (liqo
    /// `external-network/configuration/network.go`, `external-network/route/k8s.go`), and the longest are those of nftables
    /// rules (liqo `internal-network/configuration-controller/firewall.go`), which stand in a rule's user data: 256
    /// bytes (Linux `NFT_USERDATA_MAXLEN`), of which 253 are the name's. So it is an RFC 1123 subdomain of at most 207
    /// characters.
    ConfigurationName, takes "a Configuration's name", schema { "type": "string", "pattern": SUBDOMAIN, "minLength": 1, "maxLength": 207 },
    check_configuration;

    /// The name of a `RoleBinding`: 1 to 253 characters that can be a part of a URL's path, as RBAC takes them
    /// (`k8s.io/apimachinery/pkg/api/validation/path/name.go`), `liqo:binding` for example.
    RoleBindingName, takes "a RoleBinding's name", schema { "type": "string", "pattern": r"^(?!\.{1,2}$)[^/%]+$", "minLength": 1, "maxLength": 253 },
    check_role_binding;

    /// The name of a gateway. Liqo labels the Deployment, the Service and the pods that it makes of it with
    /// `app.kubernetes.io/instance: liqo-<name>` (liqo `deployments/liqo/templates/_helpers.tpl`,
    /// `liqo.selectorLabelsTemplate`), and its template engine turns an all-digit one into a number, so it is an RFC 1123
    /// label of at most 58 characters with something else than digits in it.
    GatewayName, takes "a gateway's name", schema { "type": "string", "pattern": LABEL, "minLength": 1, "maxLength": 58 },
    check_gateway;

    /// The name of a Secret that a gateway mounts: like an object's, and not all digits, since Liqo's template
    /// engine would turn it into a number.
    SecretName, takes "a Secret's name", schema { "type": "string", "pattern": SUBDOMAIN, "minLength": 1, "maxLength": 253 },
    |text| text.parse::<ObjectName>().and(not_a_number("a key Secret's name", text));

    /// The name of a ResourceSlice. It becomes the name of a Node and part of other names
    /// (`kubeconfig-resourceslice-<name>`, `<name>-<12 hex digits>` as a certificate's common name, which X.509 limits to
    /// 64 characters), so it is an RFC 1123 label of at most 51 characters.
    SliceName, takes "a ResourceSlice's name", schema { "type": "string", "pattern": LABEL, "minLength": 1, "maxLength": 51 },
    check_slice;

    /// The name of a virtual node and of its Node. It is the value of labels, `liqo.io/virtual-node` and
    /// `kubernetes.io/hostname` (liqo `pkg/vkMachinery/forge/creation.go`, `pkg/virtualKubelet/liqoNodeProvider/setup.go`), so it
    /// is an RFC 1123 subdomain of at most 63 characters.
    VirtualNodeName, takes "a virtual node's name", schema { "type": "string", "pattern": SUBDOMAIN, "minLength": 1, "maxLength": 63 },
    |text| check_name(text, "a virtual node's name", LABEL_MAX, is_subdomain, SUBDOMAIN_FORM);

    /// What people call a peering, and what its two Applications are called after, `<name>-consumer` and
    /// `<name>-provider` (`argocd-app/applicationset.yaml`): an RFC 1123 subdomain that leaves room for that.
    PeeringName, takes "a name", schema {
        "type": "string", "pattern": SUBDOMAIN, "maxLength": 244, "examples": ["rome-milan"],
    },
    check_peering;

    /// What Argo CD calls a cluster. Argo CD itself takes any text (`util/db/cluster.go`), and reads it in the destinations of an
    /// AppProject as a pattern (`pkg/apis/application/v1alpha1/app_project_types.go`, isDestinationMatched), so a name that is one
    /// could permit every cluster.
    ArgoCluster, takes "a cluster's name in Argo CD", schema { "type": "string", "pattern": r"^[^*?\[\]{}!\\]+$", "minLength": 1, "maxLength": 253 },
    check_argo_cluster;

    /// One line of 1 to 253 characters that can be seen.
    Title, takes "a name", schema { "type": "string", "minLength": 1, "maxLength": 253 },
    check_title;

    /// The name of an RBAC subject: 1 to 253 characters, as a certificate's common name or an OIDC claim spells it.
    SubjectName, takes "a subject's name", schema { "type": "string", "minLength": 1, "maxLength": 253, "examples": ["rome"] },
    check_title;

    /// The name of a resource: `cpu`, `memory`, `nvidia.com/gpu`: a qualified name. Without a domain a pod can request only
    /// what Kubernetes itself knows (`k8s.io/kubernetes` `pkg/apis/core/validation`, validateContainerResourceName), so what
    /// is nearly one of these is a slip.
    ResourceName, takes "the name of a resource", schema { "type": "string", "pattern": QUALIFIED, "minLength": 1 },
    check_resource;

    /// A sealed file's name: a file of the same folder.
    FileName, takes "a file's name", schema {
        "type": "string", "pattern": "^[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$", "examples": ["peering.seed.age"],
    },
    check_file;
}

fn check_cluster_id(text: &str) -> Result<(), Rule> {
    let what = "a cluster ID";
    let checked = label(what, text).and(not_a_number(what, text));
    let code = Code::ClusterId;
    checked.map_err(|rule| Rule { code, ..rule }.help(READ_CLUSTER_ID))
}

fn check_configuration(text: &str) -> Result<(), Rule> {
    const NETWORK: &str = "255-255-255-255-32";
    text.parse::<ObjectName>()?;
    let made = format_args!("Liqo makes nftables rules `podcidr-{text}-<network>-<network>` of it");
    let length = "podcidr-".len() + text.len() + 2 * ("-".len() + NETWORK.len());
    fits("a Configuration", text, made, length, 253)
}

fn check_role_binding(text: &str) -> Result<(), Rule> {
    check_title(text)?;
    if ![".", ".."].contains(&text) && !text.contains(['/', '%']) {
        return Ok(());
    }
    let what = "a RoleBinding's name: not `.` or `..`, without `/` and `%`";
    let rule = Rule::wrong_value(Code::InvalidName, text, what);
    Err(rule.help("for example `liqo:binding`"))
}

fn check_gateway(text: &str) -> Result<(), Rule> {
    label("a gateway's name", text)?;
    let made = format_args!("Liqo labels its pods with `app.kubernetes.io/instance: liqo-{text}`");
    let length = "liqo-".len() + text.len();
    fits("a gateway", text, made, length, LABEL_MAX)?;
    not_a_number("a gateway's name", text)
}

fn check_slice(text: &str) -> Result<(), Rule> {
    label("a ResourceSlice's name", text)?;
    let made = format_args!("Liqo asks for a certificate for `{text}-<12 digits>`");
    let length = text.len() + "-".len() + 12;
    fits("a ResourceSlice", text, made, length, 64)
}

fn check_peering(text: &str) -> Result<(), Rule> {
    const MAX: usize = SUBDOMAIN_MAX - "-consumer".len();
    const HELP: &str = "its Applications are called `<name>-consumer` and `<name>-provider`";
    if let Err(mut rule) = text.parse::<ObjectName>() {
        rule.help.get_or_insert(HELP.to_owned());
        return Err(rule);
    }
    if text.len() <= MAX {
        return Ok(());
    }
    let text = quoted(text);
    let message = format!("{text} is too long for a peering: at most {MAX} characters");
    Err(Rule::new(Code::NameTooLong, message).help(HELP))
}

fn check_argo_cluster(text: &str) -> Result<(), Rule> {
    check_title(text)?;
    if !text.contains(PATTERN) {
        return Ok(());
    }
    let what = "a cluster's name in Argo CD: none of `*?[]{}!\\`";
    let rule = Rule::wrong_value(Code::InvalidName, text, what);
    Err(rule.help("rename the cluster in Argo CD"))
}

fn check_title(text: &str) -> Result<(), Rule> {
    let code = if text.chars().count() > SUBDOMAIN_MAX {
        Code::NameTooLong
    } else if text.trim().is_empty() || text.chars().any(is_unseen) {
        Code::InvalidName
    } else {
        return Ok(());
    };
    let what = format!("a name: 1 to {SUBDOMAIN_MAX} printable characters on one line");
    Err(Rule::wrong_value(code, text, what))
}

fn check_resource(text: &str) -> Result<(), Rule> {
    // kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus: `nvidia.com/gpu`, `amd.com/gpu`
    const DEVICES: [&str; 4] = ["gpu", "gpus", "vgpu", "mig"];
    const KNOWN: [&str; 4] = ["cpu", "memory", "pods", "ephemeral-storage"];
    let help = if !is_qualified(text) {
        "for example `cpu`, `memory`, `pods`, `ephemeral-storage` or `nvidia.com/gpu`".to_owned()
    } else if KNOWN.contains(&text) || text.contains('/') {
        return Ok(());
    } else if DEVICES.contains(&text) {
        format!("a device has its vendor's domain: `nvidia.com/{text}`")
    } else if let Some(known) = nearest(text, &KNOWN) {
        format!("did you mean `{known}`?")
    } else {
        return Ok(());
    };
    Err(Rule::wrong_value(Code::UnknownResource, text, "the name of a resource").help(help))
}

fn check_file(text: &str) -> Result<(), Rule> {
    if !is_word(text, b"._-") || text.len() > 255 || text.starts_with(['.', '-']) {
        let what = "the name of a file of this folder";
        let rule = Rule::wrong_value(Code::InvalidName, text, what);
        return Err(rule.help("letters, digits, `.`, `_` and `-`, no path"));
    }
    if text != DOCUMENT {
        return Ok(());
    }
    let message = format!("{} is this document, no sealed file", quoted(text));
    Err(Rule::new(Code::InvalidName, message).help("a sealed file's name ends with `.age`"))
}

/// Liqo gives a slice's name to the virtual node that it makes for the slice (`virtualnodecreator_controller.go`).
impl From<SliceName> for VirtualNodeName {
    fn from(slice: SliceName) -> Self {
        Self(slice.0)
    }
}

/// Whether a text is a qualified name: `[prefix/]name`.
pub(crate) fn is_qualified(text: &str) -> bool {
    let Some((domain, name)) = text.split_once('/') else {
        return is_qualified_part(text);
    };
    domain.len() <= SUBDOMAIN_MAX && is_subdomain(domain) && is_qualified_part(name)
}

/// `([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`, at most 63: a label's value, if it is not empty.
pub(super) fn is_qualified_part(text: &str) -> bool {
    text.len() <= LABEL_MAX
        && is_word(text, b"-_.")
        && !text.starts_with(['-', '_', '.'])
        && !text.ends_with(['-', '_', '.'])
}

/// The most characters of an RFC 1123 label, a label's value and a namespace's name.
pub const LABEL_MAX: usize = 63;

/// `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
pub(super) fn is_label(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// Checks an RFC 1123 label.
pub(super) fn label(what: &str, text: &str) -> Result<(), Rule> {
    let form = "lower-case letters, digits and `-`, with a letter or digit at both ends";
    check_name(text, what, LABEL_MAX, is_label, form)
}

/// Checks the form and the length of a name. The help proposes the name that was probably meant.
pub(super) fn check_name(
    text: &str,
    what: &str,
    max: usize,
    is_form: fn(&str) -> bool,
    form: &str,
) -> Result<(), Rule> {
    let rule = if text.len() > max {
        let why = format!("{what}: {max} characters at most, found {}", text.len());
        Rule::wrong_value(Code::NameTooLong, text, why)
    } else if is_form(text) {
        return Ok(());
    } else {
        Rule::wrong_value(Code::InvalidName, text, format!("{what}: {form}"))
    };
    Err(suggest_name(text, is_form, rule))
}

/// Checks a name from which Liqo or Kubernetes makes a longer one: `made` is that one, and its `length` may be `most`.
pub(crate) fn fits(
    what: &str,
    text: &str,
    made: Arguments<'_>,
    length: usize,
    most: usize,
) -> Result<(), Rule> {
    if length <= most {
        return Ok(());
    }
    let room = most.saturating_sub(length.saturating_sub(text.len()));
    let text = quoted(text);
    let message =
        format!("{text} is too long for {what}: {made}, {length} characters, at most {most}");
    Err(Rule::new(Code::NameTooLong, message).help(format!("{what}: at most {room} characters")))
}

/// Adds the name that was probably meant: in lower case, with `-` in place of characters that a name cannot have. A
/// path, such as NAMESPACE/NAME, gets none.
fn suggest_name(text: &str, is_form: fn(&str) -> bool, rule: Rule) -> Rule {
    let mut name = String::new();
    for c in text.chars() {
        let is_kept = c.is_ascii_alphanumeric() || matches!(c, '.' | '/');
        name.push(if is_kept { c.to_ascii_lowercase() } else { '-' });
    }
    let name = name.trim_matches(['-', '.']);
    if is_form(name) && name.len() <= LABEL_MAX && is_unmasked(text) {
        rule.help(format!("did you mean {}?", quoted(name)))
    } else {
        rule
    }
}

/// Refuses a name of only digits: Liqo turns rendered strings that parse as integers into integers (liqo
/// `pkg/liqo-controller-manager/networking/external-network/utils/template.go`).
pub(crate) fn not_a_number(what: &str, text: &str) -> Result<(), Rule> {
    if has_only_digits(text) {
        let why = format!("{what}: Liqo's templates would make it a number");
        return Err(Rule::wrong_value(Code::InvalidName, text, why).help("put a letter into it"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
