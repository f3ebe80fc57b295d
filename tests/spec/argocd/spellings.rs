//! Argo CD's files as the world writes them, kind by kind, each beside a sound folder: what is wrong is an error or a note, what is not
//! read is named with the reason, and what is right is silent. `validate`, with `--strict` and without, and `diff` of the
//! commit that brings it.

use crate::harness::{Repository, Sample, Text, committed, rows, table, words};
use std::fs;

const FOLDER: &str = "peerings/consumer-provider";
const CONSUMER: &str = "apps/consumer.yaml";
const PROVIDER: &str = "apps/provider.yaml";

/// What is to be reported, with these words.
enum Verdict {
    /// An error.
    Wrong(&'static str),
    /// A note, which `--strict` makes an error.
    Noted(&'static str),
    /// Not judged: with `--strict` an error.
    Named(&'static str),
    Right,
}
use Verdict::{Named, Noted, Right, Wrong};

/// What it is, the change of the sound repository, and what is reported.
type Row = (&'static str, fn(&Repository), Verdict);

/// Each Application in a folder of its own, with this destination.
fn own(it: &Repository, destination: &str) {
    for (role, file) in [("consumer", CONSUMER), ("provider", PROVIDER)] {
        let text = changed(
            &written(role),
            &format!("    name: {role}\n"),
            &format!("    {destination}\n"),
        );
        remove(it, file);
        it.write(&format!("argo/{role}/{role}.yaml"), text);
    }
}

fn repository() -> Repository {
    let repository = Repository::new(FOLDER);
    for role in ["consumer", "provider"] {
        repository.write(&format!("apps/{role}.yaml"), written(role));
    }
    repository.commit();
    repository
}

/// The Application of a role, without its comments.
fn written(role: &str) -> String {
    let text = committed(&format!("argocd-app/{role}.yaml"));
    text.lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// A text with a change of the first such place.
fn changed(text: &str, from: &str, to: &str) -> String {
    text.has(from);
    text.replacen(from, to, 1)
}

/// The consumer's Application with a change.
fn consumer(repository: &Repository, from: &str, to: &str) {
    repository.write(CONSUMER, changed(&written("consumer"), from, to));
}

/// The consumer's Application, to the provider's cluster.
fn elsewhere() -> String {
    changed(
        &written("consumer"),
        "\n    name: consumer\n",
        "\n    name: provider\n",
    )
}

/// The same in UTF-16 with a byte order mark, which Go's YAML reads.
fn wide(bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    format!("\u{feff}{}", elsewhere())
        .encode_utf16()
        .flat_map(bytes)
        .collect()
}

fn remove(repository: &Repository, file: &str) {
    std::fs::remove_file(repository.root().join(file)).expect(file);
}

/// Makes the checkout a worktree of another one.
fn apart(repository: &Repository) {
    let (git, main) = (
        repository.root().join(".git"),
        repository.temp().join("main.git"),
    );
    let own = main.join("worktrees/x");
    fs::rename(&git, &main).expect("moved");
    fs::create_dir_all(&own).expect("a folder");
    for file in ["HEAD", "index"] {
        fs::copy(main.join(file), own.join(file)).expect("copied");
    }
    fs::write(own.join("commondir"), "../..\n").expect("written");
    fs::write(own.join("gitdir"), git.display().to_string()).expect("written");
    fs::write(&git, format!("gitdir: {}\n", own.display())).expect("written");
}

const ELSEWHERE: &str = "and the consumer of the document is `consumer`";
const PATCH: &str = "it is a part of one, as a patch is";
const NAMED: &str = "it names the plugin elsewhere than in the source of an Application";

#[rustfmt::skip] // a table
const ROWS: &[Row] = &[
    ("sound Applications", |_| {}, Right),
    // what is not known
    ("in a ConfigMap", |it| it.write("cm.yaml", format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: a }}\ndata:\n  app.yaml: |\n    {}\n", written("consumer").replace('\n', "\n    "))), Named(NAMED)),
    ("Latin-1", |it| it.write("apps/both.yaml", [b"# caf\xe9\n".as_slice(), elsewhere().as_bytes()].concat()), Named("it is not UTF-8")),
    ("Latin-1 in values of a chart", |it| it.write("values.yaml", b"# caf\xe9\nsource: { plugin: { name: argocd-peering } }\n".as_slice()), Named("it is not UTF-8")),
    ("anchors", |it| it.write("both.yaml", elsewhere().replace("project: ", "project: &p ")), Named("anchors and aliases are not taken")),
    ("UTF-16 as PowerShell writes it", |it| it.write(CONSUMER, wide(u16::to_le_bytes)), Named("it is not UTF-8")),
    ("UTF-16, the other way round", |it| it.write(CONSUMER, wide(u16::to_be_bytes)), Named("it is not UTF-8")),
    ("a chart's template", |it| it.write("chart/templates/app.yaml", format!("{{{{- if .Values.on }}}}\n{}{{{{- end }}}}\n", elsewhere())), Named("it is a template of another tool, such as Helm")),
    // in other clothes
    ("JSON", |it| it.write(CONSUMER, serde_json::to_string(&crate::harness::argocd::yaml("argocd-app/consumer.yaml")).expect("JSON").replace("\"name\":\"consumer\",\"namespace\"", "\"name\":\"provider\",\"namespace\"")), Wrong(ELSEWHERE)),
    ("in a chart without templates", |it| { remove(it, CONSUMER); it.write("chart/templates/app.yaml", elsewhere()); }, Wrong(ELSEWHERE)),
    // what Argo CD or the API server refuses
    ("a hidden folder", |it| { remove(it, CONSUMER); it.write(".argocd/consumer.yaml", elsewhere()); }, Wrong(ELSEWHERE)),
    ("a hidden file", |it| { remove(it, CONSUMER); it.write("apps/.consumer.yaml", elsewhere()); }, Wrong(ELSEWHERE)),
    ("an Argo CD in each cluster, by its URL", |it| { own(it, "server: https://kubernetes.default.svc"); }, Noted("give this one a cluster Secret with `server: https://kubernetes.default.svc` and `name: provider`")),
    ("an Argo CD in each cluster, by its own name", |it| { own(it, "name: in-cluster"); }, Wrong("give this one a cluster Secret with `server: https://kubernetes.default.svc` and `name: consumer`")),
    // more of each kind, as people write them
    ("a config map that holds an Application", |it| it.write("cm.yaml", format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: a }}\ndata:\n  app.yaml: |\n    {}\n", elsewhere().replace('\n', "\n    "))), Named(NAMED)),
    ("a destination URL with a slash", |it| { consumer(it, "    name: consumer\n", "    server: https://192.0.2.9:6443/\n"); it.write(PROVIDER, changed(&written("provider"), "    name: provider\n", "    server: https://192.0.2.9:6443\n")); }, Wrong("and so is that of the other role")),
    ("a sealed file of another folder by a link", |it| { remove(it, "peerings/consumer-provider/kubeconfig.age"); std::os::unix::fs::symlink("peering.seed.age", it.root().join("peerings/consumer-provider/kubeconfig.age")).expect("a link"); }, Wrong("links in a repository are not followed")),
    ("a patch without a destination", |it| it.write("overlay/patch.yaml", changed(&written("consumer"), "  destination:\n    name: consumer\n    namespace: liqo-tenant-provider\n", "")), Named(PATCH)),
    // ignored, copied, unused
    ("ignored in this clone only", |it| { it.write(".git/info/exclude", "*.age\n"); it.git(&["rm", "-q", "--cached", "peerings/consumer-provider/kubeconfig.age"]); }, Wrong("line 1 of .git/info/exclude has Git pass over it")),
    ("the same, and an index of version 4", |it| { it.write(".gitignore", "*.age\n"); it.git(&["update-index", "--index-version", "4"]); }, Right),
    ("ignored, and an index of version 4", |it| { it.write(".gitignore", "*.age\n"); it.git(&["update-index", "--index-version", "4"]); it.git(&["rm", "-q", "--cached", "peerings/consumer-provider/kubeconfig.age"]); }, Wrong("`kubeconfig.age` is not committed")),
    ("committed all the same, in a worktree", |it| { it.write(".gitignore", "*.age\n"); apart(it); }, Right),
    ("ignored in the clone of a worktree", |it| { it.write(".git/info/exclude", "*.age\n"); it.git(&["rm", "-q", "--cached", "peerings/consumer-provider/kubeconfig.age"]); apart(it); }, Wrong("`kubeconfig.age` is not committed")),
    ("the document is ignored", |it| { it.write(".gitignore", "peering.yaml\n"); it.git(&["rm", "-q", "--cached", "peerings/consumer-provider/peering.yaml"]); }, Wrong("`peering.yaml` is not committed")),
    ("a byte order mark before a pattern", |it| { it.write(".gitignore", "\u{feff}*.age\n"); it.git(&["rm", "-q", "--cached", "peerings/consumer-provider/kubeconfig.age"]); }, Wrong("line 1 of .gitignore has Git pass over it")),
    ("a folder is ignored", |it| { it.write(".gitignore", "peerings/\n"); it.git(&["rm", "-rq", "--cached", "peerings"]); }, Wrong("line 1 of .gitignore has Git pass over it")),
    ("a merge conflict", |it| { let text = std::fs::read_to_string(it.root().join("peerings/consumer-provider/peering.seed.age")).expect("a file"); it.write("peerings/consumer-provider/peering.seed.age", format!("<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> a\n")); }, Wrong("it has the marks of a merge conflict")),
];

#[test]
fn what_people_write_is_judged_or_named() {
    let mut sample = Sample::new();
    let written = rows(include_str!("spellings.txt"))
        .into_iter()
        .filter(|_| sample.takes())
        .filter_map(try_text);
    let mut wrong: Vec<String> = written.collect();
    wrong.extend(
        ROWS.iter()
            .filter(|_| sample.takes())
            .filter_map(|(what, change, verdict)| {
                let repository = repository();
                change(&repository);
                try_repository(what, &repository, verdict)
            }),
    );
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The same of a row of the text.
fn try_text((change, said): (&'static str, &'static str)) -> Option<String> {
    let (verdict, said) = said.split_once(' ').unwrap_or((said, ""));
    let verdict = match verdict {
        "wrong" => Wrong(said),
        "noted" => Noted(said),
        "named" => Named(said),
        "right" => Right,
        _ => panic!("no row: {change}"),
    };
    let words: Vec<String> = words(change);
    let [what, file, changes @ ..] = &words[..] else {
        panic!("no row: {change}")
    };
    let repository = repository();
    let before = fs::read_to_string(repository.root().join(file)).unwrap_or_default();
    repository.write(file, table::changed(&before, changes));
    try_repository(what, &repository, &verdict)
}

/// What is reported otherwise.
fn try_repository(what: &str, repository: &Repository, verdict: &Verdict) -> Option<String> {
    let validate = |flags: &[&str]| {
        let words = [&["validate", "."], flags].concat();
        repository.command(&words).within(repository.root()).run()
    };
    let (plain, strict) = (validate(&[]), validate(&["--strict"]));
    let has = |words: &str| plain.stderr.contains(words) && strict.stderr.contains(words);
    let codes = (plain.code, strict.code);
    let is_told = match verdict {
        Wrong(words) => codes == (Some(1), Some(1)) && has(words),
        Noted(words) => codes == (Some(0), Some(1)) && has(words),
        Named(words) => {
            codes == (Some(0), Some(1)) && has(words) && strict.stderr.contains("error[not-judged]")
        }
        // the quickstart has values of the examples, which are notes
        Right => {
            plain.code == Some(0)
                && !["[application", "[unused", "not ./"]
                    .iter()
                    .any(|it| plain.stderr.contains(it))
        }
    };
    if !is_told {
        return Some(format!("{what}:\n{plain}\n{strict}"));
    }
    let Named(words) = verdict else {
        return None;
    };
    let diff = repository.diff(&["."]).run();
    let is_told = diff.stdout.contains(words);
    (!is_told).then(|| {
        format!(
            "{what}: diff does not write `{words}`: {diff}{}",
            diff.stdout
        )
    })
}
