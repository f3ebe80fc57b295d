//! Namespaces: which one belongs to the peering, which are offloaded, and what Liqo makes of these at the other cluster.

use super::Context;
use crate::diagnostic::{Code, Diagnostic, Rule, Span};
use crate::document::offloading::{MappingWord, OffloadedNamespace, Offloading};
use crate::peering::name::not_a_number;
use crate::peering::role::Role;
use std::fmt;

/// Those that every API server makes (`k8s.io/kubernetes/pkg/controlplane/controller/systemnamespaces`).
const KUBERNETES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// The name of a side's tenant namespace, and where it comes from.
pub(super) fn tenant_namespace(context: &Context<'_>, role: Role) -> (String, Span) {
    if let Some(written) = &context.cluster(role).tenant_namespace {
        return (written.value.to_string(), written.span);
    }
    let peer = &context.cluster(role.peer()).cluster_id;
    (format!("liqo-tenant-{}", peer.value), peer.span)
}

/// The stream makes the tenant namespace, and whoever removes the stream deletes it with everything in it.
pub(super) fn tenant_namespaces(context: &mut Context<'_>) {
    for role in Role::BOTH {
        let (name, span) = tenant_namespace(context, role);
        if let Some(whose) = whose(context, &name) {
            let message = format!(
                "`{name}` is {whose} namespace: a tenant namespace is the peering's own, made and deleted with it"
            );
            let help = match context.cluster(role).tenant_namespace {
                Some(_) => "leave `tenantNamespace` out, or name another one".to_owned(),
                None => format!("say another one: `{role}.tenantNamespace`"),
            };
            context.push(Code::ReservedNamespace, span, message, &help);
        }
        // liqo `deployments/liqo/templates/_helpers.tpl` (liqo.selectorTemplate): the label stands under `selector` and
        // `matchLabels` too, where the template engine keeps no strings
        if context.spec.networking.is_some()
            && let Err(rule) = not_a_number("tenant namespace's name with `networking`", &name)
        {
            let label = format!("it ends up in the label `networking.liqo.io/gateway-namespace: {name}`");
            context.problems.push(rule.at(span).label(label));
        }
    }
}

/// The namespaces that a side offloads, and those that Liqo makes of them at the other cluster. Whichever virtual nodes
/// are chosen: what the labels of a node will be, the document does not say.
pub(super) fn offloaded_namespaces(context: &mut Context<'_>, written: &Offloading, consumer: Role) {
    let mut seen: Vec<(&OffloadedNamespace, String, Span)> = Vec::new();
    for namespace in written.namespaces.as_deref().unwrap_or_default() {
        if let Some(diagnostic) = unfit(context, namespace, consumer) {
            context.problems.push(diagnostic);
            continue;
        }
        let Some((remote, span)) = remote(context, namespace, consumer) else { continue };
        if let Some(diagnostic) = taken(context, namespace, &remote, span, consumer.peer()) {
            context.problems.push(diagnostic);
        } else if let Some((first, _, spot)) =
            seen.iter().find(|(other, taken, _)| *taken == remote && other.name.value != namespace.name.value)
        {
            let rule = Rule::new(
                Code::NamespaceTaken,
                format!(
                    "`{}` and `{}` both become the namespace `{remote}` at the other cluster, where Liqo would mix what is in them",
                    first.name.value, namespace.name.value
                ),
            )
            .help(ANOTHER_REMOTE_NAME);
            context.problems.push(rule.at(span).and(*spot, "the first becomes it here"));
        }
        seen.push((namespace, remote, span));
    }
}

const ANOTHER_REMOTE_NAME: &str =
    "say `namespaceMappingStrategy: SelectedName` and a `remoteNamespaceName` that is free";

/// Who has a namespace of its own on either cluster.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Kubernetes,
    Liqo,
}

impl fmt::Display for Owner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Kubernetes => "Kubernetes' own",
            Self::Liqo => "Liqo's own",
        })
    }
}

