//! Each rule between peerings: what breaks it, and what comes close and is right.

use super::document::{found, peering};
use crate::harness::{parts, words};

const NONE: [&str; 0] = [];

/// The peering of a line of `rules.txt`, or the same of two other clusters.
fn written(line: &str, others: Option<[&str; 2]>) -> String {
    let words = words(line);
    let [consumer, provider] = others.unwrap_or([&words[0], &words[1]]);
    let edits = words[2..].chunks(2).map(|pair| {
        let text = &pair[1];
        let under = |line: &str, indent: &str| (line.to_owned(), format!("{line}{indent}{text}\n"));
        let before = |line: &str, text: String| (line.to_owned(), format!("{text}{line}"));
        let instead = |old: &str| (old.to_owned(), text.clone());
        match pair[0].as_str() {
            "name" => (
                format!("name: {consumer}-{provider}\n"),
                format!("name: {text}\n"),
            ),
            side @ ("consumer" | "provider") => under(&format!("  {side}:\n"), "    "),
            "server" => under("    gatewayServer:\n", "      "),
            "namespace" => before(
                "    resourceSlices:\n",
                format!("    namespaces: [{{ {text}, clusters: thisPeer }}]\n"),
            ),
            "offloading" => before("  offloading:\n", text.clone()),
            "networking" => before("  networking:\n", text.clone()),
            "slices" => instead("      - resources: { cpu: \"20\" }\n"),
            "endpoint" => instead("{ serviceType: LoadBalancer }"),
            "version" => instead("liqoVersion: \"1.2\""),
            "pods" => instead("podCIDRs: [10.42.0.0/16]"),
            "external" => instead("10.70.0.0/16"),
            field => panic!("{line}: {field} is not known"),
        }
    });
    let edits: Vec<_> = edits.collect();
    let edits: Vec<_> = edits
        .iter()
        .map(|(from, to)| (from.as_str(), to.as_str()))
        .collect();
    peering(consumer, provider, &edits)
}

#[test]
fn each_rule_is_broken_by_what_breaks_it_alone() {
    for part in parts(include_str!("rules.txt")) {
        let mut lines = part[1..]
            .iter()
            .filter(|it| !it.starts_with("= ") && **it != "elsewhere");
        let mut documents: Vec<_> = lines.clone().map(|line| written(line, None)).collect();
        let expected: Vec<_> = part.iter().filter_map(|it| it.strip_prefix("= ")).collect();
        assert_eq!(found(&documents), expected, "{}", part[0]);
        if part.last() == Some(&"elsewhere") {
            *documents.last_mut().expect("a peering") =
                written(lines.next_back().expect("a line"), Some(["paris", "lyon"]));
            assert_eq!(found(&documents), NONE, "{}", part[0]);
        }
    }
}

#[test]
fn a_hub_and_its_spokes_are_clean() {
    let spokes = ["spoke-1", "spoke-2", "spoke-3", "spoke-4"];
    let provider: Vec<String> = spokes
        .iter()
        .map(|spoke| peering(spoke, "hub", &[]))
        .collect();
    assert_eq!(found(&provider), NONE);
    let consumer: Vec<String> = spokes
        .iter()
        .map(|spoke| peering("hub", spoke, &[]))
        .collect();
    assert_eq!(found(&consumer), NONE);
    let mesh = [
        ("a", "b"),
        ("b", "c"),
        ("c", "a"),
        ("a", "d"),
        ("d", "b"),
        ("c", "d"),
    ];
    let mesh: Vec<String> = mesh
        .iter()
        .map(|(one, other)| peering(one, other, &[]))
        .collect();
    assert_eq!(found(&mesh), NONE);
}

#[test]
fn where_else_a_value_is_written_is_listed_up_to_five() {
    let odd = [("externalCIDR: 10.70.0.0/16", "externalCIDR: 10.71.0.0/16")];
    let five = " and in `rome-b1`, `rome-b2`, `rome-b3`, `rome-b4`, `rome-b5`";
    let more = format!("{five} and 1 more");
    for (count, said) in [(1, ""), (2, " and in `rome-b1`"), (6, five), (7, &more)] {
        let usual = (0..9).map(|it| peering("rome", &format!("a{it}"), &[]));
        let others = (0..count).map(|it| peering("rome", &format!("b{it}"), &odd));
        let documents: Vec<String> = usual.chain(others).collect();
        let message = format!(
            "cluster `rome` has externalCIDR `10.71.0.0/16` here{said}, and `10.70.0.0/16` in 9 others"
        );
        assert_eq!(
            found(&documents),
            [format!(
                "disagreement: {message} | 10.71.0.0/16 | 10.70.0.0/16"
            )]
        );
    }
}
