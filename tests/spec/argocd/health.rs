//! Health checks of Liqo's kinds for Argo CD: `argocd-app/health` has them in Argo CD's own layout, and `argocd-app/install`
//! has them as what a user installs. `tests/conformance/health` runs them with Argo CD's Lua engine.

use crate::generated::Made;
use crate::harness::argocd::yaml;
use crate::harness::{Id, Peering, ROLES, annotation, files_below, name_of, read, root};
use std::collections::BTreeMap;
use std::path::Path;

/// What waits for an object of a kind.
enum Place {
    /// A later wave of some stream does.
    Between,
    /// It is in the last wave, for which Argo CD does not wait.
    Last,
    /// It is in no stream, or it is there to tell.
    Told,
}

/// Streams have it for its health.
const SUMMARY: &str = "core.liqo.io_ForeignCluster";

/// The waves of Liqo's kinds in the golden streams, by `group_Kind`.
fn waves() -> BTreeMap<String, u32> {
    let mut waves = BTreeMap::new();
    for example in Peering::examples() {
        for object in ROLES.iter().flat_map(|role| example.golden(role).1) {
            let Id { group, kind, .. } = Id::of(&object);
            if group.ends_with("liqo.io") {
                let wave = annotation(&object, "argocd.argoproj.io/sync-wave").expect("a wave");
                waves.insert(format!("{group}_{kind}"), wave.parse().expect("a number"));
            }
        }
    }
    assert!(waves.len() > 7, "{waves:?}");
    waves
}

/// The scripts as they are contributed, by `group_Kind`: they tell the full truth.
fn scripts() -> BTreeMap<String, String> {
    let key = |script: &Path| {
        let kind = script.parent().expect("a kind");
        // Argo CD's key of a kind of Kubernetes' core has no group (argo-cd util/lua/lua.go, GetConfigMapKey)
        match &*name_of(kind.parent().expect("a group")) {
            "core" => name_of(kind),
            group => format!("{group}_{}", name_of(kind)),
        }
    };
    files_below(&root().join("argocd-app/health"), "health.lua")
        .iter()
        .map(|script| (key(script), read(script)))
        .collect()
}

/// The script of the default pack. Nothing that a wave waits for is other than Healthy, or the Application of one side would
/// stand still until the other side's has synced; what Liqo says is in the message.
fn stored_is_healthy(script: &str, place: &Place) -> String {
    let hidden = match place {
        Place::Told => return script.to_owned(),
        Place::Last => r#"hs.status == "Progressing" or hs.status == "Suspended""#,
        Place::Between => r#"hs.status ~= "Healthy""#,
    };
    format!(
        r#"local function truth()
{}end

-- Healthy as soon as it is stored: the waves of a sync do not wait for the other cluster
local hs = truth()
if obj.metadata.deletionTimestamp == nil and ({hidden}) then
  hs.message = "Stored (" .. hs.status .. "): " .. hs.message
  hs.status = "Healthy"
end
return hs
"#,
        indented(script, 2)
    )
}

/// The head of a patch of the operator's resource, whose `extraConfig` goes into argocd-cm (argocd-operator
/// `api/v1beta1/argocd_types.go`).
const OPERATORS: &str = "# A merge patch, as openshift.yaml in the folder above. A check that is removed here stays in argocd-cm.\n\
apiVersion: argoproj.io/v1beta1\nkind: ArgoCD\nmetadata:\n  name: openshift-gitops\n  namespace: openshift-gitops\nspec:\n  extraConfig:\n";

fn indented(text: &str, by: usize) -> String {
    let line = |line: &str| {
        if line.is_empty() {
            "\n".to_owned()
        } else {
            format!("{:by$}{line}\n", "")
        }
    };
    text.lines().map(line).collect()
}

pub(crate) fn made() -> Vec<Made> {
    let waves = waves();
    let last = waves.values().max();
    let place = |key: &str| match waves.get(key) {
        None => Place::Told,
        Some(_) if key == SUMMARY => Place::Told,
        wave if wave == last => Place::Last,
        Some(_) => Place::Between,
    };
    let full = scripts();
    let default = full
        .iter()
        .map(|(key, script)| (key.clone(), stored_is_healthy(script, &place(key))))
        .collect();
    [("health", default), ("health-full", full)]
        .iter()
        .flat_map(|(folder, pack)| files(folder, pack))
        .collect()
}

/// A pack for Kustomize, for argo-helm, and for the operator of OpenShift.
fn files(folder: &str, pack: &BTreeMap<String, String>) -> [Made; 3] {
    const MADE: &str = "# Made from argocd-app/health by `UPDATE=1 cargo test --locked`.\n";
    let entries: String = pack
        .iter()
        .map(|(key, script)| {
            format!(
                "resource.customizations.health.{key}: |\n{}",
                indented(script, 2)
            )
        })
        .collect();
    let file = |name: &str, head: &str, by| Made {
        path: format!("argocd-app/install/{folder}/{name}"),
        text: format!("{MADE}{head}{}", indented(&entries, by)),
    };
    [
        file(
            "argocd-cm.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: argocd-cm\ndata:\n",
            2,
        ),
        file("values.yaml", "configs:\n  cm:\n", 4),
        file("openshift.yaml", OPERATORS, 4),
    ]
}

#[test]
fn all_ways_to_install_have_the_same_checks() {
    for folder in ["health", "health-full"] {
        let [patch, values, operators] = ["argocd-cm", "values", "openshift"]
            .map(|file| yaml(&format!("argocd-app/install/{folder}/{file}.yaml")));
        assert_eq!(patch["data"], values["configs"]["cm"], "{folder}");
        assert_eq!(patch["data"], operators["spec"]["extraConfig"], "{folder}");
        assert_eq!(
            patch["data"].as_object().expect("checks").len(),
            scripts().len(),
            "{folder}"
        );
    }
}

/// A `PublicKey` has no status: Argo CD takes a kind without a check for Healthy.
#[test]
fn each_kind_of_a_stream_that_has_a_status_has_a_check() {
    let scripts = scripts();
    let without: Vec<_> = waves()
        .into_keys()
        .filter(|key| !scripts.contains_key(key))
        .collect();
    assert_eq!(without, ["networking.liqo.io_PublicKey"]);
}
