//! What a kind sees of the document while it is resolved.

use super::cluster::ClusterSpec;
use super::values::{LiqoVersion, Metadata, Namespace, Role, SealedFile, Sides};
use crate::diagnostic::{Code, Problems, Rule, Span};
use crate::document::Located;
use std::str::FromStr;

/// What every kind needs to be resolved: what is written for all of them, and where problems go.
pub(super) struct Context<'d, 'p> {
    pub(super) clusters: Sides<&'d ClusterSpec>,
    pub(super) has_networking: bool,
    /// The seed of both sides.
    pub(super) seed: Option<&'d SealedFile>,
    /// The labels and annotations of all objects.
    pub(super) common: Option<&'d Located<Metadata>>,
    pub(super) liqo_version: Option<LiqoVersion>,
    /// Liqo's namespace on both clusters.
    pub(super) liqo_namespace: Namespace,
    pub(super) problems: &'p mut Problems,
}

impl<'d> Context<'d, '_> {
    /// A cluster as it is written.
    pub(super) const fn cluster(&self, role: Role) -> &'d ClusterSpec {
        self.clusters.of(role)
    }

    /// Where Liqo is on a cluster.
    pub(super) fn liqo_namespace(&self, role: Role) -> &Namespace {
        self.cluster(role).liqo_namespace.as_ref().unwrap_or(&self.liqo_namespace)
    }

    /// Something that older CRDs lack: the API server drops it without a word (`docs/compatibility.md`).
    pub(super) fn needs(&mut self, version: LiqoVersion, span: Span, what: &str) {
        let written = self.liqo_version;
        let lowest = written.unwrap_or(LiqoVersion::V1_0);
        if lowest >= version {
            return;
        }
        let means = if written.is_some() { "means" } else { "is left out, which means" };
        let message = format!("{what} needs Liqo {version}, and `liqoVersion` {means} {lowest}");
        let help = format!(
            "if both clusters have Liqo {version} or later, set `liqoVersion: \"{version}\"`; otherwise remove it"
        );
        self.problems.refuse(Code::NewerLiqo, span, message, help);
    }

    /// A name built from another one, whose place it has. If it is too long or not valid, the name that it is built from is blamed.
    pub(super) fn name_after<T: FromStr<Err = Rule>>(
        &mut self,
        what: &str,
        text: &str,
        from: Span,
        instead: &str,
    ) -> Option<Located<T>> {
        match text.parse() {
            Ok(name) => Some(Located::new(name, from)),
            Err(rule) => {
                let problem = rule.help(format!("set `{instead}`, or use a shorter name here")).at(from);
                self.problems.push(problem.label(format!("{what} is named after it")));
                None
            }
        }
    }
}
