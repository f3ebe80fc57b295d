//! A link of a checkout chooses no place: anyone with push access can make one, and it leads anywhere.

use crate::harness::{Repository, Run, put};
use std::fs;
use std::os::unix::fs::symlink;

const REFUSED: &str = "peerings: it is a symbolic link";

fn in_root(repository: &Repository, words: &[&str]) -> Run {
    Run::new(words.iter().copied())
        .within(repository.root())
        .env("PATH", std::env::var_os("PATH").expect("a PATH"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", repository.temp())
}

/// The gate of a review would compare `staging` with itself, while Argo CD prunes what `peerings` had.
#[test]
fn a_folder_that_becomes_a_link_is_not_compared_as_what_it_leads_to() {
    let repository = Repository::new("peerings/rome-milan");
    repository.copy_of_quickstart("staging/rome-milan");
    repository.commit();
    fs::remove_dir_all(repository.root().join("peerings")).expect("removed");
    symlink("staging", repository.root().join("peerings")).expect("a link");
    repository.commit();
    for words in [
        &["--from", "HEAD~1", "--to", "HEAD", "peerings"][..],
        &["--from", "HEAD~1", "--to", "HEAD", "--fail-on", "harmless", "peerings/rome-milan"],
        &["--from", "HEAD~1", "peerings"],
        &["staging", "peerings"],
    ] {
        repository.diff(words).run().fails(3, "file").says(REFUSED);
    }
    // what is there is compared
    let outcome = repository.diff(&["--from", "HEAD~1", "--to", "HEAD", "."]).run();
    outcome.ends(1).prints("deletes data");
}

/// Nothing is judged, and nothing is written, where a link leads.
#[test]
fn nothing_is_judged_or_written_where_a_link_leads() {
    let repository = Repository::new("peerings/rome-milan");
    let elsewhere = repository.temp().join("elsewhere");
    fs::rename(repository.root().join("peerings"), &elsewhere).expect("moved");
    symlink(&elsewhere, repository.root().join("peerings")).expect("a link");
    repository.commit();
    let document = elsewhere.join("rome-milan/peering.yaml");
    let slip = fs::read_to_string(&document).expect("a document").replace("10.42.0.0/16", "10.42.3.0/16");
    for words in [
        &["validate", "peerings"][..],
        &["validate", "--fix", "--allow-dirty", "peerings/rome-milan/peering.yaml"],
        &["list", "peerings"],
        &["graph", "peerings"],
        &["ports", "peerings"],
        &["rights", "peerings", "--cluster", "consumer"],
        &["fleet", "import", "peerings"],
        &["seed", "rotate-due", "peerings", "--older-than", "0d"],
    ] {
        put(&document, &slip);
        in_root(&repository, words).run().fails(3, "file").says(REFUSED);
        assert_eq!(fs::read_to_string(&document).expect("a document"), slip, "{words:?}");
    }
    let before = fs::read_dir(elsewhere.join("rome-milan")).expect("a folder").count();
    let recipient = "age1tf0pltjzlulg8v9xu5hxrdle7gjuuvrf7dnqpk3l25kskkwleayq2sm9js";
    let output = "peerings/rome-milan/new.age";
    let seal = ["seed", "new", output, "--recipient", recipient, "--clusters", "rome,milan"];
    in_root(&repository, &seal).run().fails(3, "file").says("a symbolic link is on the way there");
    assert_eq!(fs::read_dir(elsewhere.join("rome-milan")).expect("a folder").count(), before);
}

/// Outside of a checkout a link is the person's own.
#[test]
fn a_link_to_a_checkout_is_followed() {
    let repository = Repository::new("peerings/rome-milan");
    symlink(repository.root(), repository.temp().join("link")).expect("a link");
    Run::new(["validate", "link/peerings"]).within(repository.temp()).run().done();
}
