//! From what is written to what is meant: fills in defaults, and finds what one kind alone can be blamed for. Rules
//! across kinds are [`crate::rules`].

use super::spec::{Document, Spec};
use super::values::{LiqoVersion, Metadata, Namespace, Role, Sides};
use super::{Direction, Peering, cluster, networking, offloading};
use crate::diagnostic::{Code, Problems, Rule, Span};
use crate::document::{Field, Located};
use std::str::FromStr;

/// The peering that a document describes, if nothing of it is wrong enough to have no meaning. Problems are pushed.
pub(super) fn peering(
    document: &Document,
    newer: &[Located<&Field>],
    problems: &mut Problems,
) -> Option<Peering> {
    let spec = &document.spec;
    let liqo_namespace = match &spec.liqo_namespace {
        Some(namespace) => namespace.clone(),
        None => "liqo".parse().ok()?,
    };
    let mut context = Context { spec, liqo_namespace, problems };
    for field in newer {
        if let Some(Ok(version)) = field.since.map(str::parse) {
            context.needs(version, field.span, &format!("`{}`", field.name));
        }
    }
    let clusters = Sides::make(|role| cluster::resolve(&mut context, role));
    let networking = spec.networking.as_ref().map(|written| networking::resolve(&mut context, written));
    let directions = Sides::make(|user| direction(&mut context, user));
    let common = common(&mut context);
    Some(Peering {
        name: document.metadata.name.clone(),
        liqo_version: spec.liqo_version,
        liqo_namespace: context.liqo_namespace,
        seed: spec.seed.as_ref().map(|seed| seed.file.clone()),
        clusters: clusters.both()?,
        networking: all(networking)?,
        directions: directions.both()?,
        state: spec.state,
        protection: spec.protection,
        common,
    })
}

/// What one cluster uses of the other.
fn direction(context: &mut Context<'_, '_>, user: Role) -> Option<Direction> {
    let (written, offloaded) = match user {
        Role::Consumer => (context.spec.authentication.as_ref(), context.spec.offloading.as_ref()),
        Role::Provider => match &context.spec.reverse {
            Some(reverse) => (Some(&reverse.authentication), reverse.offloading.as_ref()),
            None => (None, None),
        },
    };
    let authentication = written.cloned();
    let offloading = offloaded.map(|written| offloading::resolve(context, written, user));
    Some(Direction { authentication, offloading: all(offloading)? })
}

/// The most bytes that the labels and annotations of all objects have in each of them.
const COMMON_MAX: usize = 4096;

/// The labels and annotations of all objects.
fn common(context: &mut Context<'_, '_>) -> Metadata {
    let Some(written) = &context.spec.common_metadata else { return Metadata::default() };
    let size = written.size();
    if size > COMMON_MAX {
        let message =
            format!("`commonMetadata` has {size} bytes in every object, and the limit is {COMMON_MAX}");
        let help =
            "keep long texts in the `metadata` of a single object, or elsewhere and their address here";
        context.problems.refuse(Code::MetadataTooLarge, written.span, message, help);
    }
    written.value.clone()
}

/// A part that may be left out, but not be wrong.
#[expect(clippy::option_option, reason = "left out, wrong and right are three cases")]
pub(super) fn all<T>(part: Option<Option<T>>) -> Option<Option<T>> {
    part.map_or(Some(None), |part| part.map(Some))
}

/// What every kind needs to be resolved: the whole of what is written, and where problems go.
pub(super) struct Context<'d, 'p> {
    pub(super) spec: &'d Spec,
    pub(super) liqo_namespace: Namespace,
    pub(super) problems: &'p mut Problems,
}

impl<'d> Context<'d, '_> {
    /// A cluster as it is written.
    pub(super) const fn cluster(&self, role: Role) -> &'d cluster::ClusterSpec {
        match role {
            Role::Consumer => &self.spec.consumer,
            Role::Provider => &self.spec.provider,
        }
    }

    /// Something that older CRDs lack: the API server drops it without a word (`docs/compatibility.md`).
    pub(super) fn needs(&mut self, version: LiqoVersion, span: Span, what: &str) {
        let written = self.spec.liqo_version.as_ref().map(|it| it.value);
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
    pub(super) fn built<T: FromStr<Err = Rule>>(
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
