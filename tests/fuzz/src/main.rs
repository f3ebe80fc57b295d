//! Runs every target on inputs that a seeded generator makes of its seeds: the same for the same number, on any compiler.
//!
//!     seeded [--runs N] [--seed N] [--write FOLDER] [TARGET…]

use argocd_peering_fuzz::{Dice, TARGETS, Target};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let (mut runs, mut seed, mut names, mut corpus) = (2000, 1, Vec::new(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            arguments
                .next()
                .and_then(|text| text.parse().ok())
                .expect("a number")
        };
        match argument.as_str() {
            "--runs" => runs = number(),
            "--seed" => seed = number(),
            "--write" => corpus = arguments.next().map(PathBuf::from),
            _ => names.push(argument),
        }
    }
    for target in TARGETS
        .iter()
        .filter(|it| names.is_empty() || names.iter().any(|name| name == it.name))
    {
        let start = Instant::now();
        let seeds = target.seeds();
        if let Some(corpus) = &corpus {
            write(&corpus.join(target.name), &seeds);
            continue;
        }
        seeds.iter().for_each(|seed| tried(target, seed));
        let mut random = Random(seed);
        for _ in 0..runs {
            tried(target, &random.input(&seeds));
        }
        println!(
            "{:12} {} runs in {:.1} s",
            target.name,
            runs as usize + seeds.len(),
            start.elapsed().as_secs_f32()
        );
    }
}

/// Writes the seeds, each into a file of its own, where libFuzzer begins.
fn write(folder: &Path, seeds: &[Vec<u8>]) {
    fs::create_dir_all(folder).expect("a folder");
    for (number, seed) in seeds.iter().enumerate() {
        fs::write(folder.join(format!("seed-{number}")), seed).expect("the seed is written");
    }
}

/// Runs it. What fails is written, so that it can be run again.
fn tried(target: &Target, input: &[u8]) {
    let outcome = std::panic::catch_unwind(|| target.run(input));
    if outcome.is_err() {
        let path = format!("failed-{}", target.name);
        fs::write(&path, input).expect("the input is written");
        eprintln!("the input of {} bytes is in {path}", input.len());
        std::process::exit(1);
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A seed with some small changes: what editors, merges and attackers do.
    fn input(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let bytes: Vec<u8> = (0..32).flat_map(|_| self.next().to_le_bytes()).collect();
        let mut dice = Dice::new(&bytes);
        let mut input: Vec<u8> = dice.one(seeds).clone();
        for _ in 0..=dice.below(6) {
            let other = dice.one(seeds);
            change(&mut input, other, &mut dice);
        }
        input
    }
}

const NASTY: [&str; 20] = [
    "\0",
    "\t",
    "\r",
    "'",
    "\"",
    "{",
    "[",
    "- ",
    ": ",
    "#",
    "&a ",
    "*a",
    "!!str ",
    "|\n",
    "%",
    "@",
    "\u{ad}",
    "\u{1f600}",
    "\u{202e}",
    "-----BEGIN ",
];

fn change(input: &mut Vec<u8>, other: &[u8], dice: &mut Dice<'_>) {
    let place = |dice: &mut Dice<'_>, of: &[u8]| dice.below(of.len() + 1);
    let at = place(dice, input);
    let end = (at + dice.below(40)).min(input.len());
    match dice.below(7) {
        0 => drop(input.splice(at..at, dice.one(&NASTY).bytes())),
        1 => drop(input.drain(at..end)),
        2 => {
            let again: Vec<u8> = input[at..end].repeat(1 + dice.below(100));
            input.splice(at..at, again);
        }
        3 => {
            let from = place(dice, other);
            let to = (from + dice.below(200)).min(other.len());
            input.splice(at..end, other[from..to].iter().copied());
        }
        4 => input.truncate(at),
        5 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = dice.byte();
            }
        }
        _ => {
            let line = input[at..]
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(input.len(), |line| at + line);
            let spaces = vec![b' '; dice.below(6)];
            input.splice(line..line, [b'\n'].into_iter().chain(spaces));
        }
    }
}
