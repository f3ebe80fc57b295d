//! Repositories as projects name them.

use super::{is_known, is_match};

/// Whether a pattern is a URL; None where Argo CD could read one of the two in another way. A `*` is within one segment, `**` is not
/// (argo-cd `pkg/apis/application/v1alpha1/app_project_types.go`, `IsSourcePermitted`).
pub(super) fn matches(pattern: &str, url: &str) -> Option<bool> {
    let (pattern, url) = (normal(pattern), normal(url));
    if pattern == "*" || pattern == url {
        return Some(true);
    }
    if !is_known(&[&pattern]) || !is_usual(&pattern) || !is_usual(&url) {
        return None;
    }
    if !pattern.contains("**") {
        let (patterns, segments) = (pattern.split('/'), url.split('/'));
        return Some(
            patterns.clone().count() == segments.clone().count()
                && patterns.zip(segments).all(|(pattern, segment)| is_match(pattern, segment)),
        );
    }
    // with both kinds of `*` only the negative is certain
    let has_both = pattern.replace("**", "").contains('*');
    let is_match = is_match(&pattern, &url);
    (!has_both || !is_match).then_some(is_match)
}

fn is_usual(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/@+*".contains(c)) && !text.ends_with('/')
}

/// argo-cd `util/git/git.go`, `NormalizeGitURL`.
fn normal(url: &str) -> String {
    let url = url.trim().to_lowercase();
    let is_scp = url
        .split_once('@')
        .is_some_and(|(user, rest)| !user.contains(['/', ':']) && !rest.is_empty() && !rest.contains('@'));
    let url = if is_scp { url.replacen(':', "/", 1) } else { url };
    let url = url.strip_suffix(".git").unwrap_or(&url);
    url.strip_prefix("ssh://").unwrap_or(url).to_owned()
}
