//! What may be named, and what may lie where.

use super::tree::Tree;
use std::collections::BTreeSet;

/// Folders of somebody's machine, and one beside the checkout that a clone does not have. In pieces, or this file would
/// name them.
const MACHINES: [&str; 6] = [
    concat!("../sha", "red/"),
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/tmp", "/wt"),
    concat!("/Us", "ers/"),
    concat!("/fa", "rm/"),
];

/// Whom a URL may name, beside what is reserved for examples (RFC 2606), addresses, and names without a dot.
const SITES: &str = "age-encryption.org argo-cd.readthedocs.io bitnami.github.io docs.aws.amazon.com cr.yp.to \
     cyclonedx.org docs.liqo.io git-lfs.github.com github.com json-schema.org helm.liqo.io \
     keepachangelog.com kubernetes.default.svc liqo-webhook.liqo.svc liqo.io pre-commit.com \
     raw.githubusercontent.com token.actions.githubusercontent.com www.apache.org www.debian.org \
     www.w3.org";

/// What the top level has; all but `benches` must be there. CONTRIBUTING.md explains why the list is closed.
const TOP_LEVEL: &str = "CHANGELOG.md CONTRIBUTING.md Cargo.lock Cargo.toml Dockerfile LICENSE README.md SECURITY.md \
     argocd-app benches deny.toml docs examples plugin.yaml rust-toolchain.toml src tests";

pub(crate) fn machines(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, text) in tree.texts() {
        for (index, line) in text.lines().enumerate() {
            let place = format!("{path}:{}", index + 1);
            let machine = MACHINES.iter().find(|folder| line.contains(**folder));
            problems.extend(
                machine.map(|folder| format!("{place}: a folder of one machine, {folder}")),
            );
            if !is_lock(path) {
                let strange = hosts(line).into_iter().filter(|host| !may_be_named(host));
                problems.extend(strange.map(|host| {
                    format!("{place}: {host} is in no list of tests/spec/house/names.rs")
                }));
            }
            if path == "Cargo.lock" && line.starts_with("source = ") && !line.ends_with(CRATES_IO) {
                problems.push(format!("{place}: a crate from elsewhere than crates.io"));
            }
            // another registry in place of the public one is a matter of one's own machine
            if path.starts_with(".cargo/") && line.contains("replace-with") {
                problems.push(format!("{place}: replace-with"));
            }
        }
    }
    problems
}

const CRATES_IO: &str = "\"registry+https://github.com/rust-lang/crates.io-index\"";

fn is_lock(path: &str) -> bool {
    path == "Cargo.lock" || path.ends_with("/go.sum") || path.starts_with("tests/spec/house")
}

/// The hosts of a line's URLs.
fn hosts(line: &str) -> Vec<String> {
    let urls = line.split("://").skip(1);
    let host = |url: &str| {
        let end = url
            .find(|it: char| !it.is_ascii_alphanumeric() && !"-._".contains(it))
            .unwrap_or(url.len());
        url[..end].trim_end_matches('.').to_ascii_lowercase()
    };
    urls.map(host).collect()
}

fn may_be_named(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or_default();
    let reserved = ["example", "test", "invalid", "localhost"].contains(&last)
        || ["example.org", "example.com", "example.net"]
            .iter()
            .any(|it| {
                host.strip_suffix(it)
                    .is_some_and(|sub| sub.is_empty() || sub.ends_with('.'))
            });
    !host.contains('.')
        || last.bytes().all(|it| it.is_ascii_digit())
        || reserved
        || SITES.split(' ').any(|it| it == host)
}

/// The page that has, in brackets, the tests that hold the controls.
const CONTROLS: &str = "docs/project/threats.md";

/// Each test that the page names is there: a function, or the title of a case.
pub(crate) fn controls(tree: &Tree) -> Vec<String> {
    let mut tests = BTreeSet::new();
    for (_, text) in tree
        .texts()
        .filter(|(path, _)| path.starts_with("tests/") || path.starts_with("src/"))
    {
        for line in text.lines() {
            let line = line.trim_start();
            let function = line.strip_prefix("fn ").or(line.strip_prefix("func "));
            tests.extend(function.and_then(|rest| Some(rest.split_once('(')?.0.to_owned())));
            let title = line.strip_prefix("== ").map(str::to_lowercase);
            tests.extend(title.map(|title| title.replace('\'', "").replace(' ', "_")));
        }
    }
    let page = tree.text(CONTROLS).unwrap_or_default();
    // what stands before a `(` is a link
    let brackets = page.split('[').skip(1).filter_map(|rest| {
        let (name, after) = rest.split_once(']')?;
        (!after.starts_with('(')).then_some(name)
    });
    let lost = brackets.filter(|name| !tests.contains(name.rsplit(':').next().unwrap_or(name)));
    lost.map(|name| format!("{CONTROLS}: there is no test {name}"))
        .collect()
}

pub(crate) fn top_level(tree: &Tree) -> Vec<String> {
    let entries: BTreeSet<_> = tree
        .paths()
        .filter_map(|path| path.split('/').next())
        .collect();
    let strange = entries
        .iter()
        .filter(|entry| !entry.starts_with('.') && TOP_LEVEL.split(' ').all(|it| it != **entry));
    let mut problems: Vec<_> = strange
        .map(|entry| format!("{entry} does not belong to the top level"))
        .collect();
    let missing = TOP_LEVEL
        .split(' ')
        .filter(|entry| *entry != "benches" && !entries.contains(entry));
    problems.extend(missing.map(|entry| format!("{entry} is missing")));
    problems
}

/// The owner of the repository has one place, Cargo.toml. Where another name stands, somebody's program would be installed.
pub(crate) fn owner(tree: &Tree) -> Vec<String> {
    let owner = env!("CARGO_PKG_REPOSITORY")
        .rsplit('/')
        .nth(1)
        .expect("https://HOST/OWNER/NAME");
    let mut problems = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| !path.starts_with("tests/")) {
        for (index, line) in text.lines().enumerate() {
            let repositories = line.match_indices("/argocd-peering").filter_map(|(at, _)| {
                let before = line.get(..at)?.rsplit(['/', ' ', '"', '`', '(']).next()?;
                let host = line.get(..at)?.strip_suffix(before)?;
                let is_named = host.ends_with("github.com/")
                    || host.ends_with("ghcr.io/")
                    || host.ends_with("--repo ")
                    || host.ends_with("uses: ");
                is_named.then_some(before)
            });
            let people = line
                .split(' ')
                .filter(|_| path.ends_with("CODEOWNERS"))
                .filter_map(|it| it.strip_prefix('@'));
            let others = repositories.chain(people).filter(|name| *name != owner);
            problems.extend(others.map(|name| {
                format!(
                    "{path}:{}: {name} is not {owner}, the one in Cargo.toml",
                    index + 1
                )
            }));
        }
    }
    problems
}
