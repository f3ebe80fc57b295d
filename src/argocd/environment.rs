//! The environment variables of a run, read once.

use std::collections::BTreeMap;

/// The variables that this program reads. A value that is not UTF-8 counts as absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment(BTreeMap<String, String>);

const READ: [&str; 6] = [
    "ARGOCD_APP_PARAMETERS",
    "ARGOCD_ENV_ROLE",
    "ARGOCD_APP_PROJECT_NAME",
    "ARGOCD_APP_SOURCE_REPO_URL",
    "ARGOCD_APP_SOURCE_PATH",
    "KUBE_VERSION",
];

impl Environment {
    /// The process's variables.
    pub fn of_process() -> Self {
        Self(
            READ.iter()
                .filter_map(|name| std::env::var(name).ok().map(|value| ((*name).to_owned(), value)))
                .collect(),
        )
    }

    /// One variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(variables: [(&str, &str); N]) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }
}
