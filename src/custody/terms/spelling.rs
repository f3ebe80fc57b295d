//! The values of terms: which are valid, and the one spelling of each.

use super::{ANY, EntryClusters, Term};
use crate::diagnostic::is_unseen;
use crate::peering::delivery::Delivery;
use crate::peering::values::{Namespace, is_qualified};
use crate::uri::{Uri, has_password};

/// A value of a term in its normal form.
pub(super) fn normal(
    term: Term,
    written: &str,
    clusters: &EntryClusters,
) -> Result<String, &'static str> {
    let (name, side) = term.name_and_side(written);
    if side.is_some_and(|side| !clusters.have_side(side)) {
        return Err(match clusters {
            EntryClusters::Peerings(_) => {
                "after `=` must be a cluster ID of the entry's `peerings`"
            }
            EntryClusters::Any => "after `=` must be a role: consumer or provider",
        });
    }
    let name = if name == ANY && term.takes_any() {
        name.to_owned()
    } else {
        term.spelling(name)?
    };
    Ok(match side {
        Some(side) => format!("{name}={side}"),
        None => name,
    })
}

/// A value that is compared as it is. A `*` inside of it was meant as a pattern, so it is refused.
pub(super) fn literal(value: &str) -> Result<String, &'static str> {
    match value {
        blank if blank.trim().is_empty() => Err("it is empty"),
        // logs show all terms on one line
        hidden if hidden.chars().any(char::is_control) => {
            Err("it has a line break or control character")
        }
        pattern if pattern.contains('*') => Err("a pattern with `*` is unsupported here"),
        value => Ok(value.to_owned()),
    }
}

/// The name of a namespace.
pub(super) fn namespace(name: &str) -> Result<String, &'static str> {
    let name = literal(name)?;
    match name.parse::<Namespace>() {
        Ok(_) => Ok(name),
        Err(_) => Err("it is not the name of a namespace"),
    }
}

/// A domain, or a whole key of a label or an annotation.
pub(super) fn label_domain(text: &str) -> Result<String, &'static str> {
    let text = literal(text)?;
    if is_qualified(&text) {
        Ok(text)
    } else {
        Err("it is neither a domain nor a label's key")
    }
}

/// The word of a delivery.
pub(super) fn delivery(word: &str) -> Result<String, &'static str> {
    match Delivery::find(word) {
        Some(delivery) => Ok(delivery.to_string()),
        None => Err("there is no such delivery"),
    }
}

/// A subject of RBAC, or the SHA-256 of a public key, as `authenticate consumer` shows it: with or without `key` before it.
pub(super) fn subject(text: &str) -> Result<String, &'static str> {
    let (kind, name) = text.split_once(' ').unwrap_or(("key", text));
    match kind {
        "key" => Ok(format!("key {}", fingerprint(name)?)),
        "User" | "Group" => Ok(format!("{kind} {}", literal(name)?)),
        "ServiceAccount" => match name.split_once('/') {
            Some((of, account)) => Ok(format!("{kind} {}/{}", namespace(of)?, literal(account)?)),
            None => Err("a ServiceAccount is `ServiceAccount NAMESPACE/NAME`"),
        },
        _ => Err(
            "it is not `User NAME`, `Group NAME`, `ServiceAccount NAMESPACE/NAME` or `key sha256:…`",
        ),
    }
}

fn fingerprint(text: &str) -> Result<&str, &'static str> {
    let digits = text.strip_prefix("sha256:").unwrap_or_default();
    let mut bytes = digits.bytes();
    if digits.len() == 64 && bytes.all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f')) {
        Ok(text)
    } else {
        Err("it is not `sha256:` and 64 lower-case hexadecimal digits")
    }
}

/// A repository's URL in the form of a term. A password is refused, since logs show terms. So is a URL whose normal form means another
/// repository, such as `https://host/a.git.git`.
pub(super) fn repo(url: &str) -> Result<String, &'static str> {
    let url = literal(url)?;
    if url.contains(is_unseen) {
        return Err("it has an invisible character");
    }
    if has_password(&url) {
        return Err("remove the password; Argo CD has it in a Repository Secret");
    }
    let normal = normal_repo(&url);
    // a sealed value is normalised again when it is read, and must still be the same repository
    if normal_repo(&normal) != normal {
        return Err("it ends with `.git` more than once");
    }
    Ok(normal)
}

/// A folder in the form of a term.
pub(super) fn path(folder: &str) -> Result<String, &'static str> {
    normal_path(&literal(folder)?)
        .ok_or("it must be a path from the repository's root (`.`), without `..`")
}

/// A repository's URL in its normal form: no trailing `/` and `.git`, the host in lower case. Everything else, such as the
/// scheme, user, port and path, is compared as it is.
pub fn normal_repo(url: &str) -> String {
    let url = url.trim_end_matches('/');
    let url = url.strip_suffix(".git").unwrap_or(url);
    let url = Uri::split(url.trim_end_matches('/'));
    let mut normal = String::new();
    if let Some(scheme) = url.scheme {
        normal += &format!("{}://", scheme.to_ascii_lowercase());
    }
    if let Some(user) = url.user {
        normal += &format!("{user}@");
    }
    normal += &url.host.to_ascii_lowercase();
    if let Some(port) = url.port {
        normal += &format!(":{}", port.to_ascii_lowercase());
    }
    normal + url.rest
}

/// A folder's path in its normal form: no leading `./`, no trailing `/`, `.` for the root. A path with `..`, an empty part
/// or a leading `/` has no normal form, since it could mean another folder.
pub fn normal_path(path: &str) -> Option<String> {
    let rest = path.trim_start_matches("./");
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    match rest {
        "" if path.is_empty() => None,
        "" | "." => Some(".".into()),
        _ if rest.split('/').any(|part| matches!(part, "" | "." | "..")) => None,
        _ => Some(rest.to_owned()),
    }
}
