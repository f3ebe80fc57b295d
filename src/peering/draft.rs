//! A document as this program writes it. `init` and `import` have the same form and the same comments.

use super::spec::{API_VERSION, KIND};
use super::values::{Day, Role};
use crate::diagnostic::Bug;
use crate::input::yaml::Setting;
use crate::object::live::Fields;
use serde_json::json;

/// The sealed seed's name in the folder.
pub(crate) const SEED: &str = "peering.seed.age";

/// The comments above fields. Each field has the spaces of its depth; only its first occurrence gets the comment.
#[rustfmt::skip] // a table
const COMMENTS: [(&str, &str); 14] = [
    ("  name:", "unique among your peerings"),
    ("  liqoVersion:", "the lowest Liqo on either cluster"),
    ("  seed:", "both gateways' keys come from it"),
    ("    keyRotated:", "since when it has its key"),
    ("    seed:", "This side's key comes from it; the other side needs only `publicKey`"),
    ("    publicKey:", "The private keys stay in the clusters' Secrets of `names.keySecret`, never in Git"),
    ("        nodePort:", "no other Service may use it"),
    ("        addresses:", "where the other cluster reaches the gateway"),
    ("    subject:", "the credential's user"),
    ("    credential: pending", "Without a credential nothing is offloaded. In this folder, with the provider's context:
  argocd-peering seal kubeconfig --from-context CONTEXT --project PROJECT=consumer --recipients-file LIST
writes here: credential: { kubeconfig: { file: kubeconfig.age } }"),
    (CREDENTIAL, "Liqo makes and renews it; nothing is secret. In this folder:
  1. argocd-peering authenticate consumer --from-context CONTEXT
  2. commit, and sync the provider
  3. argocd-peering authenticate provider --from-context CONTEXT
  4. commit"),
    ("      kubeconfig:\n", SEAL),
    ("        kubeconfig:\n", SEAL),
    ("    resourceSlices:", "what the consumer asks for"),
];

/// The field above a handshake.
const CREDENTIAL: &str = "    credential:\n";

const SEAL: &str = "make it with `argocd-peering seal kubeconfig`";

/// The end of a document that does not offload a namespace yet.
const NAMESPACES: &str =
    "    # namespaces: # whose pods may run at the provider; `create: true` makes the namespace
    #   - { name: demo, create: true, clusters: thisPeer }
";

/// The parts of a new document's `spec`, in its order.
const PARTS: [&str; 8] = [
    "liqoVersion",
    "seed",
    "consumer",
    "provider",
    "networking",
    "authentication",
    "offloading",
    "reverse",
];

/// The setting of one seed for both sides.
pub(crate) fn one_seed() -> Setting {
    Setting::new("spec.seed.file", json!(SEED))
}

/// The text of a new peering's document, with its name and these settings.
pub(crate) fn new_document(
    head: &str,
    name: &str,
    day: Option<Day>,
    mut settings: Vec<Setting>,
) -> Result<String, Bug> {
    settings.sort_by_key(place);
    let title = [
        Setting::new("apiVersion", json!(API_VERSION)),
        Setting::new("kind", json!(KIND)),
        Setting::new("metadata.name", json!(name)),
    ];
    let mut document = Fields::default();
    for Setting { path, value, .. } in title.into_iter().chain(settings) {
        let Some(value) = value else { continue };
        document = document.set_at(&path, &value);
        if let ([spec, side, field], Some(day)) = (path.as_slice(), day)
            && field == "clusterID"
        {
            let path = [spec.clone(), side.clone(), "keyRotated".to_owned()];
            document = document.set_at(&path, &json!(day));
        }
    }
    document_text(head, &document)
}

/// The place of a setting's part among the parts of `spec`.
fn place(setting: &Setting) -> Option<usize> {
    let part = setting.path.get(1)?;
    PARTS.iter().position(|known| known == part)
}

/// The authentication of the side that offloads, until Liqo's handshake begins: `keysExchange: pending`.
pub(crate) fn handshake(role: Role) -> Setting {
    let path = ".authentication.credential.keysExchange";
    Setting::new(&format!("{}{path}", role.direction()), json!("pending"))
}

/// The authentication of the side that offloads, until its credential is sealed: `credential: pending`.
pub(crate) fn authentication(role: Role, user: &str) -> [Setting; 3] {
    let fields = [
        ("subject.kind", "User"),
        ("subject.name", user),
        ("credential", "pending"),
    ];
    let authentication = format!("{}.authentication", role.direction());
    fields.map(|(field, value)| Setting::new(&format!("{authentication}.{field}"), json!(value)))
}

/// A document's text with comments, and with empty lines between the parts of `spec`.
pub(crate) fn document_text(head: &str, document: &Fields) -> Result<String, Bug> {
    let (mut text, mut above, mut comments) = (head.to_owned(), "", COMMENTS.to_vec());
    let lines = document.text()?;
    if lines.contains("    seed:\n") {
        comments.retain(|(field, _)| *field != "    publicKey:");
    }
    if !lines.contains("    credential:\n      keysExchange: pending\n") {
        comments.retain(|(field, _)| *field != CREDENTIAL);
    }
    for line in lines.split_inclusive('\n') {
        let is_part = line.starts_with("  ") && !line.starts_with("   ") && line.ends_with(":\n");
        if is_part && above != "spec:\n" {
            text.push('\n');
        }
        let place = comments
            .iter()
            .position(|(field, _)| line.starts_with(field));
        if let Some(place) = place {
            let (field, comment) = comments.remove(place);
            let pad = " ".repeat(field.len() - field.trim_start().len());
            text.extend(comment.lines().map(|it| format!("{pad}# {it}\n")));
        }
        text.push_str(line);
        above = line;
    }
    let offloading = lines.split("\n  offloading:\n").nth(1);
    if offloading.is_some_and(is_of_slices_alone) {
        text.push_str(NAMESPACES);
    }
    Ok(text)
}

/// Whether an offloading, which is the end of its document, has slices and no namespaces.
fn is_of_slices_alone(lines: &str) -> bool {
    lines.starts_with("    resourceSlices:")
        && lines.lines().all(|it| it.starts_with("    "))
        && !lines.contains("\n    namespaces:")
}
