//! The patterns of projects and of ApplicationSets. Some are not evaluated here, so the answer whether one matches can
//! be unknown.

/// Whether a pattern matches a text; `None` where the pattern is not evaluated here.
pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool> {
    is_known(&[pattern]).then(|| is_match(pattern, text))
}

/// As [`matches()`]. A pattern after `!` matches if the rest does not (`globMatch`).
pub(super) fn is_matched(pattern: &str, text: &str) -> Option<bool> {
    let refused = pattern.strip_prefix('!');
    Some(matches(refused.unwrap_or(pattern), text)? != refused.is_some())
}

/// Whether one of many is true, as far as that is known.
pub(super) fn any(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all.fold(Some(false), or)
}

/// Whether both are true, as far as that is known.
pub(super) fn and(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// Whether one of two is true, as far as that is known.
pub(super) fn or(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    and(one.map(|it| !it), other.map(|it| !it)).map(|it| !it)
}

/// Whether the patterns have neither character classes nor alternatives, so that they can be evaluated.
pub(crate) fn is_known(patterns: &[&str]) -> bool {
    patterns
        .iter()
        .all(|pattern| !pattern.contains(['[', '{', '\\']))
}

/// Whether a pattern of Argo CD matches a text: `*` and `?` (github.com/gobwas/glob). A pattern with a class or alternatives may match, so
/// it counts as a match.
pub(crate) fn is_match(pattern: &str, text: &str) -> bool {
    if !is_known(&[pattern]) {
        return true;
    }
    if !pattern.contains(['*', '?']) {
        return pattern == text;
    }
    // the last `*`, and how much of the text it covers
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut in_text, mut star) = (0, 0, None);
    while in_text < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, in_text));
                at += 1;
            }
            Some(c) if *c == '?' || text.get(in_text) == Some(c) => {
                at += 1;
                in_text += 1;
            }
            _ => {
                let Some((after, taken)) = star else {
                    return false;
                };
                star = Some((after, taken + 1));
                (at, in_text) = (after + 1, taken + 1);
            }
        }
    }
    pattern.iter().skip(at).all(|c| *c == '*')
}

/// Whether a pattern matches a URL; `None` where Argo CD may read one of the two in another way. `*` stays within one segment of the path,
/// `**` does not (argo-cd `pkg/apis/application/v1alpha1/app_project_types.go`, `IsSourcePermitted`).
pub(super) fn matches_repository(pattern: &str, url: &str) -> Option<bool> {
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
                && patterns
                    .zip(segments)
                    .all(|(pattern, segment)| is_match(pattern, segment)),
        );
    }
    // with both `*` and `**`, only a mismatch is certain
    let has_both = pattern.replace("**", "").contains('*');
    let is_match = is_match(&pattern, &url);
    (!has_both || !is_match).then_some(is_match)
}

fn is_usual(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_alphanumeric() || "-._~:/@+*".contains(c))
        && !text.ends_with('/')
}

/// argo-cd `util/git/git.go`, `NormalizeGitURL`.
fn normal(url: &str) -> String {
    let url = url.trim().to_lowercase();
    let is_scp = url.split_once('@').is_some_and(|(user, rest)| {
        !user.contains(['/', ':']) && !rest.is_empty() && !rest.contains('@')
    });
    let url = if is_scp {
        url.replacen(':', "/", 1)
    } else {
        url
    };
    let url = url.strip_suffix(".git").unwrap_or(&url);
    url.strip_prefix("ssh://").unwrap_or(url).to_owned()
}

#[cfg(test)]
mod tests {
    use super::is_match;

    #[test]
    fn patterns_are_argo_cds() {
        for (pattern, text, is) in [
            ("*", "", true),
            ("liqo-tenant-*", "liqo-tenant-rome", true),
            ("liqo-tenant-*", "liqo-tenant", false),
            ("*-rome-*", "liqo-rome-rome-x", true),
            ("r?me", "rome", true),
            ("rome", "rome2", false),
            ("", "rome", false),
            ("{a,b}", "rome", true),
        ] {
            assert_eq!(is_match(pattern, text), is, "{pattern} {text}");
        }
    }
}
