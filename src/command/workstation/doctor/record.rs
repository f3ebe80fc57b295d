//! Writes what was read to files that a user can send to a colleague: without secrets, as far as a program can know them.

use super::snapshots::Snapshots;
use crate::argocd::application::Application;
use crate::command::{Error, Result};
use crate::custody::store::{self, Unwritten, WriteProblem};
use crate::diagnostic::{Bug, mask, shown_name};
use crate::input::file::{Links, read_text};
use crate::input::yaml::Node;
use crate::object::live::Object;
use crate::object::live::owner::is_mark;
use crate::peering::Sides;
use crate::peering::authentication::credential::identity::IdentityCertificate;
use crate::peering::authentication::credential::keys_exchange::{
    Nonce, NonceSignature, SigningRequest,
};
use crate::state::ProgramProblem;
use crate::state::cluster::{Budget, Refused, Snapshot, whole_field};
use crate::stream::kinds::live_halves_of;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use x509_cert::der::DateTime;

/// The version of a record's file. Any other version is refused.
const VERSION: u32 = 1;

/// The largest file of a record. What one cluster has of a fleet of hundreds is smaller.
const FILE_CAP: u64 = 64 * 1024 * 1024;

const ARGO_CD: &str = "argocd";

/// The prefixes of annotations that Liqo and Argo CD act upon. Other annotations can hold whole objects.
const ANNOTATIONS: [&str; 2] = ["liqo.io/", "argocd.argoproj.io/"];

/// A file of a record.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordFile {
    version: u32,
    /// When the cluster was read: `2026-11-22T06:00:00Z`.
    read: String,
    objects: Vec<Value>,
    refused: Vec<UnreadResource>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnreadResource {
    resource: String,
    answer: String,
}

/// Writes a folder that does not exist yet: `consumer.json`, `provider.json`, `argocd.json`.
///
/// # Errors
/// When it exists, or cannot be written.
pub(super) fn write_record(folder: &Path, snapshots: &Snapshots) -> Result {
    std::fs::create_dir(folder).map_err(|error| Unwritten {
        name: folder.display().to_string(),
        problem: WriteProblem::Unwritable(error.kind()),
    })?;
    let argocd = snapshots.argocd.as_ref().map(|live| (ARGO_CD, live));
    let clusters = snapshots.clusters().map(|(role, live)| (role.word(), live));
    for (name, live) in clusters.chain(argocd) {
        let file = RecordFile::new(live, snapshots.time);
        let text = serde_json::to_string_pretty(&file).map_err(|_| Bug::new("the record"))?;
        store::create(&folder.join(format!("{name}.json")), text.as_bytes())?;
    }
    Ok(())
}

impl RecordFile {
    fn new(live: &Snapshot, time: Duration) -> Self {
        let mut objects = Vec::new();
        for object in live.objects.iter().filter(|it| belongs_to_peering(it)) {
            let mut object = object.clone();
            redact(&mut object);
            objects.push(object.value);
        }
        let refused = live.refused.iter().map(|it| UnreadResource {
            resource: it.resource.clone(),
            answer: mask(&it.problem.to_string()),
        });
        let time = DateTime::from_unix_duration(time).map(|it| it.to_string());
        Self {
            version: VERSION,
            read: time.unwrap_or_default(),
            objects,
            refused: refused.collect(),
        }
    }
}

/// Whether an object belongs to the peering. Of Applications, these are only those of this plugin.
fn belongs_to_peering(object: &Object) -> bool {
    let is_of_plugin = || !Application::from_node(&Node::from(&object.value)).is_empty();
    object.kind() != "Application" || is_of_plugin()
}

/// Reads what [`write_record`] has written.
///
/// # Errors
/// When the folder has none of these files, or a file does not have this form.
pub(super) fn read_record(folder: &Path) -> Result<Snapshots> {
    let budget = Budget::default();
    let mut snapshots = Snapshots {
        is_recorded: true,
        ..Snapshots::default()
    };
    let mut is_empty = true;
    let Snapshots {
        clusters,
        argocd,
        time,
        ..
    } = &mut snapshots;
    let Sides { consumer, provider } = clusters;
    for (name, live) in [
        ("consumer", consumer),
        ("provider", provider),
        (ARGO_CD, argocd),
    ] {
        if let Some((snapshot, at)) = read_file(&folder.join(format!("{name}.json")), &budget)? {
            *live = Some(snapshot);
            *time = at.max(*time);
            is_empty = false;
        }
    }
    if is_empty {
        let folder = shown_name(&folder.display().to_string());
        let reason = format!("{folder} has no consumer.json, provider.json or argocd.json");
        return Err(Error::flag("--from", reason));
    }
    Ok(snapshots)
}

