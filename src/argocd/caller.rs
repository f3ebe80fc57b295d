//! The caller of the plugin, as Argo CD's repo-server reports it.
//!
//! The repo-server sets these variables for every plugin run, and an Application cannot override them: its own
//! variables are always prefixed `ARGOCD_ENV_` (argo-cd `reposerver/repository/repository.go`, `newEnv`).

use crate::diagnostic::shown_name;
use crate::uri::credentials;
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// A person on their own machine, with `--local`. They have the identity, so terms about Argo CD would not stop
    /// them.
    Local,
    ArgoCd {
        /// `ARGOCD_APP_PROJECT_NAME`; Argo CD before 3.0 does not set it.
        project: Option<String>,
        /// `ARGOCD_APP_SOURCE_REPO_URL`.
        repo: Option<String>,
        /// `ARGOCD_APP_SOURCE_PATH`.
        path: Option<String>,
        /// `ARGOCD_APP_SOURCE_TARGET_REVISION`: the Application's text, not the commit that it resolves to.
        revision: Option<String>,
    },
}

impl Caller {
    /// The caller that the environment describes. An empty variable counts as missing.
    pub fn from_environment(environment: &Environment) -> Self {
        Self::ArgoCd {
            project: environment.filled("ARGOCD_APP_PROJECT_NAME"),
            repo: environment.filled("ARGOCD_APP_SOURCE_REPO_URL"),
            path: environment.filled("ARGOCD_APP_SOURCE_PATH"),
            revision: environment.filled("ARGOCD_APP_SOURCE_TARGET_REVISION"),
        }
    }
}

impl fmt::Display for Caller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => formatter.write_str("a local run"),
            Self::ArgoCd {
                project,
                repo,
                path,
                revision,
            } => {
                let [project, repo, path, revision] = [project, repo, path, revision]
                    .map(|fact| fact.as_deref().map_or("?".into(), in_quotes));
                write!(
                    formatter,
                    "project={project} repo={repo} path={path} revision={revision}"
                )
            }
        }
    }
}

/// A value from outside, as a log shows it. Control characters, the user of a URL, and possible key material are hidden. It is in quotes,
/// so that one value cannot look like two, or like another one; and in ASCII, because a letter of another script can look like a Latin one.
pub(crate) fn in_quotes(value: &str) -> String {
    let mut quoted = String::new();
    for c in format!("{:?}", one_line(value)).chars() {
        if c.is_ascii() {
            quoted.push(c);
        } else {
            quoted.extend(c.escape_unicode());
        }
    }
    shown_name(&quoted)
}

/// At most 256 characters, without credentials.
fn one_line(value: &str) -> String {
    let shown = without_credentials(value).replace(char::is_control, "?");
    shown.chars().take(256).collect()
}

/// A value from outside without the credentials of a URL. `***` shows that there are some: the user counts when
/// repositories are compared.
fn without_credentials(value: &str) -> String {
    let mut shown = value.to_owned();
    for range in credentials(value).collect::<Vec<_>>().into_iter().rev() {
        shown.replace_range(range, "***");
    }
    shown
}

/// The variables that this program reads. A value that is not UTF-8 counts as empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment(BTreeMap<String, String>);

/// Only the repo-server sets these.
const OF_ARGO_CD: &str = "ARGOCD_APP_";

const OTHERS: [&str; 2] = ["ARGOCD_ENV_ROLE", "KUBE_VERSION"];

impl Environment {
    pub fn of_process() -> Self {
        let mut read = BTreeMap::new();
        for (name, value) in std::env::vars_os() {
            if let Ok(name) = name.into_string()
                && (name.starts_with(OF_ARGO_CD) || OTHERS.contains(&name.as_str()))
            {
                read.insert(name, value.into_string().unwrap_or_default());
            }
        }
        Self(read)
    }

    /// Whether Argo CD's repo-server made this environment.
    pub fn is_argo_cds(&self) -> bool {
        self.0.keys().any(|name| name.starts_with(OF_ARGO_CD))
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The value, unless it is empty.
    pub(super) fn filled(&self, name: &str) -> Option<String> {
        Some(self.value(name).filter(|it| !it.is_empty())?.to_owned())
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(variables: [(&str, &str); N]) -> Self {
        Self(
            variables
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Caller, Environment};

    #[test]
    fn an_empty_variable_is_missing() {
        let environment = Environment::from([
            ("ARGOCD_APP_PROJECT_NAME", ""),
            ("ARGOCD_APP_SOURCE_PATH", "a"),
        ]);
        assert_eq!(
            Caller::from_environment(&environment),
            Caller::ArgoCd {
                project: None,
                repo: None,
                path: Some("a".into()),
                revision: None
            }
        );
    }

    #[test]
    fn a_password_in_a_url_is_not_logged() {
        let environment = Environment::from([(
            "ARGOCD_APP_SOURCE_REPO_URL",
            "https://me:hunter2@git.example.org/a\nb",
        )]);
        let shown = Caller::from_environment(&environment).to_string();
        assert_eq!(
            shown,
            r#"project=? repo="https://***@git.example.org/a?b" path=? revision=?"#
        );
    }

    #[test]
    fn a_token_in_a_denied_url_is_not_shown() {
        for (url, shown) in [
            (
                "https://ghp_x@git.example.org/a",
                "https://***@git.example.org/a",
            ),
            (
                "HTTP://me:hunter2@git.example.org",
                "HTTP://***@git.example.org",
            ),
            (
                "ssh://git:hunter2@git.example.org:22/a@b",
                "ssh://git:***@git.example.org:22/a@b",
            ),
            ("git@git.example.org:a", "git@git.example.org:a"),
            ("https://git.example.org/a@b", "https://git.example.org/a@b"),
        ] {
            assert_eq!(super::without_credentials(url), shown);
        }
    }
}
