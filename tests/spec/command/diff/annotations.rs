//! The consequences beside the lines of a pull request, and what was not compared.

use crate::harness::{Outcome, Repository};
use serde_json::Value;

const FOLDER: &str = "peerings/rome";
const DOCUMENT: &str = "peerings/rome/peering.yaml";

fn diff(repository: &Repository, format: &str) -> Outcome {
    repository.diff(&["peerings", "--format", format]).run()
}

fn json(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{outcome}"))
}

/// Five objects lose their protection, and it is one annotation; what is harmless is none.
#[test]
fn a_consequence_is_one_annotation() {
    let repository = Repository::new(FOLDER);
    repository.edit(DOCUMENT, "  liqoVersion:", "  protection: none\n  liqoVersion:");
    let outcome = diff(&repository, "github");
    outcome.ends(1);
    let start = "::warning file=rome/peering.yaml,line=1,endLine=1,col=1,endColumn=1,title=loses-protection::consumer: ";
    assert!(outcome.stdout.starts_with(start), "{outcome}");
    assert!(
        outcome.stdout.ends_with(" and 4 more: Argo CD will no longer ask before it deletes this object.\n")
    );
    assert_eq!(outcome.stdout.lines().count(), 1, "{outcome}");
    let sarif = json(&diff(&repository, "sarif"));
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "loses-protection");
    assert_eq!(sarif["runs"][0]["results"][0]["level"], "warning");
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(rule["shortDescription"]["text"], "Something is deleted without being asked for from now on.");
    assert_eq!(json(&diff(&repository, "gitlab"))[0]["check_name"], "loses-protection");
    repository.commit();
    // the other way round takes nothing
    repository.edit(DOCUMENT, "  protection: none\n", "");
    let outcome = diff(&repository, "github");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""), "{outcome}");
}

/// The worst comes first: a code host shows ten.
#[test]
fn the_worst_consequence_comes_first() {
    let repository = Repository::new(FOLDER);
    std::fs::remove_dir_all(repository.root().join(FOLDER)).expect("removed");
    let outcome = diff(&repository, "github");
    assert!(outcome.stdout.starts_with("::warning file=rome/peering.yaml"), "{outcome}");
    outcome.prints("title=deletes-data::This peering was not drained.");
    let titles: Vec<&str> = outcome.stdout.lines().filter_map(|it| it.split("title=").nth(1)).collect();
    assert!(titles[0].starts_with("deletes-data"), "{titles:?}");
}

/// A file that is not read is no file without Applications, in each form.
#[test]
fn what_was_not_compared_is_in_each_form() {
    let repository = Repository::new(FOLDER);
    let large = format!("apiVersion: argoproj.io/v1alpha1\nkind: Application\n# {}\n", "x".repeat(5 << 20));
    repository.write("peerings/large.yaml", large);
    let outcome = diff(&repository, "text");
    let last =
        "1 peering judged; not large.yaml: it has more than 4 MiB, so Applications in it were not compared\n";
    assert!(outcome.stdout.ends_with(last), "{outcome}");
    let report = json(&diff(&repository, "json"));
    assert_eq!(report["notJudged"][0]["asked"], true, "{report}");
    assert_eq!(report["judged"][0], serde_json::json!({ "kind": "file", "judged": 0, "of": 1 }), "{report}");
    for format in ["github", "sarif", "gitlab", "markdown"] {
        let outcome = diff(&repository, format);
        assert!(outcome.stdout.contains("it has more than 4 MiB"), "{format}: {outcome}");
    }
}

/// A report that has something there always is not read.
#[test]
fn nothing_is_left_out_where_all_was_compared() {
    let repository = Repository::new(FOLDER);
    let report = json(&diff(&repository, "json"));
    assert_eq!(report["notJudged"], serde_json::json!([]), "nothing was sealed again: {report}");
}
