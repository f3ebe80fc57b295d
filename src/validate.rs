//! VALIDATE: what was written to what is meant.
//!
//! Fills in every default, and finds what no single field can be blamed for. All problems are collected; a
//! [`Peering`] comes out only when there are none, and from then on nothing can fail but a bug.

mod authentication;
mod cluster;
mod networking;
mod offloading;

use crate::diagnostic::{Code, Problems, Rule, Span};
use crate::document::{Document, Spec};
use crate::error::Error;
use crate::peering::name::Namespace;
use crate::peering::role::{Role, Sides};
use crate::peering::version::LiqoVersion;
use crate::peering::{Peering, Protection};
use crate::source::Source;
use std::str::FromStr;

/// The peering that a document describes. `problems` are those that parsing noted (none, but it knows which
/// values are public keys).
///
/// # Errors
/// With every rule that the document breaks.
pub fn validate(document: &Document, problems: Problems, source: &Source) -> Result<Peering, Error> {
    let mut context = Context::new(&document.spec, problems);
    let peering = peering(&mut context);
    match peering {
        Some(peering) if context.problems.is_empty() => Ok(peering),
        _ => Err(Error::Document { problems: context.problems.sorted(), text: Box::new(source.clone()) }),
    }
}

fn peering(context: &mut Context<'_>) -> Option<Peering> {
    let spec = context.spec;
    context.different_clusters();
    let clusters = Sides::make(|role| cluster::cluster(context, role));
    let networking = spec.networking.as_ref().map(|networking| networking::networking(context, networking));
    let authentication = spec.authentication.as_ref().map(|it| authentication::authentication(&it.value));
    let offloading = spec.offloading.as_ref().map(|offloading| offloading::offloading(context, offloading));
    context.seed_is_needed();
    Some(Peering {
        clusters: Sides { consumer: clusters.consumer?, provider: clusters.provider? },
        networking: all(networking)?,
        authentication,
        offloading: all(offloading)?,
        protection: spec.protection.unwrap_or(Protection::Confirm),
    })
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
    fn new(spec: &'d Spec, problems: Problems) -> Self {
        Self {
            spec,
            liqo_version: spec.liqo_version.unwrap_or(LiqoVersion::V1_0),
            liqo_namespace: spec.liqo_namespace.clone().or_else(|| "liqo".parse().ok()),
            problems,
        }
    }

    fn push(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.problems.push(Rule::new(code, message).help(help).at(span));
    }

    const fn cluster(&self, role: Role) -> &'d crate::document::Cluster {
        match role {
            Role::Consumer => &self.spec.consumer,
            Role::Provider => &self.spec.provider,
        }
    }

    /// A name made from another one; too long or unfit, it is blamed on what it was made from.
    fn made<T: FromStr<Err = Rule>>(&mut self, text: &str, from: Span, instead: &str) -> Option<T> {
        match text.parse() {
            Ok(name) => Some(name),
            Err(rule) => {
                self.problems
                    .push(rule.help(format!("say `{instead}`, or use a shorter name here")).at(from));
                None
            }
        }
    }

    /// Liqo refuses a peering with oneself, and one ID cannot have two keys.
    fn different_clusters(&mut self) {
        let (consumer, provider) = (&self.spec.consumer.cluster_id, &self.spec.provider.cluster_id);
        if consumer.value == provider.value {
            let message = format!("both sides are the cluster `{}`", provider.value);
            self.problems.push(
                provider
                    .broken(Code::SameCluster, message)
                    .and(consumer.span, "the consumer is the same cluster"),
            );
        }
        if let (Some(consumer), Some(provider)) =
            (&self.spec.consumer.public_key, &self.spec.provider.public_key)
            && consumer.value == provider.value
        {
            self.problems.push(
                provider
                    .broken(Code::PublicKey, "both sides have the same `publicKey`")
                    .and(consumer.span, "the consumer's"),
            );
        }
    }

    fn seed_is_needed(&mut self) {
        match (&self.spec.seed, &self.spec.networking) {
            (Some(seed), None) => self.push(
                Code::Seed,
                seed.span,
                "a seed is given, and there are no keys to derive from it",
                "remove `seed`, or add `networking`",
            ),
            (None, Some(networking)) => self.push(
                Code::Seed,
                networking.span,
                "networking needs keys, and no seed is given",
                "make one with `argocd-peering seed new` and name it: `seed: { file: peering.seed.age }`",
            ),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
