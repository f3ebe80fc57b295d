//! Who asks, and whom the operator answers.

use crate::{SECRETS, line};
use argocd_peering::testing::{
    Caller, Environment, Payload, Policy, Role, mask, mask_document, normal_path, normal_repo,
    parameters,
};

pub fn policy(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Err(problem) = Policy::parse(text) {
        line(&problem.to_string());
    }
}

pub fn policy_seeds() -> Vec<Vec<u8>> {
    vec![
        b"apiVersion: argocd-peering/v1alpha1\nkind: Policy\nallow:\n  - projects: [a, \"b=consumer\", \"*\"]\n    repos: [https://git.example.org/net/peerings.git, \"*\"]\n    paths: [peerings/*, ., a/b]\n    clusters: [[rome, milan]]\n    revisions: [main]\n".to_vec(),
        b"{apiVersion: argocd-peering/v1alpha1, kind: Policy, allow: []}".to_vec(),
    ]
}

/// The variables, one after another with a zero between.
pub fn parameters(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let mut values = text.split('\0');
    let variables = [
        "ARGOCD_APP_PARAMETERS",
        "ARGOCD_ENV_ROLE",
        "ARGOCD_APP_PROJECT_NAME",
        "ARGOCD_APP_SOURCE_REPO_URL",
        "ARGOCD_APP_SOURCE_PATH",
        "ARGOCD_APP_SOURCE_TARGET_REVISION",
    ];
    let environment =
        Environment::from(variables.map(|name| (name, values.next().unwrap_or_default())));
    line(&Caller::from_environment(&environment).to_string());
    match parameters::requested_stream(None, &environment, Role::find) {
        Ok(asked) => assert!(
            text.contains(&asked.role.to_string()),
            "a role that nobody asked for"
        ),
        Err(problem) => {
            line(&problem.to_string());
            line(problem.help());
        }
    }
}

pub fn parameters_seeds() -> Vec<Vec<u8>> {
    let rest = "consumer\0a-project\0https://me:pw@git.example.org/a.git\0peerings/a\0main";
    let mut seeds: Vec<Vec<u8>> = [
        r#"[{"name":"role","string":"consumer"}]"#,
        r#"[{"name":"role","array":["a"],"map":{"b":"c"}}]"#,
        r#"[{"name":"rolle","string":"x"},{"name":"role"}]"#,
        r#"[{"name":"role","string":"provider"},{"name":"cluster","string":"milan"}]"#,
        "null",
        "",
    ]
    .iter()
    .map(|json| format!("{json}\0{rest}").into_bytes())
    .collect();
    seeds.extend(
        SECRETS
            .iter()
            .take(2)
            .map(|secret| format!("[{{\"name\":\"{secret}\"}}]\0{secret}\0{secret}").into_bytes()),
    );
    seeds
}

/// One URL, or two with a line break between.
pub fn repository(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (one, other) = text.split_once('\n').unwrap_or((text, text));
    let normal = normal_repo(one);
    if normal == normal_repo(other) {
        assert_eq!(
            argo_cd(one),
            argo_cd(other),
            "two repositories of Argo CD are one"
        );
    }
    let again = format!("{one}/");
    assert_eq!(
        normal_repo(&again),
        normal,
        "a spelling is another repository"
    );
    if !one.trim_end_matches('/').ends_with(".git") {
        let again = format!("{one}.git");
        assert_eq!(
            normal_repo(&again),
            normal,
            "a spelling is another repository"
        );
    }
    // the terms of a sealed file are written in their normal form
    let bind = serde_json::json!({ "clusters": [], "repos": [one] });
    let payload = serde_json::json!({ "v": 1, "type": "seed", "seed": "", "bind": bind });
    if Payload::parse(payload.to_string().as_bytes()).is_ok() {
        assert_eq!(
            normal_repo(&normal),
            normal,
            "a term is another repository when it is read again"
        );
    }
    if let Some(path) = normal_path(text) {
        assert_eq!(
            normal_path(&path).as_ref(),
            Some(&path),
            "one spelling, and another one of that"
        );
        assert!(
            path == "." || path.split('/').all(|part| !matches!(part, "" | "." | "..")),
            "it leads elsewhere"
        );
    }
    for masked in [mask(text), mask_document(text)] {
        assert_eq!(masked.len(), text.len(), "masking moves nothing");
    }
}

/// What Argo CD compares repositories by: `NormalizeGitURL` of its `util/git/git.go`, without the steps that only make more of
/// them equal (`net/url`, one spelling for SSH, spaces). A `/` at the end, which Argo CD compares, is nothing to a server.
fn argo_cd(url: &str) -> String {
    let lower = url.to_lowercase();
    let lower = lower.trim_end_matches('/');
    lower
        .strip_suffix(".git")
        .unwrap_or(lower)
        .trim_end_matches('/')
        .to_owned()
}

pub fn repository_seeds() -> Vec<Vec<u8>> {
    [
        "https://Git.Example.org:443/net/Peerings.git/",
        "ssh://git@host:22/a//b.git",
        "git@host:a/b.git",
        "HTTPS://me:pw@host?x#y",
        "./a/./b/",
        "host/.git/.git",
        "https://host/a.git\nhttps://HOST/a/",
        "https://host/a.git.git\nhttps://host/a.git",
        "git@host:a/b\nssh://git@host/a/b",
        "[::1]:a@b",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect()
}
