//! Writes what was read to files that a user can send to a colleague: without secrets, as far as a program can know them.

use super::reading::Reading;
use crate::command::{Error, Result};
use crate::custody::store::{self, Unwritten, WriteProblem};
use crate::diagnostic::{Bug, mask, shown_name};
use crate::input::file::{Links, read_text};
use crate::object::live::Object;
use crate::object::live::owner::is_mark;
use crate::peering::authentication::credential::identity::IdentityCertificate;
use crate::peering::authentication::credential::keys_exchange::{
    Nonce, NonceSignature, SigningRequest,
};
use crate::peering::{Role, Sides};
use crate::state::ProgramProblem;
use crate::state::cluster::{Budget, Refused, Snapshot, whole_field};
use crate::stream::kinds::live_halves_of;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
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
struct File {
    version: u32,
    /// When the cluster was read: `2026-11-22T06:00:00Z`.
    read: String,
    objects: Vec<Value>,
    refused: Vec<Refusal>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    resource: String,
    answer: String,
}

/// Writes a folder that does not exist yet: `consumer.json`, `provider.json`, `argocd.json`.
///
/// # Errors
/// When it exists, or cannot be written.
pub(super) fn write(
    folder: &Path,
    reading: &Reading,
    is_recorded: impl Fn(&Object) -> bool,
) -> Result {
    std::fs::create_dir(folder).map_err(|error| Unwritten {
        name: folder.display().to_string(),
        problem: WriteProblem::Unwritable(error.kind()),
    })?;
    let argocd = reading.argocd.as_ref().map(|live| (ARGO_CD, live));
    for (name, live) in reading
        .clusters()
        .map(|(role, live)| (role.word(), live))
        .chain(argocd)
    {
        let file = file(live, reading.at, &is_recorded);
        let text = serde_json::to_string_pretty(&file).map_err(|_| Bug::new("the record"))?;
        store::create(&folder.join(format!("{name}.json")), text.as_bytes())?;
    }
    Ok(())
}

fn file(live: &Snapshot, at: Duration, is_recorded: impl Fn(&Object) -> bool) -> File {
    let objects = live
        .objects
        .iter()
        .filter(|object| is_recorded(object))
        .cloned()
        .map(|mut object| {
            redacted(&mut object);
            object.value
        });
    let refused = live.refused.iter().map(|it| Refusal {
        resource: it.resource.clone(),
        answer: mask(&it.problem.to_string()),
    });
    File {
        version: VERSION,
        read: DateTime::from_unix_duration(at)
            .map(|it| it.to_string())
            .unwrap_or_default(),
        objects: objects.collect(),
        refused: refused.collect(),
    }
}

/// Reads what [`write()`] has written.
///
/// # Errors
/// When the folder has none of these files, or a file does not have this form.
pub(super) fn read_record(folder: &Path, budget: &Budget) -> Result<Reading> {
    let [consumer, provider, argocd] = [Role::Consumer.word(), Role::Provider.word(), ARGO_CD]
        .map(|name| load(&folder.join(format!("{name}.json")), budget));
    let files = [consumer?, provider?, argocd?];
    let Some(at) = files.iter().flatten().map(|(_, at)| *at).max() else {
        let folder = shown_name(&folder.display().to_string());
        let reason = format!("{folder} has no consumer.json, provider.json or argocd.json");
        return Err(Error::flag("--from", reason));
    };
    let [consumer, provider, argocd] = files.map(|file| file.map(|(live, _)| live));
    Ok(Reading {
        at,
        clusters: Sides { consumer, provider },
        argocd,
        waits: false,
        is_recorded: true,
    })
}

fn load(path: &Path, budget: &Budget) -> Result<Option<(Snapshot, Duration)>> {
    if path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let text = &*read_text(path, FILE_CAP, Links::Refuse)?;
    budget
        .take_bytes(text.len())
        .map_err(|bound| wrong(path, &format!("is more than {bound}")))?;
    let value = budget
        .json(text, whole_field)
        .map_err(|bound| wrong(path, &format!("is more than {bound}")))?;
    let file: Option<File> = value.and_then(|value| serde_json::from_value(value).ok());
    let file = file.filter(|it| it.version == VERSION && it.objects.iter().all(Value::is_object));
    let file = file.ok_or_else(|| wrong(path, "is no record of doctor's"))?;
    let at = file
        .read
        .parse::<DateTime>()
        .map_err(|_| wrong(path, "has no time"))?
        .unix_duration();
    let refused = file.refused.into_iter();
    let refused = refused.map(|it| Refused {
        resource: it.resource,
        problem: ProgramProblem::Failed(it.answer),
    });
    let objects = file.objects.into_iter().map(Object::new).collect();
    Ok(Some((
        Snapshot {
            objects,
            refused: refused.collect(),
        },
        at,
    )))
}

fn wrong(path: &Path, what: &str) -> Error {
    let reason = format!(
        "{} {what}: write it anew with --save",
        shown_name(&path.display().to_string())
    );
    Error::flag("--from", reason)
}

/// Removes what no check needs, and masks the rest. The stream's object is masked as well, so that the two can be compared. Public keys,
/// certificates and the fields of the key exchange stay.
pub(super) fn redacted(object: &mut Object) {
    let is_exchanged = |(kind, place, has_form): &&TextField| {
        object.kind() == *kind && has_form(object.text(place))
    };
    let exchanged = EXCHANGED
        .iter()
        .filter(is_exchanged)
        .map(|(_, place, _)| *place);
    let certificates = live_halves_of(object).filter_map(|half| half.certificate);
    let public: Vec<&str> = certificates.chain(PUBLIC).chain(exchanged).collect();
    let theirs: Vec<&str> = live_halves_of(object)
        .flat_map(|half| half.written_by_cluster)
        .copied()
        .collect();
    let kept: Vec<_> = public
        .iter()
        .filter_map(|place| Some((*place, object.find(place)?.clone())))
        .collect();
    if let Some(annotations) = object
        .value
        .pointer_mut("/metadata/annotations")
        .and_then(Value::as_object_mut)
    {
        annotations.retain(|key, _| {
            ANNOTATIONS.iter().any(|start| key.starts_with(start)) || is_mark(key)
        });
    }
    for path in theirs
        .iter()
        .filter(|path| !path.contains('['))
        .chain(&SECRET)
    {
        remove(&mut object.value, path);
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
    let text = STANDARD
        .decode(text)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    text.is_some_and(|text| text.parse::<Nonce>().is_ok())
}

/// Fields that a record must not have, whatever their form: Liqo's AWS keys (liqo `apis/authentication/v1beta1/identity_types.go`).
const SECRET: [&str; 2] = ["spec.authParams.awsConfig", "status.authParams.awsConfig"];

/// Removes a field, by its path with dots.
fn remove(object: &mut Value, path: &str) {
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
            let masked: Map<String, Value> = std::mem::take(fields)
                .into_iter()
                .map(|(key, mut value)| {
                    mask_all(&mut value);
                    (mask(&key), value)
                })
                .collect();
            *fields = masked;
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
