//! The offloading module of one direction.

use super::{Context, namespaces, virtual_node};
use crate::diagnostic::{Code, Rule, Span};
use crate::document::decode::Located;
use crate::document::offloading::{MappingWord, OffloadedNamespace, Offloading as Written, ResourceSlice};
use crate::peering::Direction;
use crate::peering::name::{Namespace, SliceName};
use crate::peering::offloading::{Mapping, Offloaded, Offloading, PodOffloading, Slice};
use crate::peering::role::{Role, Sides};
use std::collections::BTreeMap;

pub(super) fn offloading(
    context: &mut Context<'_>,
    written: &Located<Written>,
    consumer: Role,
) -> Option<Offloading> {
    if context.authentication(consumer).is_none() {
        context.push(
            Code::MissingAuthentication,
            written.span,
            "offloading needs authentication: the consumer asks the provider for resources",
            "add `authentication`, or remove `offloading`",
        );
    }
    let slices = written.value.slices.as_deref().unwrap_or_default();
    let slices: Vec<Option<(Slice, Span)>> =
        slices.iter().map(|slice| self::slice(context, slice, consumer)).collect();
    let slices = slices.into_iter().collect::<Option<Vec<_>>>();
    unique(
        context,
        slices.iter().flatten().map(|(slice, span)| (slice.name.as_str(), *span)),
        "ResourceSlice",
    );
    let namespaces = written.value.namespaces.as_deref().unwrap_or_default();
    unique(
        context,
        namespaces.iter().map(|it| (it.name.value.as_str(), it.name.span)),
        "offloaded namespace",
    );
    namespaces::offloaded_namespaces(context, &written.value, consumer);
    let namespaces: Vec<Option<Offloaded>> =
        namespaces.iter().map(|it| offloaded(context, it, consumer)).collect();
    let slices = slices.map(|slices| slices.into_iter().map(|(slice, _)| slice).collect::<Vec<_>>());
    let nodes = written.value.virtual_nodes.as_deref().unwrap_or_default();
    let virtual_nodes =
        slices.as_deref().map(|slices| virtual_node::virtual_nodes(context, nodes, slices, consumer));
    Some(Offloading {
        slices: slices?,
        namespaces: namespaces.into_iter().collect::<Option<_>>()?,
        virtual_nodes: virtual_nodes??,
    })
}

fn slice(context: &mut Context<'_>, written: &ResourceSlice, consumer: Role) -> Option<(Slice, Span)> {
    let provider = &context.cluster(consumer.peer()).cluster_id;
    let (name, span): (SliceName, Span) = if let Some(name) = &written.name {
        (name.value.clone(), name.span)
    } else {
        let instead = match consumer {
            Role::Consumer => "offloading.resourceSlices[].name",
            Role::Provider => "reverse.offloading.resourceSlices[].name",
        };
        (context.made("the slice", provider.value.as_str(), provider.span, instead)?, provider.span)
    };
    let slice = Slice {
        name,
        class: written.class.as_ref().map_or_else(|| "default".to_owned(), |class| class.0.clone()),
        resources: written.resources.as_ref().map_or_else(BTreeMap::new, |it| it.0.iter().cloned().collect()),
        create_virtual_node: written.create_virtual_node.unwrap_or(true),
        extra: written.metadata.clone().unwrap_or_default(),
    };
    Some((slice, span))
}

/// Two things of one name in one list.
pub(super) fn unique<'n>(
    context: &mut Context<'_>,
    names: impl Iterator<Item = (&'n str, Span)>,
    what: &str,
) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for (name, span) in names {
        if let Some(first) = seen.get(name) {
            let rule = Rule::new(Code::DuplicateName, format!("there are two {what}s `{name}`"))
                .help("give each a name of its own, or make one of the two");
            context.problems.push(rule.at(span).and(*first, "the first gets its name here"));
        } else {
            seen.insert(name, span);
        }
    }
}

/// A slice is replicated into the namespace where the other direction's slices are, under its own name.
pub(super) fn directions_differ(context: &mut Context<'_>, directions: &Sides<Option<Direction>>) {
    let slices = |direction: &Option<Direction>| -> Vec<SliceName> {
        let offloading = direction.as_ref().and_then(|direction| direction.offloading.as_ref());
        offloading.map(|it| it.slices.iter().map(|slice| slice.name.clone()).collect()).unwrap_or_default()
    };
    let forward = slices(&directions.consumer);
    for name in slices(&directions.provider) {
        if forward.contains(&name) {
            let written = context.offloading(Role::Provider).map(|it| &it.value);
            let slices = written.and_then(|it| it.slices.as_deref()).unwrap_or_default();
            let found = slices.iter().find_map(|slice| slice.name.as_ref().filter(|it| it.value == name));
            let span = found.map_or(context.spec.consumer.cluster_id.span, |it| it.span);
            let message = format!("the slice `{name}` exists in the other direction too");
            let help = "Liqo copies each slice to the other cluster, into the namespace of the other direction's slices: give it another name";
            context.push(Code::DuplicateName, span, message, help);
        }
    }
}

fn offloaded(context: &mut Context<'_>, written: &OffloadedNamespace, consumer: Role) -> Option<Offloaded> {
    let name = &written.name;
    let own = context.cluster(consumer);
    let create = written.create.unwrap_or_default();
    if let Some(extra) = written.namespace_metadata.as_ref().filter(|_| !create) {
        let message = "`namespaceMetadata` is for a Namespace that the stream makes";
        context.push(
            Code::UnusedSetting,
            extra.span,
            message,
            "say `create: true`, or remove `namespaceMetadata`",
        );
    }
    Some(Offloaded {
        name: name.value.clone(),
        create,
        clusters: written.clusters.clone(),
        pods: written.pod_offloading.unwrap_or(PodOffloading::LocalAndRemote),
        mapping: mapping(context, written, own.cluster_id.value.as_str())?,
        extra: written.metadata.clone().unwrap_or_default(),
        namespace_extra: written.namespace_metadata.as_ref().map(|it| it.value.extra()).unwrap_or_default(),
    })
}

fn mapping(context: &mut Context<'_>, written: &OffloadedNamespace, consumer: &str) -> Option<Mapping> {
    let name = &written.name;
    match (written.mapping.as_ref().map(|it| it.value), &written.remote_name) {
        (Some(MappingWord::SelectedName), Some(remote)) => Some(Mapping::SelectedName(remote.value.clone())),
        (Some(MappingWord::SelectedName), None) => {
            let span = written.mapping.as_ref().map_or(name.span, |mapping| mapping.span);
            let message = "`SelectedName` needs a `remoteNamespaceName`";
            context.push(
                Code::MissingField,
                span,
                message,
                "say the name, or remove the strategy, which Liqo's webhook refuses alone",
            );
            None
        }
        (_, Some(remote)) => {
            context.push(
                Code::UnusedSetting,
                remote.span,
                "`remoteNamespaceName` is ignored by Liqo without `SelectedName`",
                "say `namespaceMappingStrategy: SelectedName`, or remove it",
            );
            None
        }
        (Some(MappingWord::EnforceSameName), None) => Some(Mapping::EnforceSameName),
        (Some(MappingWord::DefaultName) | None, None) => {
            // Liqo `namespaceoffloading-controller/status.go`
            let remote = format!("{}-{consumer}", name.value);
            let _: Namespace = context.made(
                "the other cluster's namespace",
                &remote,
                name.span,
                "namespaceMappingStrategy: SelectedName",
            )?;
            Some(Mapping::DefaultName)
        }
    }
}
