//! A URL in its parts. It is read in one way for everyone: the rules of a server's URL, the terms that compare
//! repositories, and what hides passwords.
//!
//! Splitting never fails, whatever the text is: most of these texts were written by a person, and a password must be
//! found in an invalid URL as well. The caller decides whether the parts are good. That is why this is not the crate
//! `fluent-uri`: it refuses a text at its first foreign character (`https://{{ .server }}`, a password with `|`), so
//! four of the five callers would need a splitter as well.
//!
//! The parts are those of RFC 3986, appendix B. Where the RFC leaves room, Go's `net/url` decides, which client-go and
//! Argo CD use: the user ends at the last `@` of the authority (`parseAuthority`).

use std::ops::Range;

/// The parts of a URL with `://`, or of what Git reads as a repository without `://`: `scheme://user:password@host:port/rest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Uri<'t> {
    /// What is before `://`, as it is written.
    pub(crate) scheme: Option<&'t str>,
    /// What is before the last `@` of the authority, with the password.
    pub(crate) user: Option<&'t str>,
    /// A name or an address; an IPv6 address has its brackets.
    pub(crate) host: &'t str,
    /// What is after the host's `:`.
    pub(crate) port: Option<&'t str>,
    /// Path, query and fragment, with their separators.
    pub(crate) rest: &'t str,
}

impl<'t> Uri<'t> {
    /// The parts of a URL, or of Git's short form of one, `git@host:path` (git-clone(1), "Git URLs": there is no `/` before
    /// the first `:`). The short form has neither a port nor a password: what follows the `:` is the path.
    pub(crate) fn split(text: &'t str) -> Self {
        let (scheme, (authority, rest)) = match text.split_once("://") {
            Some((scheme, after)) => (Some(scheme), split_before(after, |c| "/?#".contains(c))),
            None => (None, split_before(text, |c| "/:".contains(c))),
        };
        let (user, place) = user_and_place(authority);
        let (host, port) = match place.rsplit_once(':') {
            // the colons of an IPv6 address are in brackets
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (place, None),
        };
        Self {
            scheme,
            user,
            host,
            port,
            rest,
        }
    }
}

/// Where a text has credentials in URLs. For `http` and similar schemes that includes the user, since people put tokens there. For other
/// schemes it is only the password: `git` in `ssh://git@…` is not a secret.
///
/// The text can be anything, and a password may have any character. So here an authority ends where a URL in a sentence ends, not at the
/// `?` or `#` of an unescaped password.
pub(crate) fn credentials(text: &str) -> impl Iterator<Item = Range<usize>> {
    // everything that is printed is searched, so the search is for one character
    text.match_indices(':').filter_map(|(at, _)| {
        let after = text.get(at..)?.strip_prefix("://")?;
        let from = text.len() - after.len();
        let (authority, _) = split_before(after, |c| {
            c == '/' || c.is_whitespace() || "\"'`<>".contains(c)
        });
        let user = user_and_place(authority).0?;
        let head = text.get(..at)?;
        let scheme = head
            .trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "+-".contains(c))
            .len();
        // also `git+https`
        let is_http = head.get(scheme..)?.to_ascii_lowercase().contains("http");
        let public = match user.find(':') {
            _ if is_http => 0,
            Some(colon) => colon + 1,
            None => user.len(),
        };
        (public < user.len()).then_some(from + public..from + user.len())
    })
}

fn user_and_place(authority: &str) -> (Option<&str>, &str) {
    match authority.rsplit_once('@') {
        Some((user, place)) => (Some(user), place),
        None => (None, authority),
    }
}

/// Whether a person has written a password into a URL, or into what they take for one: Git reads `me:password@host:path` as a path on the
/// host `me`.
pub(crate) fn has_password(url: &str) -> bool {
    let place = |text| split_before(text, |c| c == '/').0;
    let user = match url.split_once("://") {
        Some((_, after)) => place(after).rsplit_once('@'),
        // a path may have an `@`, so in the short form the first `@` counts
        None => place(url).split_once('@'),
    };
    user.is_some_and(|(user, _)| user.contains(':'))
}

/// A text, split before the first character of a kind.
fn split_before(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::{Uri, credentials, has_password};

    fn parts(text: &str) -> [&str; 5] {
        let Uri {
            scheme,
            user,
            host,
            port,
            rest,
        } = Uri::split(text);
        [
            scheme.unwrap_or("-"),
            user.unwrap_or("-"),
            host,
            port.unwrap_or("-"),
            rest,
        ]
    }

    #[test]
    fn the_parts_are_those_of_the_rfc() {
        for (text, expected) in [
            ("https://host", ["https", "-", "host", "-", ""]),
            (
                "https://host:1/a?b#c",
                ["https", "-", "host", "1", "/a?b#c"],
            ),
            ("https://host?a@b", ["https", "-", "host", "-", "?a@b"]),
            ("https://?", ["https", "-", "", "-", "?"]),
            ("https://:6443", ["https", "-", "", "6443", ""]),
            ("https://host:", ["https", "-", "host", "", ""]),
            ("HTTPS://Me:pw@Host:1", ["HTTPS", "Me:pw", "Host", "1", ""]),
            // Go's `parseAuthority`
            (
                "https://a@b@host/c@d",
                ["https", "a@b", "host", "-", "/c@d"],
            ),
            ("https://[::1]", ["https", "-", "[::1]", "-", ""]),
            ("https://u@[::1]:1/", ["https", "u", "[::1]", "1", "/"]),
            ("https://fd00::1", ["https", "-", "fd00:", "1", ""]),
            (
                "https://{{ .server }}",
                ["https", "-", "{{ .server }}", "-", ""],
            ),
            ("file:///a", ["file", "-", "", "-", "/a"]),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn what_git_takes_without_a_protocol() {
        for (text, expected) in [
            ("git@host:a/b", ["-", "git", "host", "-", ":a/b"]),
            ("git@host:a:b@c", ["-", "git", "host", "-", ":a:b@c"]),
            ("host:a", ["-", "-", "host", "-", ":a"]),
            ("host/a@b", ["-", "-", "host", "-", "/a@b"]),
            ("/a:b@c", ["-", "-", "", "-", "/a:b@c"]),
            ("me:pw@host:a", ["-", "-", "me", "-", ":pw@host:a"]),
            ("*", ["-", "-", "*", "-", ""]),
            ("", ["-", "-", "", "-", ""]),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn a_password_is_noticed_where_none_belongs() {
        for text in [
            "https://me:pw@host/a",
            "ssh://git:p?w@host",
            "https://a@b:c@host",
            "me:pw@host:a",
        ] {
            assert!(has_password(text), "{text}");
        }
        for text in [
            "https://me@host:1/a:b@c",
            "git@host:a:b@c",
            "host:a",
            "/a:b@c",
            "*",
        ] {
            assert!(!has_password(text), "{text}");
        }
    }

    #[test]
    fn credentials_are_found_in_any_text() {
        for (text, found) in [
            (
                "see https://me:pw@host/a, ssh://git:pw2@host",
                vec!["me:pw", "pw2"],
            ),
            ("ssh://git@host https://host/a@b", vec![]),
            ("HTTP://a@b@host", vec!["a@b"]),
            ("https://me:p?w#x@host", vec!["me:p?w#x"]),
            ("https://http://me@host", vec!["me"]),
            ("\"https://host\" a@b", vec![]),
        ] {
            let words: Vec<&str> = credentials(text)
                .filter_map(|range| text.get(range))
                .collect();
            assert_eq!(words, found, "{text}");
        }
    }
}
