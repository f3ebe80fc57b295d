//! VALIDATE: what was written to what is meant.
//!
//! Fills in every default, and finds what no single field can be blamed for. All problems are collected; a
//! [`Peering`] comes out only when there are none, and from then on nothing can fail but a bug.

mod authentication;
mod cluster;
pub mod fleet;
mod keys;
mod namespaces;
mod networking;
mod offloading;
mod sealed;
mod secrets;
mod template;
mod virtual_kubelet;
mod virtual_node;

use crate::diagnostic::{Code, Invalid, Problems, Rule, Source, Span};
use crate::document;
use crate::document::authentication::Authentication;
use crate::document::decode::Located;
use crate::document::metadata::Extra;
use crate::document::offloading::Offloading;
use crate::document::{Cluster, Document, Spec};
use crate::peering::name::Namespace;
use crate::peering::role::{Role, Sides};
use crate::peering::version::LiqoVersion;
use crate::peering::{Direction, Peering, Protection, State};
use std::str::FromStr;

/// The peering that a document describes. `source` is what it was read from, for the messages.
///
/// # Errors
/// With every rule that the document breaks.
pub fn validate(document: &Document, source: &Source) -> Result<Peering, Invalid> {
    let mut context = Context::new(&document.spec);
    let peering = peering(&mut context);
    match peering {
        Some(peering) if context.problems.is_empty() => Ok(peering),
        _ => Err(Invalid {
            problems: context.problems.sorted(),
            source: source.clone(),
            paths: document::paths(source),
        }),
    }
}

fn peering(context: &mut Context<'_>) -> Option<Peering> {
    let spec = context.spec;
    keys::different_clusters(context);
    let clusters = Sides::make(|role| cluster::cluster(context, role));
    let networking = spec.networking.as_ref().map(|networking| networking::networking(context, networking));
    keys::seeds_are_needed(context);
    secrets::secrets(context);
    sealed::files_differ(context);
    namespaces::tenant_namespaces(context);
    let directions = Sides::make(|consumer| direction(context, consumer));
    offloading::directions_differ(context, &directions);
    let common = common(context);
    Some(Peering {
        clusters: Sides { consumer: clusters.consumer?, provider: clusters.provider? },
        networking: all(networking)?,
        directions: Sides { consumer: directions.consumer?, provider: directions.provider? },
        state: spec.state.unwrap_or(State::Active),
        protection: spec.protection.unwrap_or(Protection::Confirm),
        common,
    })
}

/// The most bytes of labels and annotations of all objects.
const COMMON_MAX: usize = 4096;

/// The labels and annotations of all objects. Each of some thousand objects may repeat them: without a limit a document
/// of 64 KiB gives a stream of 50 MB.
fn common(context: &mut Context<'_>) -> Extra {
    let Some(written) = &context.spec.common_metadata else { return Extra::default() };
    let extra = written.value.clone();
    let labels = extra.labels.iter().flat_map(|it| &it.0);
    let size: usize = labels
        .chain(extra.annotations.iter().flat_map(|it| &it.0))
        .map(|(key, value)| key.len() + value.len())
        .sum();
    if size > COMMON_MAX {
        let message = format!(
            "`commonMetadata` has {size} bytes, and {COMMON_MAX} are the most: every object repeats them"
        );
        let help =
            "keep long texts in the `metadata` of a single object, or elsewhere and their address here";
        context.push(Code::MetadataTooLarge, written.span, message, help);
    }
    extra
}

/// What one cluster uses of the other.
fn direction(context: &mut Context<'_>, consumer: Role) -> Option<Direction> {
    let authentication = context
        .authentication(consumer)
        .map(|it| authentication::authentication(context, it, consumer.peer()));
    let offloading = context.offloading(consumer).map(|it| offloading::offloading(context, it, consumer));
    Some(Direction { authentication, offloading: all(offloading)? })
}

/// What may be left out, but not be wrong.
#[expect(clippy::option_option, reason = "left out, wrong and right are three cases")]
fn all<T>(part: Option<Option<T>>) -> Option<Option<T>> {
    match part {
        Some(Some(part)) => Some(Some(part)),
        Some(None) => None,
        None => Some(None),
    }
}

/// What every step needs: the document and the problems so far.
struct Context<'d> {
    spec: &'d Spec,
    liqo_version: LiqoVersion,
    liqo_namespace: Option<Namespace>,
    problems: Problems,
}

impl<'d> Context<'d> {
    fn new(spec: &'d Spec) -> Self {
        Self {
            spec,
            liqo_version: spec.lowest_liqo(),
            liqo_namespace: spec.liqo_namespace.clone().or_else(|| "liqo".parse().ok()),
            problems: Problems::default(),
        }
    }

    fn push(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.problems.push(Rule::new(code, message).help(help).at(span));
    }

    const fn cluster(&self, role: Role) -> &'d Cluster {
        match role {
            Role::Consumer => &self.spec.consumer,
            Role::Provider => &self.spec.provider,
        }
    }

    /// The authentication of the direction in which this side is the one that consumes.
    fn authentication(&self, consumer: Role) -> Option<&'d Authentication> {
        match consumer {
            Role::Consumer => self.spec.authentication.as_ref().map(|it| &it.value),
            Role::Provider => self.spec.reverse.as_ref().map(|it| &it.authentication.value),
        }
    }

    /// The offloading of the direction in which this side is the one that consumes.
    fn offloading(&self, consumer: Role) -> Option<&'d Located<Offloading>> {
        match consumer {
            Role::Consumer => self.spec.offloading.as_ref(),
            Role::Provider => self.spec.reverse.as_ref().and_then(|it| it.offloading.as_ref()),
        }
    }

    /// A field that older CRDs lack: the API server drops it without a word (`docs/compatibility.md`).
    fn needs(&mut self, version: LiqoVersion, span: Span, what: &str) {
        if self.liqo_version < version {
            let said = if self.spec.liqo_version.is_some() { "means" } else { "is left out, which means" };
            let message =
                format!("{what} needs Liqo {version}, and `liqoVersion` {said} {}", self.liqo_version);
            let help = format!(
                "if both clusters have Liqo {version} or later, say `liqoVersion: \"{version}\"`; else remove it"
            );
            self.push(Code::NewerLiqo, span, message, &help);
        }
    }

    /// A name made from another one; too long or unfit, it is blamed on what it was made from.
    fn made<T: FromStr<Err = Rule>>(
        &mut self,
        what: &str,
        text: &str,
        from: Span,
        instead: &str,
    ) -> Option<T> {
        match text.parse() {
            Ok(name) => Some(name),
            Err(rule) => {
                let diagnostic = rule.help(format!("say `{instead}`, or use a shorter name here")).at(from);
                self.problems.push(diagnostic.label(format!("{what} is named after it")));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
