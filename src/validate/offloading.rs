//! The offloading module.

use super::Context;
use crate::diagnostic::{Code, Rule, Span};
use crate::document::decode::Located;
use crate::document::offloading::{MappingWord, OffloadedNamespace, Offloading as Written, ResourceSlice};
use crate::peering::name::{Namespace, SliceName};
use crate::peering::offloading::{Mapping, Offloaded, Offloading, PodOffloading, Slice};
use std::collections::BTreeMap;

pub(super) fn offloading(context: &mut Context<'_>, written: &Located<Written>) -> Option<Offloading> {
    if context.spec.authentication.is_none() {
        context.push(
            Code::Requires,
            written.span,
            "offloading needs authentication: the consumer asks the provider for resources",
            "add `authentication`, or remove `offloading`",
        );
    }
    let slices = written.value.slices.as_deref().unwrap_or_default();
    let slices: Vec<Option<(Slice, Span)>> = slices.iter().map(|slice| self::slice(context, slice)).collect();
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
    let namespaces: Vec<Option<Offloaded>> = namespaces.iter().map(|it| offloaded(context, it)).collect();
    Some(Offloading {
        slices: slices?.into_iter().map(|(slice, _)| slice).collect(),
        namespaces: namespaces.into_iter().collect::<Option<_>>()?,
    })
}

fn slice(context: &mut Context<'_>, written: &ResourceSlice) -> Option<(Slice, Span)> {
    let provider = &context.spec.provider.cluster_id;
    let (name, span): (SliceName, Span) = if let Some(name) = &written.name {
        (name.value.clone(), name.span)
    } else {
        let instead = "offloading.resourceSlices[].name";
        (context.made(provider.value.as_str(), provider.span, instead)?, provider.span)
    };
    let resources =
        written.resources.as_ref().map_or_else(BTreeMap::new, |it| it.0.iter().cloned().collect());
    let class = written.class.as_ref().map_or_else(|| "default".to_owned(), |class| class.0.clone());
    Some((Slice { name, class, resources }, span))
}

/// Two things of one name in one list.
fn unique<'n>(context: &mut Context<'_>, names: impl Iterator<Item = (&'n str, Span)>, what: &str) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for (name, span) in names {
        if let Some(first) = seen.insert(name, span) {
            let rule = Rule::new(Code::Duplicate, format!("there are two {what}s `{name}`"))
                .help("give each its own `name`, or make one of them");
            context.problems.push(rule.at(span).and(first, "the first is here"));
        }
    }
}

fn offloaded(context: &mut Context<'_>, written: &OffloadedNamespace) -> Option<Offloaded> {
    let name = &written.name;
    let mapping = match (written.mapping.as_ref().map(|it| it.value), &written.remote_name) {
        (Some(MappingWord::SelectedName), Some(remote)) => Mapping::SelectedName(remote.value.clone()),
        (Some(MappingWord::SelectedName), None) => {
            let span = written.mapping.as_ref().map_or(name.span, |mapping| mapping.span);
            let message = "`SelectedName` needs a `remoteNamespaceName`";
            context.push(Code::Requires, span, message, "Liqo's webhook refuses it without: say the name");
            return None;
        }
        (_, Some(remote)) => {
            context.push(
                Code::Requires,
                remote.span,
                "`remoteNamespaceName` is ignored by Liqo without `SelectedName`",
                "say `namespaceMappingStrategy: SelectedName`, or remove it",
            );
            return None;
        }
        (Some(MappingWord::EnforceSameName), None) => Mapping::EnforceSameName,
        (Some(MappingWord::DefaultName) | None, None) => {
            // Liqo `namespaceoffloading-controller/status.go`
            let remote = format!("{}-{}", name.value, context.spec.consumer.cluster_id.value);
            let _: Namespace = context.made(&remote, name.span, "namespaceMappingStrategy: SelectedName")?;
            Mapping::DefaultName
        }
    };
    if context.spec.consumer.tenant_namespace.as_ref().is_some_and(|tenant| tenant.value == name.value)
        || name.value.as_str() == format!("liqo-tenant-{}", context.spec.provider.cluster_id.value)
    {
        let message = format!("`{}` is the tenant namespace, which cannot be offloaded", name.value);
        context.push(
            Code::Duplicate,
            name.span,
            message,
            "offload the namespaces that your workloads run in",
        );
        return None;
    }
    Some(Offloaded {
        name: name.value.clone(),
        create: written.create.unwrap_or_default(),
        clusters: written.clusters.clone(),
        pods: written.pod_offloading.unwrap_or(PodOffloading::LocalAndRemote),
        mapping,
    })
}
