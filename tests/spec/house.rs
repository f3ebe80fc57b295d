//! The rules of the house, as tests: what reviewers would otherwise have to remember.
//!
//! Each rule is a function from the tree to what is wrong with it. It finds nothing in this repository, and it finds
//! what `planted.txt` has for it in a copy: a rule that cannot fail is none. Only the files are needed, no Git, so the tests also
//! run in an unpacked archive.

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
use crate::harness::{changed, parts, words};

/// A rule finds nothing here, and it finds each fault that is planted.
fn holds(rule: fn(&Tree) -> Vec<String>, name: &str) {
    let tree = Tree::checkout();
    let problems = rule(&tree);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    let faults = parts(include_str!("house/planted.txt")).into_iter().find(|it| it[0] == name);
    for line in &faults.unwrap_or_else(|| panic!("nothing is planted for {name}"))[1..] {
        let (change, complaint) = line.rsplit_once(" => ").expect(line);
        let change = words(change);
        let mut planted = tree.clone();
        let old = planted.text(&change[0]).unwrap_or_default().to_owned();
        let new = changed(&old, &change[1..]);
        assert_ne!(old, new, "{line}: nothing was planted");
        planted.put(&change[0], &new);
        let problems = rule(&planted);
        assert!(problems.iter().any(|it| it.contains(complaint)), "{line}: {problems:?}");
    }
}

#[test]
fn a_file_of_the_program_has_fewer_than_400_lines() {
    holds(sources::lengths, "lengths");
}

#[test]
fn the_owner_has_one_place() {
    holds(names::owner, "owner");
}

#[test]
fn the_lints_that_forbid_panics_are_set_and_nobody_switches_them_off() {
    holds(sources::lints, "lints");
}

#[test]
fn no_other_program_is_run() {
    holds(sources::programs, "programs");
}

#[test]
fn the_code_host_runs_what_ci_run_has() {
    holds(workflows::checks, "checks");
}

#[test]
fn the_programs_of_the_tests_are_listed() {
    holds(machine::programs, "programs of the tests");
}

#[test]
fn what_only_linux_tests_is_counted() {
    holds(machine::linux, "linux");
}

#[test]
fn a_key_of_liqos_is_written_once() {
    holds(sources::keys, "keys");
}

/// What Argo CD runs is the same in 1970 and in 2100.
#[test]
fn only_what_a_person_runs_reads_a_clock() {
    holds(sources::clocks, "clocks");
}

#[test]
fn a_room_imports_only_from_those_below_it() {
    holds(rooms::order, "order");
}

#[test]
fn no_two_files_need_each_other() {
    holds(circles::circles, "circles");
}

#[test]
fn the_map_of_the_rooms_is_whole() {
    holds(rooms::map, "map");
}

#[test]
fn the_picture_of_the_rooms_has_them_in_their_order() {
    holds(rooms::picture, "picture");
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
    holds(sources::judges, "judges");
}

#[test]
fn no_module_is_called_after_nothing() {
    holds(sources::modules, "modules");
}

#[test]
fn templates_and_their_references_belong_together() {
    holds(templates::references, "references");
}

#[test]
fn a_template_prints_whole_scalars() {
    holds(templates::form, "form");
}

#[test]
fn no_file_names_a_machine_or_a_registry() {
    holds(names::machines, "machines");
}

#[test]
fn the_top_level_has_what_belongs_there() {
    holds(names::top_level, "top level");
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
    holds(links::resolve, "resolve");
}

/// Whoever moves a command from a page to another one learns it here, and not after an hour of the scene.
#[test]
fn what_the_scene_reads_from_a_page_is_there() {
    holds(links::played, "played");
}

#[test]
fn every_page_is_found_from_the_readme() {
    holds(links::reachable, "reachable");
}

#[test]
fn every_example_is_told_of_and_has_golden_streams() {
    holds(examples::all, "examples");
}

#[test]
fn a_picture_can_be_read_by_everyone_and_loads_nothing() {
    holds(pictures::form, "pictures");
}

#[test]
fn every_promise_has_tests_that_exist() {
    holds(promises::tests, "promises");
}

#[test]
fn every_event_that_is_played_has_a_line() {
    holds(events::scripts, "events");
}

#[test]
fn a_command_that_the_scene_reads_from_a_page_is_there() {
    holds(events::commands, "commands of pages");
}

#[test]
fn every_page_is_in_the_sites_table_of_contents() {
    holds(links::contents, "contents");
}
