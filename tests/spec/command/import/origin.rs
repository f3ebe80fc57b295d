//! What the document would not be valid with is an error at the manifest: its file, its object, its field.

use super::{guides, imported, replaced};
use crate::harness::words;

#[test]
fn a_mistake_is_named_at_the_manifest_and_its_field() {
    for line in include_str!("origin.txt").lines().filter(|it| !it.is_empty() && !it.starts_with('#')) {
        let (change, named) = line.split_once(" => ").expect(line);
        let change = words(change);
        let role = usize::from(change[0] == "provider");
        let mut texts = guides();
        texts[role] = replaced(&texts[role], &change[1], &change[2]);
        let outcome = imported(&texts, &[]);
        let file = if role == 0 { "consumer.yaml" } else { "provider.yaml" };
        let (before, after) = named.split_once("FILE").expect("a place");
        outcome.fails(1, "manifests").says(before).says(&format!("{file}{after}")).silent_on("as imported");
        assert_eq!(outcome.stdout, "");
    }
}

/// A Configuration of one side is no error of the other side's.
#[test]
fn a_side_without_a_configuration_is_named() {
    let [consumer, provider] = guides();
    let start = consumer.find("apiVersion: networking.liqo.io/v1beta1\nkind: Configuration").expect("it");
    let end = start + consumer[start..].find("---").expect("the next");
    let text = format!("{}{}", &consumer[..start], &consumer[end..]);
    let outcome = imported(&[text, provider], &[]);
    outcome.fails(1, "manifests").says("consumer has no Configuration for provider");
    outcome.silent_on("externalCIDR");
}
