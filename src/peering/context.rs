//! The part of the document that a kind can use while it is resolved.

use super::cluster::ClusterSpec;
use super::values::{LiqoVersion, Metadata, Namespace, Role, SealedFile, Sides};
use crate::diagnostic::{Code, Problems, Rule, Span};
use crate::document::Located;
use std::str::FromStr;

/// What every kind needs to be resolved: the values that are common to all kinds, and the list of problems.
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
    /// The fields of a cluster as they are written.
    pub(super) const fn cluster(&self, role: Role) -> &'d ClusterSpec {
        self.clusters.side(role)
    }

    /// The namespace of Liqo on a cluster.
    pub(super) fn liqo_namespace(&self, role: Role) -> &Namespace {
        let own = self.cluster(role).liqo_namespace.as_ref();
        own.unwrap_or(&self.liqo_namespace)
    }

    /// Reports a broken rule.
    pub(super) fn add(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems.add(code, span, message, help);
    }

    /// As [`Self::add`]; returns no value.
    pub(super) fn reject<T>(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.add(code, span, message, help);
        None
    }

    /// Reports a value that older CRDs do not have: their API server drops it silently (`docs/compatibility.md`).
    pub(super) fn needs(&mut self, version: LiqoVersion, span: Span, what: &str) {
        let written = self.liqo_version;
        let lowest = written.unwrap_or(LiqoVersion::V1_0);
        if lowest >= version {
            return;
        }
        let means = if written.is_some() {
            "means"
        } else {
            "defaults to"
        };
        let message = format!("{what} needs Liqo {version}, and `liqoVersion` {means} {lowest}");
        let help = format!(
            "set `liqoVersion: \"{version}\"` if both clusters have it; otherwise remove this"
        );
        self.problems.add(Code::NewerLiqo, span, message, help);
    }

    /// A name that is built from another one, and has its place. If it is too long or not valid, the problem is reported at the other name.
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
                let help = format!("set `{instead}`, or shorten this name");
                let problem = rule.help(help).mark(from);
                let label = format!("{what} is named after it");
                self.problems.push(problem.label(label));
                None
            }
        }
    }
}
