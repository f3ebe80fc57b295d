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
use std::str::FromStr;
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
    if let Err(error) = std::fs::create_dir(folder) {
        let name = folder.display().to_string();
        let problem = WriteProblem::Unwritable(error.kind());
        return Err(Unwritten { name, problem }.into());
    }
    let Sides { consumer, provider } = &snapshots.clusters;
    for (name, live) in [
        ("consumer", consumer),
        ("provider", provider),
        (ARGO_CD, &snapshots.argocd),
    ] {
        let Some(live) = live else { continue };
        let file = RecordFile::new(live, snapshots.time);
        let text = serde_json::to_string_pretty(&file).map_err(|_| Bug::new("the record"))?;
        store::create(&folder.join(format!("{name}.json")), text.as_bytes())?;
    }
    Ok(())
}

impl RecordFile {
    fn new(live: &Snapshot, time: Duration) -> Self {
        let mut objects = Vec::new();
        for object in &live.objects {
            if belongs_to_peering(object) {
                let mut object = object.clone();
                redact(&mut object);
                objects.push(object.value);
            }
        }
        let mut refused = Vec::new();
        for Refused { resource, problem } in &live.refused {
            let (resource, answer) = (resource.clone(), mask(&problem.to_string()));
            refused.push(UnreadResource { resource, answer });
        }
        let time = DateTime::from_unix_duration(time).map(|it| it.to_string());
        Self {
            version: VERSION,
            read: time.unwrap_or_default(),
            objects,
            refused,
        }
    }

    fn is_valid(&self) -> bool {
        self.version == VERSION && self.objects.iter().all(Value::is_object)
    }
}

/// Whether an object belongs to the peering. Of Applications, these are only those of this plugin.
fn belongs_to_peering(object: &Object) -> bool {
    object.kind() != "Application" || !Application::from_node(&Node::from(&object.value)).is_empty()
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
    let Sides { consumer, provider } = &mut snapshots.clusters;
    for (name, live) in [
        ("consumer", consumer),
        ("provider", provider),
        (ARGO_CD, &mut snapshots.argocd),
    ] {
        if let Some((snapshot, at)) = read_file(&folder.join(format!("{name}.json")), &budget)? {
            *live = Some(snapshot);
            snapshots.time = at.max(snapshots.time);
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
    let file = match value.map(serde_json::from_value::<RecordFile>) {
        Some(Ok(file)) if file.is_valid() => file,
        _ => return Err(file_error(path, "is no record of doctor's")),
    };
    let Ok(time) = file.read.parse::<DateTime>() else {
        return Err(file_error(path, "has no time"));
    };
    let mut refused = Vec::new();
    for UnreadResource { resource, answer } in file.refused {
        let problem = ProgramProblem::Failed(answer);
        refused.push(Refused { resource, problem });
    }
    let objects = file.objects.into_iter().map(Object::new).collect();
    Ok(Some((Snapshot { objects, refused }, time.unix_duration())))
}

fn file_error(path: &Path, what: &str) -> Error {
    let path = shown_name(&path.display().to_string());
    Error::flag(
        "--from",
        format!("{path} {what}: write it anew with --save"),
    )
}

/// Removes what no check needs, and masks the rest. The stream's object is masked as well, so that the two can be compared. Public keys,
/// certificates and the fields of the key exchange stay.
pub(super) fn redact(object: &mut Object) {
    let mut public = PUBLIC.to_vec();
    let mut removed = SECRET.to_vec();
    for half in live_halves_of(object) {
        public.extend(half.certificate);
        for place in half.written_by_cluster {
            if !place.contains('[') {
                removed.push(place);
            }
        }
    }
    for (kind, place, has_form) in EXCHANGED {
        if object.kind() == kind && has_form(object.text(place)) {
            public.push(place);
        }
    }
    let original = object.clone();
    let annotations = object.value.pointer_mut("/metadata/annotations");
    if let Some(Value::Object(annotations)) = annotations {
        annotations.retain(|key, _| {
            ANNOTATIONS.iter().any(|start| key.starts_with(start)) || is_mark(key)
        });
    }
    for path in removed {
        remove_field(&mut object.value, path);
    }
    mask_all(&mut object.value);
    for place in public {
        if let Some(masked) = object.value.pointer_mut(place)
            && let Some(value) = original.find(place)
        {
            value.clone_into(masked);
        }
    }
}

/// The places of public keys.
const PUBLIC: [&str; 2] = ["/spec/publicKey", "/data/publicKey"];

/// A kind, the place of a text in it, and the form of that text.
type TextField = (&'static str, &'static str, fn(&str) -> bool);

/// The fields of the key exchange, which the document shows as well. A text of another form could be a secret.
const EXCHANGED: [TextField; 4] = [
    (
        "Identity",
        "/spec/authParams/ca",
        has_form::<IdentityCertificate>,
    ),
    ("Tenant", "/spec/csr", has_form::<SigningRequest>),
    ("Tenant", "/spec/signature", has_form::<NonceSignature>),
    ("Secret", "/data/nonce", is_nonce),
];

fn has_form<T: FromStr>(text: &str) -> bool {
    text.parse::<T>().is_ok()
}

fn is_nonce(text: &str) -> bool {
    let bytes = STANDARD.decode(text).unwrap_or_default();
    str::from_utf8(&bytes).is_ok_and(has_form::<Nonce>)
}

/// Fields that a record must not have, whatever their form: Liqo's AWS keys (liqo `apis/authentication/v1beta1/identity_types.go`).
const SECRET: [&str; 2] = ["spec.authParams.awsConfig", "status.authParams.awsConfig"];

/// Removes a field, by its path with dots.
fn remove_field(object: &mut Value, path: &str) {
    let pointer = format!("/{}", path.replace('.', "/"));
    let (parent, field) = pointer.rsplit_once('/').unwrap_or_default();
    if let Some(Value::Object(fields)) = object.pointer_mut(parent) {
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