/// Whose namespace it is, if it cannot be the peering's.
fn whose(context: &Context<'_>, name: &str) -> Option<Owner> {
    if KUBERNETES.contains(&name) {
        Some(Owner::Kubernetes)
    } else if context.liqo_namespace.as_ref().is_some_and(|liqo| liqo.as_str() == name) {
        Some(Owner::Liqo)
    } else {
        None
    }
}

/// What cannot be offloaded, or not be made.
fn unfit(context: &Context<'_>, written: &OffloadedNamespace, consumer: Role) -> Option<Diagnostic> {
    let name = written.name.value.as_str();
    let wrong = |code: Code, message: String, help: &str| {
        Some(Rule::new(code, message).help(help).at(written.name.span))
    };
    if name == tenant_namespace(context, consumer).0 {
        let message = format!("`{name}` is the tenant namespace, which cannot be offloaded");
        return wrong(Code::NamespaceTaken, message, "offload the namespaces that your workloads run in");
    }
    let whose = whose(context, name)?;
    // Liqo's webhook stands before every pod of an offloaded namespace (liqo `liqo-mutating-webhook.yaml`), before the
    // pods that it needs itself as well, and the namespace's Secrets are reflected (liqo `docs/usage/reflection.md`)
    if whose == Owner::Liqo || name == "kube-system" {
        let message = format!(
            "`{name}` is {whose} namespace: offloaded, its Secrets were copied to the other cluster, and its pods could not start without Liqo's webhook"
        );
        return wrong(Code::ReservedNamespace, message, "offload the namespaces that your workloads run in");
    }
    if written.create == Some(true) {
        let message = format!(
            "`{name}` is {whose} namespace and there already: the stream can neither make nor delete it"
        );
        return wrong(Code::ReservedNamespace, message, "remove `create: true`");
    }
    None
}

/// The namespace at the other cluster (liqo `namespaceoffloading-controller/status.go`), and where its name comes from;
/// none for a mapping that is wrong itself.
fn remote(context: &Context<'_>, written: &OffloadedNamespace, consumer: Role) -> Option<(String, Span)> {
    let name = &written.name;
    match (written.mapping.as_ref().map(|it| it.value), &written.remote_name) {
        (Some(MappingWord::SelectedName), Some(remote)) => Some((remote.value.to_string(), remote.span)),
        (Some(MappingWord::EnforceSameName), None) => Some((name.value.to_string(), name.span)),
        (Some(MappingWord::DefaultName) | None, None) => {
            Some((format!("{}-{}", name.value, context.cluster(consumer).cluster_id.value), name.span))
        }
        _ => None,
    }
}

/// Liqo offloads into namespaces that it made itself, and into no other (liqo
/// `namespacemap-controller/enforcement.go`, `createNamespace`).
fn taken(
    context: &Context<'_>,
    written: &OffloadedNamespace,
    remote: &str,
    span: Span,
    provider: Role,
) -> Option<Diagnostic> {
    let (tenant, tenant_span) = tenant_namespace(context, provider);
    let reverse = context.offloading(provider).and_then(|it| it.value.namespaces.as_deref());
    let reverse = reverse.unwrap_or_default().iter().find(|it| it.name.value.as_str() == remote);
    let (code, is, spot) = if let Some(whose) = whose(context, remote) {
        (Code::ReservedNamespace, whose.to_string(), None)
    } else if remote == tenant {
        (
            Code::NamespaceTaken,
            "the tenant namespace".to_owned(),
            Some((tenant_span, "its name comes from here")),
        )
    } else {
        (
            Code::NamespaceTaken,
            "one that it offloads itself".to_owned(),
            Some((reverse?.name.span, "the other direction offloads it")),
        )
    };
    let message = format!(
        "`{}` becomes the namespace `{remote}` at the other cluster, which has it already: it is {is}",
        written.name.value
    );
    let diagnostic = Rule::new(code, message).help(ANOTHER_REMOTE_NAME).at(span);
    Some(match spot {
        Some((spot, label)) => diagnostic.and(spot, label),
        None => diagnostic,
    })
}
