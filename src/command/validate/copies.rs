//! Sealed files that two peerings have byte for byte: the folder of one is a copy of the other's. No identity is needed to see it.

use crate::custody::{PayloadKind, named_files};
use crate::diagnostic::{
    Code, Diagnostic, Elsewhere, Invalid, Label, Problems, Rule, Severity, Source, Span, quoted,
};
use crate::peering::{Peering, Role};
use crate::state::repo::Sealed;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// A sealed file that a document names.
pub(super) struct Named {
    digest: [u8; 32],
    pub(super) name: String,
    pub(super) span: Span,
    /// The command that seals a credential; a seed has none.
    command: Option<&'static str>,
    /// Of the peering, in the order of their IDs.
    clusters: BTreeSet<String>,
}

/// Those of a document that are in its folder.
pub(super) fn named(peering: &Peering, sealed: &Sealed) -> Vec<Named> {
    let clusters: BTreeSet<String> =
        Role::BOTH.iter().map(|role| peering.clusters.of(*role).id.to_string()).collect();
    let command = |kind: PayloadKind| (kind != PayloadKind::Seed).then(|| kind.command());
    let files: BTreeMap<&str, _> =
        named_files(peering).map(|(file, kind)| (file.value.as_str(), (file.span, command(kind)))).collect();
    let one = |(name, (span, command)): (&str, (Span, Option<&'static str>))| {
        let bytes = sealed.get(name)?.as_ref().ok()?;
        // armor in which only the ends of lines differ is the same file
        let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let (digest, name) = (Sha256::digest(&bytes).into(), name.to_owned());
        Some(Named { digest, name, span, command, clusters: clusters.clone() })
    };
    files.into_iter().filter_map(one).collect()
}

/// What is wrong with them, each with the number of its document: a credential is for one peering, and a seed can be meant for several.
pub(super) fn check(documents: &[(usize, Source, Vec<Named>)]) -> Vec<(usize, Invalid)> {
    let mut first: BTreeMap<[u8; 32], (&Source, &Named)> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, source, files) in documents {
        for file in files {
            let (other, its) = *first.entry(file.digest).or_insert((source, file));
            // the halves of a peering, and one peering for two Argo CDs, have the same clusters
            if its.clusters != file.clusters {
                found.push((*index, copy(source, file, other, its)));
            }
        }
    }
    found
}

fn copy(source: &Source, file: &Named, other: &Source, its: &Named) -> Invalid {
    let name = quoted(&file.name);
    let (severity, message, help) = match file.command {
        Some(command) => (
            Severity::Error,
            format!("{name} is byte for byte the credential of another peering, which is for other clusters"),
            format!("if the folder was copied, seal the credential of this peering: `argocd-peering {command}`"),
        ),
        None => (
            Severity::Note,
            format!("{name} is byte for byte the seed of another peering, so one leak has the keys of both"),
            "if the folder was copied, make a seed for this peering: `argocd-peering seed new`; one that is meant for several has terms for each".to_owned(),
        ),
    };
    let label = Label { span: its.span, text: "the same file".into() };
    let rule = Rule::new(Code::SealedFileReused, message).help(help).at(file.span);
    let mut problems = Problems::default();
    let elsewhere = Elsewhere { source: other.clone(), path: None, label };
    problems.push(Diagnostic { elsewhere: vec![elsewhere], ..rule });
    Invalid::of_file(severity, problems, source)
}
