//! Who asks for the manifests, as Argo CD's repo-server says it.
//!
//! These variables are set by the repo-server for every plugin run and cannot be overridden by an Application: its own
//! variables are always prefixed `ARGOCD_ENV_` (argo-cd `reposerver/repository/repository.go`, `newEnv`).

use crate::argocd::environment::Environment;
use crate::diagnostic::mask_names;
use crate::uri::credentials;
use std::fmt;

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// A person at their own machine, who said so with `--local`. They hold the identity, so terms about Argo CD
    /// would stop nobody.
    Local,
    /// An Application.
    ArgoCd {
        /// `ARGOCD_APP_PROJECT_NAME`; Argo CD before 3.0 does not say it.
        project: Option<String>,
        /// `ARGOCD_APP_SOURCE_REPO_URL`.
        repo: Option<String>,
        /// `ARGOCD_APP_SOURCE_PATH`.
        path: Option<String>,
    },
}

impl Caller {
    /// The caller that the environment describes. What is empty is not said.
    #[must_use]
    pub fn of(environment: &Environment) -> Self {
        let said = |name| environment.get(name).filter(|value| !value.is_empty()).map(ToOwned::to_owned);
        Self::ArgoCd {
            project: said("ARGOCD_APP_PROJECT_NAME"),
            repo: said("ARGOCD_APP_SOURCE_REPO_URL"),
            path: said("ARGOCD_APP_SOURCE_PATH"),
        }
    }
}

impl fmt::Display for Caller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => formatter.write_str("a local run"),
            Self::ArgoCd { project, repo, path } => {
                let shown = |value: &Option<String>| value.as_deref().map_or_else(|| "?".into(), shown);
                write!(formatter, "project={} repo={} path={}", shown(project), shown(repo), shown(path))
            }
        }
    }
}

/// A value from outside as it may stand in a line of a log: without control characters, the user of a URL, and what could
/// be key material.
pub(crate) fn shown(value: &str) -> String {
    let value = mask_names(&without_credentials(value));
    value.chars().map(|c| if c.is_control() { '?' } else { c }).take(256).collect()
}

/// A value from outside, less the credentials of a URL. That there are some is still seen, since the user counts when
/// repositories are compared.
fn without_credentials(value: &str) -> String {
    let mut shown = value.to_owned();
    for range in credentials(value).collect::<Vec<_>>().into_iter().rev() {
        shown.replace_range(range, "***");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::Caller;
    use crate::argocd::environment::Environment;

    #[test]
    fn what_is_empty_is_not_said() {
        let environment =
            Environment::from([("ARGOCD_APP_PROJECT_NAME", ""), ("ARGOCD_APP_SOURCE_PATH", "a")]);
        assert_eq!(
            Caller::of(&environment),
            Caller::ArgoCd { project: None, repo: None, path: Some("a".into()) }
        );
    }

    #[test]
    fn a_password_in_a_url_is_not_logged() {
        let environment =
            Environment::from([("ARGOCD_APP_SOURCE_REPO_URL", "https://me:hunter2@git.example.org/a\nb")]);
        let shown = Caller::of(&environment).to_string();
        assert_eq!(shown, "project=? repo=https://***@git.example.org/a?b path=?");
    }

    #[test]
    fn a_token_in_a_denied_url_is_not_shown() {
        for (url, shown) in [
            ("https://ghp_x@git.example.org/a", "https://***@git.example.org/a"),
            ("HTTP://me:hunter2@git.example.org", "HTTP://***@git.example.org"),
            ("ssh://git:hunter2@git.example.org:22/a@b", "ssh://git:***@git.example.org:22/a@b"),
            ("git@git.example.org:a", "git@git.example.org:a"),
            ("https://git.example.org/a@b", "https://git.example.org/a@b"),
        ] {
            assert_eq!(super::without_credentials(url), shown);
        }
    }
}
