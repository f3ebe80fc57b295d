//! Sealed files that are byte for byte the same in two peerings, so that one folder is a copy of the other. No identity is needed.

use super::document::SealedFile;
use super::judgement::Judgement;
use super::world::World;
use crate::diagnostic::{Code, Invalid, Label, Problems, Rule, Severity, Source, quoted};
use crate::peering::values::ClusterId;
use std::collections::{BTreeMap, BTreeSet};

/// A sealed file of a document, and the IDs of the peering's clusters.
struct PeeringFile<'d> {
    source: &'d Source,
    file: SealedFile<'d>,
    clusters: BTreeSet<&'d ClusterId>,
}

/// Reports sealed files that two documents share on the later document. A credential is for one peering; a seed may be shared by several.
pub(super) fn judge(world: &World, judgement: &mut Judgement) {
    let mut first: BTreeMap<[u8; 32], PeeringFile<'_>> = BTreeMap::new();
    for &number in &world.order {
        let Some(document) = world.documents.get(number) else {
            continue;
        };
        let (Some(source), Some(peering)) = (document.source(), document.peering()) else {
            continue;
        };
        for file in document.sealed_files() {
            let own = PeeringFile {
                source,
                file,
                clusters: peering.clusters.ids().into(),
            };
            let Some(other) = first.get(&own.file.digest) else {
                first.insert(own.file.digest, own);
                continue;
            };
            // the two halves of a peering, and one peering for two Argo CDs, have the same clusters
            if other.clusters != own.clusters {
                judgement.add(Some(number), copied_file(&own, other));
            } else if other.file.command != own.file.command {
                judgement.add(Some(number), overwritten_file(&own, other));
            }
        }
    }
}

fn copied_file(own: &PeeringFile<'_>, other: &PeeringFile<'_>) -> Invalid {
    let name = quoted(own.file.name);
    let (severity, message, help) = match own.file.command {
        Some(command) => (
            Severity::Error,
            format!("{name} has the same bytes as another peering's credential"),
            format!("in a copy, delete this file and run `argocd-peering {command}`"),
        ),
        None => (
            Severity::Note,
            format!("{name} has the same bytes as another peering's seed"),
            "in a copy, delete this file and run `argocd-peering seed new`; shared seeds need terms for each".to_owned(),
        ),
    };
    let rule = Rule::new(Code::SealedFileReused, message).help(help);
    reused_file(rule, severity, own, other)
}

/// A seed is not a credential, so one of the two files was overwritten.
fn overwritten_file(own: &PeeringFile<'_>, other: &PeeringFile<'_>) -> Invalid {
    let [own_name, other_name] = [own.file.name, other.file.name].map(quoted);
    let message = format!("{own_name} and {other_name} have the same bytes");
    let help = "one overwrote the other: `git checkout COMMIT -- FILE` brings it back";
    let rule = Rule::new(Code::SealedFileReused, message).help(help);
    reused_file(rule, Severity::Error, own, other)
}

fn reused_file(
    rule: Rule,
    severity: Severity,
    own: &PeeringFile<'_>,
    other: &PeeringFile<'_>,
) -> Invalid {
    let label = Label::new(other.file.span, "the same file");
    let problem = rule.mark(own.file.span).level(severity);
    let mut problems = Problems::default();
    problems.push(problem.also_in(other.source, label));
    Invalid {
        problems,
        source: own.source.clone(),
    }
}
