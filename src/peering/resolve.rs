//! From what is written to what is meant: fills in defaults, and finds what one kind alone can be blamed for. Rules
//! across kinds are [`crate::rules`].

use super::context::Context;
use super::spec::{Document, Spec};
use super::values::{Metadata, Role, Sides};
use super::{Direction, Peering, cluster, networking, offloading};
use crate::diagnostic::{Code, Problems};
use crate::document::{Field, Located};

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
    let mut context = Context {
        clusters: Sides { consumer: &spec.consumer, provider: &spec.provider },
        has_networking: spec.networking.is_some(),
        seed: spec.seed.as_ref(),
        common: spec.common_metadata.as_ref(),
        liqo_version: spec.liqo_version.map(|it| it.value),
        liqo_namespace,
        problems,
    };
    for field in newer {
        if let Some(Ok(version)) = field.since.map(str::parse) {
            context.needs(version, field.span, &format!("`{}`", field.name));
        }
    }
    let clusters = Sides::make(|role| cluster::cluster(&mut context, role));
    let networking = spec.networking.as_ref().map(|written| networking::resolve(&mut context, written));
    let directions = Sides::make(|user| direction(&mut context, spec, user));
    let common = common(&mut context);
    Some(Peering {
        name: document.metadata.name.clone(),
        liqo_version: spec.liqo_version,
        seed: spec.seed.as_ref().map(|seed| seed.file.clone()),
        clusters: clusters.both()?,
        networking: all(networking)?,
        directions: directions.both()?,
        state: spec.state,
        protection: spec.protection,
        foreign_cluster: spec.foreign_cluster,
        common,
    })
}

/// What one cluster uses of the other.
fn direction(context: &mut Context<'_, '_>, spec: &Spec, user: Role) -> Option<Direction> {
    let (written, offloaded) = match user {
        Role::Consumer => (spec.authentication.as_ref(), spec.offloading.as_ref()),
        Role::Provider => match &spec.reverse {
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
    let Some(written) = context.common else { return Metadata::default() };
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
