//! Finds the manifest that a field of the document comes from. Problems are shown there, because the document is not on the disk.

use super::found::SideObjects;
use crate::diagnostic::Invalid;
use crate::object::live::Object;
use crate::peering::offloading::{resource_slice, virtual_node};
use crate::peering::{Role, Sides};

/// A line for each problem of the document: the manifest, the field that it becomes, and the problem.
pub(super) fn problems(invalid: &Invalid, found: &Sides<SideObjects<'_>>) -> Vec<String> {
    let mut lines = Vec::new();
    for problem in invalid.problems.iter() {
        let path = problem.primary.path.as_deref().unwrap_or_default();
        let object = origin(path, &problem.message, found);
        let (mut line, becomes) = match object {
            Some(object) => (object.with_place(), "which becomes"),
            None => ("the manifests".to_owned(), "for"),
        };
        // what is missing has no field
        if !path.is_empty() && !path.ends_with("clusterID") {
            line += &format!(", {becomes} `{path}`");
        }
        line += &format!(": {}", problem.message);
        if let Some(help) = &problem.help {
            line += &format!("; {help}");
        }
        lines.push(line);
    }
    lines
}

/// The object that a field comes from; for a missing object, the one that should have the field.
fn origin<'o>(path: &str, message: &str, found: &Sides<SideObjects<'o>>) -> Option<&'o Object> {
    let parts: Vec<&str> = path.split(['.', '[', ']']).collect();
    let client = found.consumer.client.or(found.provider.client);
    match parts.as_slice() {
        ["spec", "networking"] if message.contains("gatewayClient") => client,
        ["spec", "networking", "gatewayClient", ..] => client,
        ["spec", "networking", ..] => found.consumer.server.or(found.provider.server),
        ["spec", "reverse", rest @ ..] => of_direction(rest, &found.provider, &found.consumer),
        ["spec", side, rest @ ..] if Role::find(side).is_some() => {
            let role = Role::find(side)?;
            let is_of = |field: &str| rest.first() == Some(&field) || message.contains(field);
            let (own, peer) = (&found[role], &found[role.peer()]);
            let part = if is_of("metadata") {
                rest.get(1)
            } else {
                rest.last()
            };
            let object = match part {
                _ if is_of("podCIDRs") || is_of("externalCIDR") => {
                    peer.configuration.or(own.configuration)
                }
                _ if is_of("publicKey") => own.key_secret.or(peer.public_key),
                Some(&"gateway" | &"keySecret") => own.gateway(),
                Some(&"configuration") => own.configuration,
                Some(&"tenant") => own.tenant,
                Some(&"roleBinding") => own.role_binding,
                Some(&"identity") => own.identity.or(own.credential),
                _ => None,
            };
            let usual = own.namespace.or(own.configuration);
            object.or(usual).or(own.gateway())
        }
        ["spec", rest @ ..] => of_direction(rest, &found.consumer, &found.provider),
        _ => None,
    }
}

/// The object for a field of one direction: what one side uses of the other.
fn of_direction<'o>(
    path: &[&str],
    user: &SideObjects<'o>,
    host: &SideObjects<'o>,
) -> Option<&'o Object> {
    match path {
        ["authentication", "credential", ..] => user.identity.or(user.credential).or(host.tenant),
        ["authentication", "subject", ..] => host.role_binding.or(host.tenant),
        ["authentication", ..] => host.tenant,
        ["offloading", list, at, ..] => {
            let at = at.parse().ok()?;
            match *list {
                "resourceSlices" => user.side.objects(resource_slice::KIND.live).nth(at),
                "virtualNodes" => user.side.objects(virtual_node::KIND.live).nth(at),
                _ => user.side.offloaded().nth(at),
            }
        }
        _ => None,
    }
}
