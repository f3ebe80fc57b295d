//! Made peerings, all of which work: `doctor` finds nothing in them, and with one fault what it finds of the quickstart with
//! it. `diff` sees a change exactly where a stream changes.

use super::clusters::Clusters;
use super::{ends, scenarios};
use crate::harness::{Run, Sample, committed, library, lines, put, words};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The parts of the quickstart, and behind each what may stand in its place.
static CHOICES: LazyLock<Vec<Vec<String>>> =
    LazyLock::new(|| lines(include_str!("made.txt")).map(words).collect());

/// A peering, by what is chosen of each part: nothing, or one of what may stand there.
#[derive(Clone, PartialEq)]
struct Made(Vec<usize>);

/// Numbers that look random and are the same each time (Marsaglia, "Xorshift RNGs", 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn hundred(mut self) -> impl Iterator<Item = Made> {
        Sample::new().of((0..100).map(move |_| self.peering()))
    }

    fn peering(&mut self) -> Made {
        Made(
            CHOICES
                .iter()
                .map(|choice| self.below(choice.len()))
                .collect(),
        )
    }
}

impl Made {
    fn document(&self) -> String {
        let quickstart = committed("examples/quickstart/peering.yaml");
        self.0
            .iter()
            .zip(&*CHOICES)
            .fold(quickstart, |document, (chosen, choice)| {
                let made = document.replacen(&choice[0], &choice[*chosen], 1);
                assert!(
                    *chosen == 0 || made != document,
                    "{} is in the quickstart",
                    choice[0]
                );
                made
            })
    }

    /// The least of it of which this is still wrong.
    #[track_caller]
    fn holds(mut self, problem: impl Fn(&Self) -> Option<String>) {
        let Some(mut found) = problem(&self) else {
            return;
        };
        for at in 0..CHOICES.len() {
            let mut less = self.clone();
            less.0[at] = 0;
            if let Some(still) = (less != self).then(|| problem(&less)).flatten() {
                (self, found) = (less, still);
            }
        }
        panic!("{:?}: {found}\n{}", self.0, self.document());
    }
}

/// How many errors and warnings of each check there are.
fn found(clusters: &Clusters) -> BTreeMap<String, usize> {
    let outcome = clusters.doctor();
    let shown = ends(&outcome, i32::from(outcome.stdout.contains("error[")));
    let mut count = BTreeMap::new();
    let codes = shown
        .lines()
        .filter_map(|line| line.trim_start().split_once("]: "));
    for (code, _) in
        codes.filter(|(code, _)| code.starts_with("error[") || code.starts_with("warning["))
    {
        *count.entry(code.to_owned()).or_default() += 1;
    }
    count
}

#[test]
fn nothing_is_found_of_what_works() {
    for made in Numbers(1).hundred() {
        made.holds(|made| {
            let found = found(&Clusters::of_document(&made.document()));
            (!found.is_empty()).then(|| format!("{found:?}"))
        });
    }
}

/// The faults of which the quickstart has one finding.
#[test]
fn one_fault_is_one_finding() {
    let (mut numbers, mut sample, mut alone) = (Numbers(2), Sample::new(), 0);
    for scenario in scenarios() {
        let mut made = numbers.peering();
        if scenario.changes.iter().any(|it| it.contains("liqo:v")) {
            // a cluster below the document's `liqoVersion` is another finding
            made.0[0] = 0;
        }
        let with_fault = |mut clusters: Clusters| {
            clusters.change(&scenario.changes);
            found(&clusters)
        };
        if !sample.takes() {
            continue;
        }
        let wanted = with_fault(Clusters::healthy());
        if wanted.values().sum::<usize>() == 1 {
            alone += 1;
            made.holds(|made| {
                let found = with_fault(Clusters::of_document(&made.document()));
                (found != wanted).then(|| format!("{}: {found:?}", scenario.line))
            });
        }
    }
    assert!(alone >= sample.share(40), "{alone}");
}

/// What two folders' documents differ in.
fn diff(documents: [&str; 2]) -> String {
    let temp = crate::harness::machine::folder();
    let folders = ["before", "after"].map(|name| temp.path().join(name));
    for (folder, document) in folders.iter().zip(documents) {
        put(folder.join("peering.yaml"), document);
    }
    let outcome = Run::new(["diff"]).args(folders).run();
    assert!(matches!(outcome.code, Some(0 | 1)), "{outcome}");
    outcome.stdout
}

const SAME: &str = "No object changes in 1 peering.\n";

/// The same document in JSON: without comments, with quotes, its fields in another order.
#[test]
fn what_is_written_in_another_way_is_no_change() {
    for made in Numbers(3).hundred() {
        made.holds(|made| {
            let document = made.document();
            let read: Value = serde_saphyr::from_str(&document).expect("YAML");
            let shown = diff([&document, &read.to_string()]);
            (shown != SAME).then_some(shown)
        });
    }
}

#[test]
fn a_change_is_seen_where_a_stream_changes() {
    let (mut numbers, mut sample) = (Numbers(4), Sample::new());
    let streams = |document: &str| library::streams(document).expect("streams");
    let mut count = [0; 2];
    for _ in 0..150 {
        let (made, at) = (numbers.peering(), numbers.below(CHOICES.len()));
        let chosen = numbers.below(CHOICES[at].len());
        if sample.takes() {
            let both = |made: &Made| {
                let mut other = made.clone();
                other.0[at] = chosen;
                [made.document(), other.document()]
            };
            let is_change = |[before, after]: &[String; 2]| streams(before) != streams(after);
            count[usize::from(is_change(&both(&made)))] += 1;
            made.holds(|made| {
                let documents = both(made);
                let shown = diff(documents.each_ref().map(String::as_str));
                // a peering's name is in no stream, and who names Applications by it is told
                let is_same =
                    shown == SAME || shown.contains("\nChanges in 1 of 1 peering: no object.");
                (is_change(&documents) == is_same).then_some(shown)
            });
        }
    }
    assert!(
        count.iter().all(|it| *it > 0),
        "without and with a change: {count:?}"
    );
}
