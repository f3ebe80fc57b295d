//! A secret pasted at every place of the quickstart's document, by a hand that slipped.

use super::canary::{CANARIES, HEX, KEY, screen};
use crate::harness::{Sample, document};

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

/// The private key at every place, and the others in turn.
#[test]
fn a_secret_at_every_place() {
    let document = document();
    let places = places(&document);
    assert!(places.len() > 900, "{}", places.len());
    let (mut taken, mut reached) = (0, 0);
    let mut sample = Sample::new();
    for (turn, at) in places.iter().enumerate() {
        for canary in [KEY, CANARIES[turn % CANARIES.len()]] {
            if !sample.takes() {
                continue;
            }
            taken += 1;
            let (before, after) = document.split_at(*at);
            let screen = screen(&format!("{before}{}{after}", canary.text));
            canary.is_hidden_in(&screen, format_args!("at byte {at}"));
            reached += usize::from(screen.contains("****"));
        }
    }
    assert!(reached * 2 > taken, "the places are shown: {reached} of {taken}");
}

#[test]
fn hexadecimal_digits_at_every_place() {
    let document = document();
    let mut sample = Sample::new();
    for at in places(&document).into_iter().filter(|_| sample.takes()) {
        let (before, after) = document.split_at(at);
        let screen = screen(&format!("{before}{}{after}", HEX.text));
        HEX.is_hidden_in(&screen, format_args!("at byte {at}"));
    }
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
                let document = crate::harness::checkout::edited(place, &format!("{key}: [{part}"));
                canary.is_hidden_in(&screen(&document), format_args!("{length} characters of it"));
            }
        }
    }
}
