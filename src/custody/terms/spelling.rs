//! The values of terms: what is one, and its one spelling.

use super::{ANY, Term, TermProblem};
use crate::peering::values::Role;
use crate::uri::{Uri, has_password};

/// The values of a term in their normal form.
pub(in crate::custody) fn normalised(
    term: Term,
    written: &[String],
    normal: impl Fn(&str) -> Result<String, &'static str>,
) -> Result<Vec<String>, TermProblem> {
    let one = |value: &String| match value.as_str() {
        ANY => Ok(value.clone()),
        value => normal(value),
    };
    written.iter().map(|value| one(value).map_err(|rule| TermProblem { term, rule })).collect()
}

/// A value that is compared as it is. One with a `*` in it was meant as a pattern, so it is refused.
fn literal(value: &str) -> Result<&str, &'static str> {
    match value {
        blank if blank.trim().is_empty() => Err("it is empty"),
        // logs show all terms on one line
        hidden if hidden.chars().any(char::is_control) => {
            Err("it has a line break or another control character")
        }
        pattern if pattern.contains('*') => {
            Err("`*` must be the whole value, and then allows any; other patterns are not supported")
        }
        value => Ok(value),
    }
}

/// A project in the form of a term: `NAME`, or `NAME=ROLE` where it may ask for one role only. A project's name is the name of
/// a Kubernetes object and has no `=`.
pub(in crate::custody) fn project(written: &str) -> Result<String, &'static str> {
    let (name, role) = name_and_role(written);
    if role.is_some_and(|role| Role::find(role).is_none()) {
        return Err("after `=` there must be a role: consumer or provider");
    }
    if name != ANY {
        literal(name)?;
    }
    Ok(written.to_owned())
}

/// The name of a project in a term, and the only role that it may ask for, if there is one.
pub(in crate::custody) fn name_and_role(project: &str) -> (&str, Option<&str>) {
    project.split_once('=').map_or((project, None), |(name, role)| (name, Some(role)))
}

/// A revision in the form of a term.
pub(in crate::custody) fn revision(written: &str) -> Result<String, &'static str> {
    literal(written).map(ToOwned::to_owned)
}

/// A repository's URL in the form of a term. A password is refused, since logs show terms, and a URL whose normal form is
/// another repository's, such as `https://host/a.git.git`.
pub(in crate::custody) fn repo(url: &str) -> Result<String, &'static str> {
    if has_password(literal(url)?) {
        return Err("leave the password out; Argo CD takes it from its own Repository Secret");
    }
    let normal = normal_repo(url);
    // what is sealed is read again, and must then be the same repository
    if normal_repo(&normal) != normal {
        return Err("it ends with `.git` twice; a repository has `.git` at its end once or not at all");
    }
    Ok(normal)
}

/// A folder in the form of a term.
pub(in crate::custody) fn path(folder: &str) -> Result<String, &'static str> {
    normal_path(literal(folder)?)
        .ok_or("it must be a folder relative to the repository's root, without `..`; `.` is the root")
}

/// A repository's URL in its normal form: no trailing `/` and `.git`, the host in lower case. Everything else, such as the
/// scheme, user, port and path, is compared as it is.
pub fn normal_repo(url: &str) -> String {
    let trimmed = url.trim_end_matches('/');
    let trimmed = trimmed.strip_suffix(".git").unwrap_or(trimmed).trim_end_matches('/');
    let Uri { scheme, authority, rest } = Uri::split(trimmed);
    let scheme = scheme.map(|scheme| format!("{}://", scheme.to_ascii_lowercase())).unwrap_or_default();
    let user = authority.user.map(|user| format!("{user}@")).unwrap_or_default();
    let port = authority.port.map(|port| format!(":{port}")).unwrap_or_default();
    let place = format!("{}{port}", authority.host).to_ascii_lowercase();
    format!("{scheme}{user}{place}{rest}")
}

/// A folder's path in its normal form: no leading `./`, no trailing `/`, `.` for the root. A path with `..`, an empty part
/// or a leading `/` has no normal form, since it could mean another folder.
pub fn normal_path(path: &str) -> Option<String> {
    let mut rest = path;
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter;
    }
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    match rest {
        "" if path.is_empty() => None,
        "" | "." => Some(".".into()),
        _ if rest.split('/').any(|part| matches!(part, "" | "." | "..")) => None,
        _ => Some(rest.to_owned()),
    }
}
