//! The rules of the house, as tests: what reviewers would otherwise have to remember.
//!
//! Each rule is a function from the tree to what is wrong with it. It finds nothing in this repository, and it finds
//! what is planted into a copy: a rule that cannot fail is none. Only the files are needed, no Git, so the tests also run
//! in an unpacked archive.

mod circles;
mod compatibility;
mod events;
mod examples;
mod links;
mod machine;
mod names;
mod pictures;
mod promises;
mod rooms;
mod sources;
mod templates;
mod tree;
mod workflows;

use self::tree::Tree;

/// A rule: what is wrong with a tree.
type Rule = fn(&Tree) -> Vec<String>;

/// What is planted: a file, its new text, made of the old one, and a part of the complaint.
type Fault<'f> = (&'f str, fn(&str) -> String, &'f str);

/// A rule finds nothing here, and it finds each of these faults.
fn holds(rule: Rule, faults: &[Fault<'_>]) {
    let tree = Tree::checkout();
    let problems = rule(&tree);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    for (file, fault, complaint) in faults {
        let mut planted = tree.clone();
        let old = planted.text(file).unwrap_or_default().to_owned();
        let new = fault(&old);
        assert_ne!(old, new, "{file}: nothing was planted");
        planted.put(file, &new);
        let problems = rule(&planted);
        assert!(problems.iter().any(|it| it.contains(complaint)), "{file}: no `{complaint}` in {problems:?}");
    }
}

#[test]
fn a_file_of_the_program_has_fewer_than_400_lines() {
    holds(
        sources::lengths,
        &[
            (
                "src/stream/emit.rs",
                |text| format!("{}{text}", "// more\n".repeat(400)),
                "src/stream/emit.rs has",
            ),
            // tests do not count, and what follows them does
            (
                "src/new.rs",
                |_| format!("#[cfg(test)]\nmod tests {{\n}}\n{}", "//\n".repeat(400)),
                "has 400 lines",
            ),
        ],
    );
}

#[test]
fn the_owner_has_one_place() {
    holds(
        names::owner,
        &[
            ("docs/command.md", |text| text.replacen("github.com/", "github.com/x-", 1), "x-"),
            ("docs/verify.md", |text| text.replacen("--repo ", "--repo x-", 1), "x-"),
            ("docs/command.md", |text| text.replacen("ghcr.io/", "ghcr.io/x-", 1), "x-"),
            (".github/CODEOWNERS", |text| text.replacen(" @", " @x-", 1), "x-"),
        ],
    );
}

#[test]
fn the_lints_that_forbid_panics_are_set_and_nobody_switches_them_off() {
    holds(
        sources::lints,
        &[
            ("Cargo.toml", |text| text.replace("unwrap_used = \"warn\"", ""), "unwrap_used"),
            (
                "Cargo.toml",
                |text| text.replace("unsafe_code = \"forbid\"", "unsafe_code = \"warn\""),
                "unsafe_code",
            ),
            (".ci/run", |text| text.replace("-D warnings", ""), ".ci/run"),
            (
                "src/stream/emit.rs",
                |text| format!("#[allow(clippy::unwrap_used)]\n{text}"),
                "src/stream/emit.rs:1",
            ),
            (
                "src/stream/emit.rs",
                |text| format!("#[expect(\n    clippy::panic\n)]\n{text}"),
                "src/stream/emit.rs:2",
            ),
        ],
    );
}

#[test]
fn no_other_program_is_run() {
    holds(
        sources::programs,
        &[
            ("src/new.rs", |_| String::from("use std::process::Command;\n"), "src/new.rs:1"),
            (
                "src/custody.rs",
                |text| format!("{text}fn f() {{ Command::new(\"git\") }}\n"),
                "src/custody.rs",
            ),
        ],
    );
}

#[test]
fn the_code_host_runs_what_ci_run_has() {
    holds(
        workflows::checks,
        &[
            (".github/workflows/ci.yml", |text| text.replace(" sidecar", ""), "ci.yml does not run sidecar"),
            (
                ".github/workflows/nightly.yml",
                |text| text.replace(" bench", ""),
                "nightly.yml does not run bench",
            ),
            (".github/workflows/nightly.yml", |text| text.replace("--whole tests", "tests"), "not run tests"),
            (".github/workflows/ci.yml", |text| text.replace(" deny", " denny"), "has no check denny"),
            (".ci/run", |text| text.replace("\nrest=(", "\nother=("), "has no lists"),
            (".github/workflows/release.yml", |text| text.replace("nightly.yml", "x.yml"), "nightly.yml"),
            (
                ".github/workflows/site.yml",
                |text| text.replace("group: site", "cancel-in-progress: true"),
                "without a result",
            ),
        ],
    );
}

#[test]
fn the_programs_of_the_tests_are_listed() {
    holds(
        machine::programs,
        &[
            ("CONTRIBUTING.md", |text| text.replace("`setsid`", "`x`"), "does not list setsid"),
            ("tests/spec/new.rs", |_| concat!("Command::new", "(\"awk\")").to_owned(), "tests/spec/new.rs"),
        ],
    );
}

#[test]
fn what_only_linux_tests_is_counted() {
    const LINUX: &str = "#[cfg(target_os = \"linux\")]";
    holds(
        machine::linux,
        &[
            (
                "tests/spec/main.rs",
                |text| text.replace("    mod export;", &format!("    {LINUX}\n    mod export;")),
                "command/export.rs",
            ),
            ("tests/spec/command/process.rs", |text| format!("{text}#[test]\n"), "command/process.rs with 4"),
            (
                "tests/spec/input/text.rs",
                |text| format!("{LINUX}\n{text}"),
                "tests/spec/input/text.rs is for",
            ),
        ],
    );
}

#[test]
fn a_key_of_liqos_is_written_once() {
    holds(
        sources::keys,
        &[(
            "src/rules/selectors.rs",
            |text| format!("{text}const A: &str = \"liqo.io/type\";\n"),
            "`liqo.io/type` belongs to src/peering/names.rs",
        )],
    );
}

/// What Argo CD runs is the same in 1970 and in 2100.
#[test]
fn only_what_a_person_runs_reads_a_clock() {
    holds(
        sources::clocks,
        &[(
            "src/custody/open.rs",
            |text| format!("{text}use std::time::SystemTime;\n"),
            "src/custody/open.rs",
        )],
    );
}

#[test]
fn a_room_imports_only_from_those_below_it() {
    holds(
        rooms::order,
        &[
            (
                "src/diagnostic/planted.rs",
                |_| String::from("//! One.\n\nuse crate::command::run;\n"),
                "src/diagnostic/planted.rs:3: `diagnostic` imports from `command`, which is above it",
            ),
            (
                "src/argocd/planted.rs",
                |_| {
                    String::from(
                        "use crate::{\n    input::folder::{Folder, Links},\n    stream::plan::Plan,\n};\n",
                    )
                },
                "src/argocd/planted.rs:1: `argocd` imports from `stream`",
            ),
            (
                "src/rules/planted.rs",
                |_| String::from("fn a() {\n    // crate::cli\n    crate::custody::keys::b();\n}\n"),
                "src/rules/planted.rs:3: `rules` imports from `custody`",
            ),
            (
                "src/input/planted.rs",
                |_| String::from("use super::super::peering::Peering;\n"),
                "from `peering`",
            ),
            (
                "src/uri.rs",
                |text| format!("{text}\nuse super::document::parse;\n"),
                "`uri` imports from `document`",
            ),
            (
                "src/diagnostic/planted.rs",
                |_| String::from("macro_rules! a { () => { $crate::cli::b() } }\n"),
                "from `cli`",
            ),
            ("src/stray/planted.rs", |_| String::from("use crate::cli::Cli;\n"), "`stray` is not a room"),
        ],
    );
}

#[test]
fn no_two_files_need_each_other() {
    holds(
        circles::circles,
        &[
            (
                "src/object/quote.rs",
                |text| format!("{text}\nuse super::meta::Meta;\n"),
                "src/object/meta.rs and `object/quote` need each other",
            ),
            // by a name that is handed on, and by way of others
            (
                "src/peering/names.rs",
                |text| format!("{text}\nuse crate::peering::{{Material, Role}};\n"),
                "src/peering/names.rs needs `peering/plan`, which needs it by way of others",
            ),
            (
                "src/custody/terms/term.rs",
                |text| text.replace("use super::spelling::{delivery, literal, namespace, path, repo};", ""),
                "`custody/terms/spelling` and `custody/terms/term` no longer need each other",
            ),
        ],
    );
}

#[test]
fn the_map_of_the_rooms_is_whole() {
    holds(
        rooms::map,
        &[("src/lib.rs", |text| text.replace("//! - `rules`", "//! - `rule`"), "`rules` has no line")],
    );
}

#[test]
fn the_picture_of_the_rooms_has_them_in_their_order() {
    const PICTURE: &str = "docs/pictures/rooms.svg";
    holds(
        rooms::picture,
        &[
            (PICTURE, |text| text.replace(">rules/<", ">rule/<"), "rule"),
            (
                PICTURE,
                |text| text.replace(">main<", ">x<").replace(">uri<", ">main<"),
                "docs/pictures/rooms.svg",
            ),
        ],
    );
}

/// What only looks like an import from above.
#[test]
fn what_is_below_or_no_code_is_no_import_from_above() {
    let mut tree = Tree::checkout();
    for (path, text) in [
        (
            "src/rules/planted.rs",
            "use crate::peering::{cidr::Cidr, name::Namespace};\nuse crate::diagnostic::Code;\n",
        ),
        (
            "src/diagnostic/planted.rs",
            "//! [`run`](crate::command::run)\n/// crate::cli\nfn a() {} // crate::cli::Cli\n",
        ),
        ("src/diagnostic/other.rs", "#[cfg(test)]\nmod tests {\n    use crate::cli::Cli;\n}\n"),
        (
            "src/input/deep/planted.rs",
            "use super::super::cli;\nuse super::command;\nuse mycrate::cli::Cli;\n",
        ),
        ("src/document/tests.rs", "use crate::cli::Cli;\n"),
    ] {
        tree.put(path, text);
    }
    assert_eq!(rooms::order(&tree), rooms::order(&Tree::checkout()));
}

#[test]
fn a_judge_reads_nothing_but_what_it_is_given() {
    holds(
        sources::judges,
        &[
            (
                "src/judge/applications/way.rs",
                |text| format!("{text}fn f() {{ path.is_file(); }}\n"),
                "way.rs:",
            ),
            ("src/judge/new.rs", |_| String::from("use std::fs;\n"), "src/judge/new.rs:1: a judge reads"),
            ("src/command/validate/copies.rs", |text| format!("{text}// Git::of\n"), "copies.rs:"),
        ],
    );
}

#[test]
fn no_module_is_called_after_nothing() {
    holds(
        sources::modules,
        &[
            ("src/utils.rs", |_| String::from("//!\n"), "src/utils.rs"),
            ("src/stream/emit/helpers/one.rs", |_| String::from("//!\n"), "src/stream/emit/helpers"),
            ("src/stream/emit.rs", |text| format!("{text}mod common {{}}\n"), "mod common"),
        ],
    );
}

#[test]
fn templates_and_their_references_belong_together() {
    holds(
        templates::references,
        &[
            ("src/peering/quota.yaml.j2", |_| String::from("kind: \"Quota\"\n"), "quota"),
            (
                "src/peering/authentication/tenant.rs",
                |text| text.replace("\"tenant.yaml.j2\"", "\"tenants.yaml.j2\""),
                "tenants",
            ),
        ],
    );
}

#[test]
fn a_template_prints_whole_scalars() {
    const CONFIGURATION: &str = "src/peering/networking/configuration.yaml.j2";
    holds(
        templates::form,
        &[
            (
                CONFIGURATION,
                |text| text.replace("{{ spec.external }}", "\"{{ spec.external }}\""),
                "not a whole scalar",
            ),
            (
                CONFIGURATION,
                |text| text.replace("{{ spec.external }}", "x-{{ spec.external }}"),
                "not a whole scalar",
            ),
            (
                CONFIGURATION,
                |text| text.replace("{{ spec.external }}", "{{ spec.external }}-x"),
                "not a whole scalar",
            ),
            (
                CONFIGURATION,
                |text| text.replace("{{ spec.external }}", "{{ spec.external | safe }}"),
                "a filter",
            ),
            (
                CONFIGURATION,
                |text| text.replace("{{ spec.external }}", "{{ spec.external|safe }}"),
                "a filter",
            ),
            (CONFIGURATION, |text| text.replace("{{ spec.external }}", "{{spec.external}}"), "a filter"),
            (
                CONFIGURATION,
                |text| text.replace("{{ spec.external }}", "{{ spec.external|block(2) }}"),
                "a filter",
            ),
            (CONFIGURATION, |text| text.replace("{{ metadata }}", "{{ spec.metadata }}"), "the metadata"),
            (CONFIGURATION, |text| text.replace("    {% endfor %}", "x {% endfor %}"), "a line of its own"),
            (CONFIGURATION, |text| format!("---\n{text}"), "begins with"),
            (CONFIGURATION, |text| text.replace("\"Configuration\"", "Configuration"), "begins with"),
            (CONFIGURATION, |text| text.trim_end().to_owned(), "end of line"),
            (CONFIGURATION, |text| text.replacen("  remote", "\tremote", 1), "a tab"),
        ],
    );
}

#[test]
fn no_file_names_a_machine_or_a_registry() {
    holds(
        names::machines,
        &[
            ("README.md", |text| format!("{text}see {}here\n", concat!("/wo", "rk/")), "README.md"),
            (".ci/run", |text| format!("{text}ls {}x\n", concat!("../sha", "red/")), ".ci/run"),
            (
                "src/stream/emit.rs",
                |text| format!("{text}// {}x\n", concat!("/tmp", "/wt-x/")),
                "src/stream/emit.rs",
            ),
            (
                "docs/custody.md",
                |text| format!("{text}https://pypi.internal.corp/simple\n"),
                "pypi.internal.corp",
            ),
            (
                "Cargo.lock",
                |text| text.replacen("https://github.com/rust-lang/crates.io-index", "https://x.y/index", 1),
                "Cargo.lock",
            ),
            (
                ".cargo/config.toml",
                |_| String::from("[source.crates-io]\nreplace-with = \"x\"\n"),
                "replace-with",
            ),
        ],
    );
}

#[test]
fn the_top_level_has_what_belongs_there() {
    holds(
        names::top_level,
        &[
            ("notes.txt", |_| String::from("x"), "notes.txt"),
            ("scripts/build.sh", |_| String::from("x"), "scripts"),
        ],
    );
}

#[test]
fn what_must_be_there_is_there() {
    let mut tree = Tree::checkout();
    tree.remove("LICENSE");
    let problems = names::top_level(&tree);
    assert!(problems.iter().any(|it| it.contains("LICENSE")), "{problems:?}");
}

#[test]
fn every_relative_link_leads_somewhere() {
    holds(
        links::resolve,
        &[
            ("README.md", |text| format!("{text}[x](docs/nowhere.md)\n"), "docs/nowhere.md"),
            ("docs/custody.md", |text| format!("{text}[x](../../outside.md)\n"), "outside.md"),
            (
                "docs/custody.md",
                |text| format!("{text}[x](teardown.md#no-such-heading)\n"),
                "#no-such-heading",
            ),
            (
                "docs/teardown.md",
                |text| text.replace("### Workload Namespaces", "### Others"),
                "#workload-namespaces",
            ),
            ("README.md", |text| format!("{text}[x]: docs/nowhere.md\n"), "docs/nowhere.md"),
        ],
    );
}

/// Whoever moves a command from a page to another one learns it here, and not after an hour of the scene.
#[test]
fn what_the_scene_reads_from_a_page_is_there() {
    holds(
        links::played,
        &[(
            "docs/howto/take-down.md",
            |text| text.replace("# the consumer has released everything", "# all released"),
            "docs/howto/take-down.md has no `# the consumer has released everything`",
        )],
    );
}

#[test]
fn every_page_is_found_from_the_readme() {
    holds(
        links::reachable,
        &[
            ("docs/stray.md", |_| String::from("# Stray\n"), "docs/stray.md"),
            // a page that links itself is not found by that
            ("docs/stray.md", |_| String::from("# Stray\n[me](stray.md)\n"), "docs/stray.md"),
            (
                "docs/concept.md",
                |text| text.replace("pictures/rotation.svg", "pictures/flow.svg"),
                "docs/pictures/rotation.svg",
            ),
        ],
    );
}

#[test]
fn every_example_is_told_of_and_has_golden_streams() {
    holds(
        examples::all,
        &[
            ("examples/new/peering.yaml", |_| String::from("kind: Peering\n"), "examples/new is not linked"),
            (
                "examples/new/peering.yaml",
                |_| String::from("kind: Peering\n"),
                "tests/golden/new/consumer.yaml",
            ),
            (
                "examples/hub-and-spoke/spoke-4/peering.yaml",
                |_| String::from("x"),
                "tests/golden/spoke-4/provider.yaml",
            ),
            (
                "examples/README.md",
                |text| text.replace("](quickstart/", "](everything/"),
                "examples/quickstart is not linked",
            ),
        ],
    );
}

#[test]
fn a_picture_can_be_read_by_everyone_and_loads_nothing() {
    const FLOW: &str = "docs/pictures/flow.svg";
    holds(
        pictures::form,
        &[
            (FLOW, |text| text.replace("<desc id", "<p id"), "has no <desc"),
            (
                FLOW,
                |text| text.replace("font-size: 16px", "font-size: 15px"),
                "a telephone shows its text in 11.2 pixels",
            ),
            (FLOW, |text| text.replace("scheme: dark", "scheme: light"), "has no prefers-color-scheme: dark"),
            (FLOW, |text| text.replace("</svg>", "<script/></svg>"), "has <script"),
            (FLOW, |text| text.replace("</svg>", "<image href=\"x\"/></svg>"), "has href"),
        ],
    );
}

#[test]
fn every_promise_has_tests_that_exist() {
    holds(
        promises::tests,
        &[
            (
                "tests/spec/command/determinism.rs",
                |text| text.replace("fn again()", "fn once()"),
                "no test `again`",
            ),
            ("docs/promises.md", |text| text.replace("`nothing", "`something"), "no test `something"),
            ("docs/promises.md", |text| text.replace("determinism.rs", "other.rs"), "other.rs has no test"),
            ("docs/promises.md", |text| text.replace("| **No secret", "| No secret"), "has 4 promises"),
        ],
    );
}

#[test]
fn every_event_that_is_played_has_a_line() {
    holds(
        events::scripts,
        &[
            ("tests/scene/events/99-new.sh", |_| String::from("# New\n"), "does not have 99-new"),
            ("tests/scene/README.md", |text| text.replace("`10-namespace`", "`10-other`"), "has 10-other"),
        ],
    );
}

#[test]
fn every_page_is_in_the_sites_table_of_contents() {
    holds(
        links::contents,
        &[
            ("docs/SUMMARY.md", |text| text.replace("](faq.md)", "](concept.md)"), "docs/faq.md"),
            ("docs/new.md", |_| String::from("# New\n"), "docs/new.md is not in"),
        ],
    );
}
