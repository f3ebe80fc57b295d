//! Damaged files: they open to what they held, or to nothing, and the age crate says the same.

use super::super::{Attempts, Identities};
use super::{armored, generated, of, parsed, seal};
use crate::custody::payload::PayloadKind;
use crate::custody::terms::Terms;
use age::secrecy::ExposeSecret as _;
use std::io::Read as _;
use std::time::Instant;
use zeroize::Zeroizing;

/// A pseudo-random generator, so that each run makes the same files (xorshift64*, Vigna 2016).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).expect("31 bits") % bound.max(1)
    }

    fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).expect("a byte")
    }
}

/// The file with one to three of: a bit flipped, a byte set, bytes removed, bytes repeated, cut off, another file's end.
fn mutated(file: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        let to = (at + 1 + random.below(40)).min(bytes.len());
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.byte(),
            2 => drop(bytes.drain(at..to)),
            3 => bytes.extend_from_within(at..to),
            4 => bytes.truncate(at),
            _ => {
                bytes.truncate(at);
                bytes.extend_from_slice(other.get(at..).unwrap_or_default());
            }
        }
    }
    bytes
}

fn binary(armored: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    age::armor::ArmoredReader::new(armored)
        .read_to_end(&mut bytes)
        .expect("armor");
    bytes
}

/// What the age crate makes of a file.
fn reference(identity: &age::x25519::Identity, sealed: &[u8]) -> Option<Vec<u8>> {
    let reader = age::armor::ArmoredReader::new(sealed);
    let decryptor = age::Decryptor::new_buffered(reader).ok()?;
    let mut plaintext = Vec::new();
    let identities = std::iter::once(identity as &dyn age::Identity);
    decryptor
        .decrypt(identities)
        .ok()?
        .read_to_end(&mut plaintext)
        .ok()?;
    Some(plaintext)
}

/// Two files, each with what is inside its armor, and what they may open to.
struct Files {
    sealed: [(Vec<u8>, Vec<u8>); 2],
    identities: Identities,
    theirs: age::x25519::Identity,
    allowed: [Zeroizing<Vec<u8>>; 2],
}

impl Files {
    /// Whether the first one opens when it is damaged: half of them as text, half inside the armor, where more of it is reached.
    fn open_damaged(&self, index: u64, random: &mut Random) -> bool {
        let [(file, inner), (other, inner_other)] = &self.sealed;
        let bytes = if index.is_multiple_of(2) {
            mutated(file, other, random)
        } else {
            armored(&mutated(inner, inner_other, random))
        };
        let plaintext = self.identities.open(&bytes, &mut Attempts::default()).ok();
        assert_eq!(
            plaintext.is_some(),
            reference(&self.theirs, &bytes).is_some()
        );
        let Some(plaintext) = plaintext else {
            return false;
        };
        assert!(
            self.allowed.contains(&plaintext),
            "it opens to something else"
        );
        true
    }
}

/// The age crate opens the same.
#[test]
fn damaged_files_open_to_nothing_else() {
    const FILES: u64 = 20_000;
    let theirs = age::x25519::Identity::generate();
    let identity = parsed(theirs.to_string().expose_secret());
    let recipients = [generated().1.clone(), identity.1.clone()];
    let sealed = ["the secret", "another one"].map(|text| {
        let text = Zeroizing::new(text.to_owned());
        let file = seal(PayloadKind::Seed, &text, &Terms::default(), &recipients).expect("sealed");
        let inner = binary(&file);
        (file, inner)
    });
    let identities = of(vec![identity]);
    let allowed = sealed.each_ref().map(|(file, _)| {
        identities
            .open(file, &mut Attempts::default())
            .expect("opens")
    });
    let files = Files {
        sealed,
        identities,
        theirs,
        allowed,
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let begin = Instant::now();
    let opened: usize = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| (Random(0x9e37_79b9_7f4a_7c15 ^ (thread + 1)), thread, &files))
            .map(|(mut random, thread, files)| {
                let own = (thread..FILES).step_by(usize::try_from(threads).expect("few"));
                scope.spawn(move || {
                    own.filter(|index| files.open_damaged(*index, &mut random))
                        .count()
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no panic"))
            .sum()
    });
    println!(
        "{opened} of {FILES} open, to what they held before; {:?}",
        begin.elapsed()
    );
    assert!(opened < 2_000, "most of them are damaged");
}