fn read_file(path: &Path, budget: &Budget) -> Result<Option<(Snapshot, Duration)>> {
    if path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let text = &*read_text(path, FILE_CAP, Links::Refuse)?;
    let value = budget
        .take_bytes(text.len())
        .and_then(|()| budget.json(text, whole_field));
    let value = value.map_err(|bound| file_error(path, &format!("is more than {bound}")))?;
    let file: Option<RecordFile> = value.and_then(|value| serde_json::from_value(value).ok());
    let file = file.filter(|it| it.version == VERSION && it.objects.iter().all(Value::is_object));
    let file = file.ok_or_else(|| file_error(path, "is no record of doctor's"))?;
    let time = file.read.parse::<DateTime>();
    let time = time.map_err(|_| file_error(path, "has no time"))?;
    let refused = file.refused.into_iter().map(|it| Refused {
        resource: it.resource,
        problem: ProgramProblem::Failed(it.answer),
    });
    let snapshot = Snapshot {
        objects: file.objects.into_iter().map(Object::new).collect(),
        refused: refused.collect(),
    };
    Ok(Some((snapshot, time.unix_duration())))
}

fn file_error(path: &Path, what: &str) -> Error {
    let reason = format!(
        "{} {what}: write it anew with --save",
        shown_name(&path.display().to_string())
    );
    Error::flag("--from", reason)
}

/// Removes what no check needs, and masks the rest. The stream's object is masked as well, so that the two can be compared. Public keys,
/// certificates and the fields of the key exchange stay.
pub(super) fn redact(object: &mut Object) {
    let mut public = PUBLIC.to_vec();
    let mut removed = SECRET.to_vec();
    for half in live_halves_of(object) {
        public.extend(half.certificate);
        removed.extend(
            half.written_by_cluster
                .iter()
                .filter(|it| !it.contains('[')),
        );
    }
    for (kind, place, has_form) in EXCHANGED {
        if object.kind() == kind && has_form(object.text(place)) {
            public.push(place);
        }
    }
    let find = |place: &&'static str| Some((*place, object.find(place)?.clone()));
    let kept: Vec<(&str, Value)> = public.iter().filter_map(find).collect();
    let annotations = object.value.pointer_mut("/metadata/annotations");
    if let Some(annotations) = annotations.and_then(Value::as_object_mut) {
        annotations.retain(|key, _| {
            ANNOTATIONS.iter().any(|start| key.starts_with(start)) || is_mark(key)
        });
    }
    for path in removed {
        remove_field(&mut object.value, path);
    }
    mask_all(&mut object.value);
    for (place, value) in kept {
        if let Some(masked) = object.value.pointer_mut(place) {
            *masked = value;
        }
    }
}

/// The places of public keys.
const PUBLIC: [&str; 2] = ["/spec/publicKey", "/data/publicKey"];

/// A kind, the place of a text in it, and the form of that text.
type TextField = (&'static str, &'static str, fn(&str) -> bool);

/// The fields of the key exchange, which the document shows as well. A text of another form could be a secret.
const EXCHANGED: [TextField; 4] = [
    ("Identity", "/spec/authParams/ca", |text| {
        text.parse::<IdentityCertificate>().is_ok()
    }),
    ("Tenant", "/spec/csr", |text| {
        text.parse::<SigningRequest>().is_ok()
    }),
    ("Tenant", "/spec/signature", |text| {
        text.parse::<NonceSignature>().is_ok()
    }),
    ("Secret", "/data/nonce", is_nonce),
];

fn is_nonce(text: &str) -> bool {
    let bytes = STANDARD.decode(text).unwrap_or_default();
    String::from_utf8(bytes).is_ok_and(|text| text.parse::<Nonce>().is_ok())
}

/// Fields that a record must not have, whatever their form: Liqo's AWS keys (liqo `apis/authentication/v1beta1/identity_types.go`).
const SECRET: [&str; 2] = ["spec.authParams.awsConfig", "status.authParams.awsConfig"];

/// Removes a field, by its path with dots.
fn remove_field(object: &mut Value, path: &str) {
    let (parents, field) = path.rsplit_once('.').unwrap_or(("", path));
    let mut parents = parents.split('.').filter(|part| !part.is_empty());
    let parent = parents.try_fold(object, |value, part| value.get_mut(part));
    if let Some(fields) = parent.and_then(Value::as_object_mut) {
        fields.remove(field);
    }
}

fn mask_all(value: &mut Value) {
    match value {
        Value::String(text) => *text = mask(text),
        Value::Array(items) => items.iter_mut().for_each(mask_all),
        Value::Object(fields) => {
            for (key, mut value) in std::mem::take(fields) {
                mask_all(&mut value);
                fields.insert(mask(&key), value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
