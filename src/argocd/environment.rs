//! The environment variables of a run, read once.

use std::collections::BTreeMap;

/// The variables that this program reads. A value that is not UTF-8 counts as empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment(BTreeMap<String, String>);

/// Only the repo-server sets these.
const OF_ARGO_CD: &str = "ARGOCD_APP_";

impl Environment {
    pub fn of_process() -> Self {
        let is_read =
            |name: &str| name.starts_with(OF_ARGO_CD) || ["ARGOCD_ENV_ROLE", "KUBE_VERSION"].contains(&name);
        let read = std::env::vars_os().filter_map(|(name, value)| {
            let name = name.into_string().ok().filter(|name| is_read(name))?;
            Some((name, value.into_string().unwrap_or_default()))
        });
        Self(read.collect())
    }

    /// Whether Argo CD's repo-server made this environment.
    pub fn is_argo_cds(&self) -> bool {
        self.0.keys().any(|name| name.starts_with(OF_ARGO_CD))
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(variables: [(&str, &str); N]) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }
}
