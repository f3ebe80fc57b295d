//! A secret in the place of each value, in each way that YAML has to write one; and at every place of the quickstart's document, pasted by a
//! hand that slipped.

use super::canary::{CANARIES, Canary, HEX, IDENTITY, KEY, screen};
use crate::harness::{Sample, document, edited, lines};
use std::sync::LazyLock;

/// Every field that there is, one a line.
const EVERY_FIELD: &str = include_str!("every-field.yaml");

/// The ways to write a value. `@` is the secret.
static WAYS: LazyLock<Vec<String>> = LazyLock::new(|| {
    lines(include_str!("ways.txt"))
        .map(|way| serde_json::from_str(way).expect(way))
        .collect()
});

/// Every place of a value in the document: where the key begins, where the value begins, and where it ends.
fn values() -> Vec<(usize, usize, usize)> {
    let mut offset = 0;
    let mut values = Vec::new();
    for line in EVERY_FIELD.split_inclusive('\n') {
        let code = line.trim_end();
        let key = offset + code.len() - code.trim_start().trim_start_matches("- ").len();
        if let Some((head, _)) = code.split_once(": ") {
            values.push((key, offset + head.len() + 2, offset + code.len()));
        } else if !code.ends_with(':') {
            values.push((key, key, offset + code.len()));
        }
        offset += line.len();
    }
    values
}

fn with(value: (usize, usize, usize), way: &str, canary: Canary) -> [String; 2] {
    let (key, start, end) = value;
    let part = |from: usize, to: usize| EVERY_FIELD.get(from..to).expect("a part");
    let written = way.replace('@', canary.text);
    // as it is, and under a name that no field has, so that this line is shown
    ["", "not-"].map(|misspelt| {
        let misspelt = if key == start { "" } else { misspelt };
        let (head, tail) = (part(0, key), part(end, EVERY_FIELD.len()));
        format!("{head}{misspelt}{}{written}{tail}", part(key, start))
    })
}

#[test]
fn the_document_of_every_field_is_right() {
    assert_eq!(screen(EVERY_FIELD), "");
    assert!(values().len() > 45, "{}", values().len());
}

/// Every place in every way, with one of the canaries; every canary comes to every place and is written in every way.
#[test]
fn a_secret_in_the_place_of_each_value() {
    let (mut cases, mut shown) = (0, 0);
    let mut sample = Sample::new();
    for (place, value) in values().into_iter().enumerate() {
        for (number, way) in WAYS.iter().enumerate() {
            let canary = [KEY, IDENTITY, HEX][(place + number) % 3];
            for document in with(value, way, canary) {
                if !sample.takes() {
                    continue;
                }
                let screen = screen(&document);
                canary.is_hidden_in(&screen, format_args!("{way} at byte {}", value.1));
                cases += 1;
                shown += usize::from(screen.contains("****"));
            }
        }
    }
    assert!(
        shown > cases / 2,
        "the places are shown: {shown} of {cases}"
    );
}

/// Every place that is not inside of a word of the document's comments, which no error is about.
fn places(document: &str) -> Vec<usize> {
    let mut offset = 0;
    let mut places = Vec::new();
    for line in document.split_inclusive('\n') {
        let code = line.find(" #").unwrap_or(line.len());
        if !line.starts_with('#') {
            places.extend((offset..offset + code).filter(|at| document.is_char_boundary(*at)));
        }
        offset += line.len();
    }
    places
}

/// The private key at every place, in both of its forms, and the others in turn.
#[test]
fn a_secret_at_every_place() {
    let document = document();
    let places = places(&document);
    assert!(places.len() > 900, "{}", places.len());
    let (mut taken, mut reached) = (0, 0);
    let mut sample = Sample::new();
    for (turn, at) in places.iter().enumerate() {
        for canary in [KEY, CANARIES[turn % CANARIES.len()], HEX]
            .into_iter()
            .filter(|_| sample.takes())
        {
            taken += 1;
            let (before, after) = document.split_at(*at);
            let screen = screen(&format!("{before}{}{after}", canary.text));
            canary.is_hidden_in(&screen, format_args!("at byte {at}"));
            reached += usize::from(screen.contains("****"));
        }
    }
    assert!(
        reached * 2 > taken,
        "the places are shown: {reached} of {taken}"
    );
}

/// Half a secret and then a mistake: cut at each length that would still be worth something.
#[test]
fn a_part_of_a_secret() {
    let mut sample = Sample::new();
    for canary in CANARIES {
        let shortest = canary.prefix.len().max(22);
        for length in shortest..=canary.text.len() {
            let part = canary.text.get(..length).expect("ASCII");
            for place in ["clusterID: consumer", "serviceType: NodePort", "mtu: 1340"] {
                if !sample.takes() {
                    continue;
                }
                let (key, _) = place.split_once(": ").expect("a field");
                let document = edited(place, &format!("{key}: [{part}"));
                canary.is_hidden_in(
                    &screen(&document),
                    format_args!("{length} characters of it"),
                );
            }
        }
    }
}
