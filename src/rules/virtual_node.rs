//! Virtual nodes of the user's own.

use super::offloading::unique;
use super::{Context, template, virtual_kubelet};
use crate::diagnostic::{Code, Span, one_of};
use crate::document::decode::Located;
use crate::document::virtual_node::{OffloadingPatch, ScopeExpression, Toleration, VirtualNode as Written};
use crate::peering::name::SliceName;
use crate::peering::offloading::{Slice, VirtualNode};
use crate::peering::role::Role;
use std::collections::BTreeMap;

pub(super) fn virtual_nodes(
    context: &mut Context<'_>,
    written: &[Written],
    slices: &[Slice],
    consumer: Role,
) -> Option<Vec<VirtualNode>> {
    let nodes: Vec<Option<(VirtualNode, Span)>> =
        written.iter().map(|node| one(context, node, slices, consumer)).collect();
    let nodes: Vec<(VirtualNode, Span)> = nodes.into_iter().collect::<Option<_>>()?;
    unique(context, nodes.iter().map(|(node, span)| (node.name.as_str(), *span)), "virtual node");
    Some(nodes.into_iter().map(|(node, _)| node).collect())
}

fn one(
    context: &mut Context<'_>,
    written: &Written,
    slices: &[Slice],
    consumer: Role,
) -> Option<(VirtualNode, Span)> {
    let reference = &written.slice;
    let Some(slice) = slices.iter().find(|slice| slice.name == reference.value) else {
        let message = format!("there is no ResourceSlice `{}` here", reference.value);
        let names: Vec<&str> = slices.iter().map(|slice| slice.name.as_str()).collect();
        let help = match names.as_slice() {
            [] => "add it to `resourceSlices`; its credential is the virtual node's".to_owned(),
            names => format!("say {}, or add it to `resourceSlices`", one_of(names)),
        };
        context.push(Code::UnknownSlice, reference.span, message, &help);
        return None;
    };
    let (name, span): (SliceName, Span) = match &written.name {
        Some(name) => (name.value.clone(), name.span),
        None => (slice.name.clone(), reference.span),
    };
    // Liqo calls the virtual node that it makes as the slice (`virtualnodecreator_controller.go`)
    if slices.iter().any(|slice| slice.name == name && slice.create_virtual_node) {
        let message = format!("Liqo itself makes a virtual node `{name}` of the slice of that name");
        let help = "say `createVirtualNode: false` at the slice, or give the virtual node another `name`";
        context.push(Code::VirtualNodeTaken, span, message, help);
        return None;
    }
    for scope in written
        .resource_quota
        .iter()
        .filter_map(|it| it.scope_selector.as_ref())
        .flat_map(|it| &it.expressions)
    {
        scope_takes(context, scope);
    }
    for toleration in written.offloading_patch.iter().filter_map(|it| it.tolerations.as_ref()).flatten() {
        tolerates(context, toleration);
    }
    for image in written.images.iter().flatten().filter(|image| image.names.value.is_empty()) {
        let help = "say one as a registry has it, or remove the image";
        context.push(Code::EmptyList, image.names.span, "an image has at least one name", help);
    }
    let hard = written.resource_quota.as_ref().and_then(|quota| quota.hard.as_ref());
    let hard = hard.map_or_else(
        || slice.resources.clone(),
        |hard| hard.value.0.iter().cloned().collect::<BTreeMap<_, _>>(),
    );
    virtual_kubelet::has_what_pods_need(context, written, (&name, span), &hard);
    virtual_kubelet::keeps_its_labels(
        context,
        written,
        &name,
        &context.cluster(consumer.peer()).cluster_id.value,
    );
    virtual_kubelet::taints_differ(context, written.taints.as_deref().unwrap_or_default());
    let template = match written.template.as_ref() {
        Some(written) => Some(template::reference(context, Some(written), &template::VIRTUAL_KUBELET)?),
        None => None,
    };
    let offloading_patch = written.offloading_patch.as_ref().and_then(OffloadingPatch::said);
    let written = Written { offloading_patch, ..written.clone() };
    let node = VirtualNode { name, slice: slice.name.clone(), hard, template, written };
    Some((node, span))
}

/// Kubernetes' rules of a toleration (`k8s.io/kubernetes/pkg/apis/core/validation`, `ValidateTolerations`): the provider's
/// API server would refuse each offloaded pod.
fn tolerates(context: &mut Context<'_>, written: &Located<Toleration>) {
    let Toleration { key, operator, value, effect, seconds } = &written.value;
    let exists = operator.is_some_and(|operator| operator.0 == "Exists");
    let rule = if key.is_none() && !exists {
        Some((
            "a toleration without a `key` takes `operator: Exists`: it tolerates every taint",
            "say the taint's `key`, or `operator: Exists` if all of them are meant",
        ))
    } else if exists && value.as_ref().is_some_and(|value| !value.0.is_empty()) {
        Some(("`Exists` takes no `value`", "remove it, or say `operator: Equal`"))
    } else if seconds.is_some() && effect.is_none_or(|effect| effect.0 != "NoExecute") {
        Some((
            "`tolerationSeconds` counts with `effect: NoExecute` only",
            "say that effect, or remove the seconds",
        ))
    } else {
        None
    };
    if let Some((message, help)) = rule {
        context.push(Code::Selector, written.span, message, help);
    }
}

/// The same for a scope of a quota (`validateScopedResourceSelectorRequirement`).
fn scope_takes(context: &mut Context<'_>, written: &Located<ScopeExpression>) {
    let operator = written.value.operator.0;
    let some = written.value.values.as_ref().is_some_and(|values| !values.is_empty());
    let (takes, help) = match (operator, some) {
        ("In" | "NotIn", false) => ("at least one of `values`", "for example `values: [high]`"),
        ("Exists" | "DoesNotExist", true) => ("no `values`", "remove them, or say `operator: In`"),
        _ => return,
    };
    context.push(Code::Selector, written.span, format!("`{operator}` takes {takes}"), help);
}
