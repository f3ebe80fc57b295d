//! Where manifests come from: files and folders, or a live cluster. Of a live cluster's Secrets kubectl prints names, labels
//! and the public key only.

use super::manifest::{self, SECRET_ANNOTATION, SECRET_LABELS};
use crate::command::Streams;
use crate::command::error::{Error, ProgramProblem};
use crate::command::workstation::budget::Budget;
use crate::command::workstation::kubectl::Kubectl;
use crate::diagnostic::shown_name;
use crate::input::file::{self, Links, utf8};
use crate::object::live::{Live, Scope};
use crate::stream::kinds::resources;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use zeroize::Zeroizing;

/// A dump of a cluster with thousands of peerings is smaller.
const FILE_CAP: u64 = 16 * 1024 * 1024;

/// The objects of files, and of the manifests in folders.
pub(super) fn files(paths: &[PathBuf], budget: &Budget) -> Result<Vec<Live>, Error> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            file::walk(path, &mut |path, is_folder| {
                let is_manifest =
                    path.extension().is_some_and(|it| it == "yaml" || it == "yml" || it == "json");
                found.extend((is_manifest && !is_folder).then(|| path.to_owned()));
            })?;
        } else {
            found.push(path.clone());
        }
    }
    found.sort();
    found.dedup();
    let mut objects = Vec::new();
    for path in found {
        let bytes = Zeroizing::new(file::read(&path, FILE_CAP, Links::Follow).map_err(file::named(&path))?);
        let text = utf8(&bytes).map_err(file::named(&path))?;
        let place = path.display().to_string();
        manifest::read(text, &place, budget, &mut objects)
            .map_err(|problem| Error::Manifests(vec![format!("{}{problem}", shown_name(&place))]))?;
    }
    Ok(objects)
}

/// The columns of a Secret: no other value of it leaves kubectl.
const COLUMNS: &str = "-o=custom-columns=\
    NAMESPACE:.metadata.namespace,\
    NAME:.metadata.name,\
    PEER:.metadata.labels.liqo\\.io/remote-cluster-id,\
    GATEWAY:.metadata.labels.networking\\.liqo\\.io/gateway-resource,\
    IDENTITY:.metadata.labels.liqo\\.io/identity-type,\
    TENANT:.metadata.annotations.liqo\\.io/remote-tenant-namespace,\
    PUBLIC:.data.publicKey";

/// The objects of a live cluster. Whoever may not read Secrets does without them: the other cluster has the public key.
pub(super) fn cluster(context: &str, budget: &Budget, streams: &mut Streams<'_>) -> Result<Vec<Live>, Error> {
    let kubectl = Kubectl::new(context, budget)?;
    let place = format!("context {context}");
    let mut everywhere = resources(&[Scope::Everywhere]);
    // of these only Liqo's
    everywhere.retain(|resource| *resource != "namespaces");
    let everywhere = everywhere.join(",");
    let rights = resources(&[Scope::InTenantNamespace]).join(",");
    let queries: [&[&str]; 4] = [
        &["configmaps", "--field-selector=metadata.name=liqo-clusterid-configmap"],
        &["namespaces", "--selector=liqo.io/tenant-namespace"],
        &[&everywhere],
        &[&rights, "--selector=liqo.io/remote-cluster-id"],
    ];
    let mut objects = Vec::new();
    for query in queries {
        let arguments = [query, &["--all-namespaces"]].concat();
        let list: Value = kubectl
            .json(&arguments, manifest::read_of_object, streams)
            .map_err(|problem| kubectl.failed(problem))?;
        if !manifest::is_whole(&list) {
            return Err(kubectl.failed(ProgramProblem::Unexpected("the JSON of such an object")));
        }
        manifest::objects(list, &place, &mut objects);
    }
    let arguments =
        ["secrets", "--all-namespaces", "--selector=liqo.io/remote-cluster-id", "--no-headers", COLUMNS];
    match kubectl.rows(&arguments, streams) {
        Ok(rows) => objects.extend(rows.iter().filter_map(|line| secret(line, &place))),
        Err(problem) if problem.is_forbidden() => {
            streams.note("note: you may not read Secrets there: their names come from other objects");
        }
        Err(problem) => return Err(kubectl.failed(problem)),
    }
    Ok(objects)
}

/// A Secret of a line of kubectl's table. No column can have a space in it.
fn secret(line: &str, place: &str) -> Option<Live> {
    let mut columns = line.split_whitespace().map(|text| (text != "<none>").then(|| text.to_owned()));
    let mut next = || columns.next().flatten();
    let (namespace, name) = (next()?, next()?);
    let mut named = |keys: &[&str]| -> Map<String, Value> {
        keys.iter().filter_map(|key| Some(((*key).to_owned(), next()?.into()))).collect()
    };
    let metadata = json!({
        "namespace": namespace,
        "name": name,
        "labels": named(&SECRET_LABELS),
        "annotations": named(&[SECRET_ANNOTATION]),
        // what else it has is not known, so nothing of it can be missing
        "ownerReferences": [{}],
    });
    let data = json!({ "publicKey": next() });
    Some(Live::of(place, json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data })))
}
