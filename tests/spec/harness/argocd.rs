//! How Argo CD runs a plugin: the argument list of plugin.yaml, and the variables of an Application.

use std::ffi::OsString;
use std::path::Path;

use serde_json::Value;

use super::committed;
use super::run::Run;

/// Who asks: an Application of this project, of this folder of this repository, for this role.
pub(crate) struct Application<'a> {
    pub(crate) project: &'a str,
    pub(crate) repo: &'a str,
    pub(crate) path: &'a str,
    pub(crate) role: &'a str,
}

impl Application<'_> {
    /// The run that plugin.yaml says, in the working directory that argocd-cmp-server gives it, with another identity.
    pub(crate) fn run(&self, folder: &Path, identity: &Path) -> Run {
        let run = Run::new(plugin_arguments(identity)).within(folder);
        self.variables()
            .into_iter()
            .fold(run, |run, (name, value)| run.env(name, value))
    }

    /// All that argocd-cmp-server gives to `generate`, and the sidecar's own variables (argo-cd
    /// `reposerver/repository/repository.go`, `newEnv` and `newEnvRepoQuery`; `types.go`, `Environ`).
    fn variables(&self) -> [(&'static str, String); 17] {
        let Self {
            project,
            repo,
            path,
            role,
        } = self;
        let kinds: Vec<String> = (0..1500)
            .map(|n| {
                format!(
                    "group{n}.example.org/v1beta{},group{n}.example.org/v1/Kind{n}",
                    n % 3
                )
            })
            .collect();
        let revision = "9d1c8a7b6e5f40312233445566778899aabbccdd";
        [
            ("ARGOCD_APP_NAME", format!("consumer-provider-{role}")),
            ("ARGOCD_APP_NAMESPACE", "liqo-tenant-provider".into()),
            ("ARGOCD_APP_PROJECT_NAME", (*project).into()),
            ("ARGOCD_APP_REVISION", revision.into()),
            ("ARGOCD_APP_REVISION_SHORT", revision[..7].into()),
            ("ARGOCD_APP_REVISION_SHORT_8", revision[..8].into()),
            ("ARGOCD_APP_SOURCE_REPO_URL", (*repo).into()),
            ("ARGOCD_APP_SOURCE_PATH", (*path).into()),
            ("ARGOCD_APP_SOURCE_TARGET_REVISION", "main".into()),
            (
                "ARGOCD_APP_PARAMETERS",
                format!(r#"[{{"name":"role","string":"{role}"}}]"#),
            ),
            ("PARAM_ROLE", (*role).into()),
            ("KUBE_VERSION", "1.35.2".into()),
            ("KUBE_API_VERSIONS", kinds.join(",")),
            ("ARGOCD_ENV_STAGE", "test".into()),
            ("ARGOCD_ENV_EMPTY", String::new()),
            ("HOME", "/home/argocd".into()),
            (
                "PATH",
                "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".into(),
            ),
        ]
    }
}

/// What plugin.yaml says is run, less the program itself, with another identity.
pub(crate) fn plugin_arguments(identity: &Path) -> Vec<OsString> {
    let plugin = yaml("plugin.yaml");
    let command = words(&plugin, "/spec/generate/command");
    let mut arguments: Vec<OsString> = command
        .into_iter()
        .skip(1)
        .chain(words(&plugin, "/spec/generate/args"))
        .map(Into::into)
        .collect();
    let at = arguments
        .iter()
        .position(|word| word == "--identity-file")
        .expect("--identity-file");
    *arguments.get_mut(at + 1).expect("the identity's path") = identity.into();
    arguments
}

/// The list of strings at a place of a plugin's file.
pub(crate) fn words(plugin: &Value, pointer: &str) -> Vec<String> {
    let list = plugin
        .pointer(pointer)
        .and_then(Value::as_array)
        .expect(pointer);
    list.iter()
        .map(|word| word.as_str().expect("a string").to_owned())
        .collect()
}

/// A YAML file of this repository, of one document.
pub(crate) fn yaml(path: &str) -> Value {
    serde_saphyr::from_str(&committed(path)).expect(path)
}
