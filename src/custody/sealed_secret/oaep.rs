//! RSAES-OAEP with SHA-256 (RFC 8017, section 7.1.1), with the seed as an input.

use super::certificate::PublicKey;
use crypto_bigint::BoxedUint;
use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

const HASH: usize = 32;

/// A session key, encrypted: the private key and the label decrypt it. The key's modulus has at least 2048 bits, so the
/// session key always has room.
pub(super) fn encrypt(key: &PublicKey, session_key: &[u8; 32], label: &[u8], seed: &[u8; HASH]) -> Vec<u8> {
    let mut block = Zeroizing::new(vec![0; key.size]);
    // 00 || seed || hash of the label || zeros || 01 || session key
    let (start, database) = block.split_at_mut(1 + HASH);
    let masked_seed = start.split_at_mut(1).1;
    masked_seed.copy_from_slice(seed);
    let (hash, rest) = database.split_at_mut(HASH);
    hash.copy_from_slice(&Sha256::digest(label));
    let (padding, tail) = rest.split_at_mut(rest.len() - session_key.len());
    if let Some(last) = padding.last_mut() {
        *last = 1;
    }
    tail.copy_from_slice(session_key);
    mask(database, masked_seed);
    mask(masked_seed, database);
    power(key, &block)
}

/// XOR with MGF1 of a seed (RFC 8017, appendix B.2.1).
fn mask(bytes: &mut [u8], seed: &[u8]) {
    for (counter, chunk) in (0_u32..).zip(bytes.chunks_mut(HASH)) {
        let hash = Sha256::new().chain_update(seed).chain_update(counter.to_be_bytes()).finalize();
        chunk.iter_mut().zip(hash).for_each(|(byte, mask)| *byte ^= mask);
    }
}

/// RSAEP (RFC 8017, section 5.1.1): the block to the power of the exponent, as long as the modulus. The block begins with a
/// zero byte, so it is smaller than the modulus. Exponent and modulus are public, so only what is done with the block takes
/// constant time: a fifth of what the crate's own `pow` takes, which keeps its exponent secret.
fn power(key: &PublicKey, block: &[u8]) -> Vec<u8> {
    let params = BoxedMontyParams::new_vartime(key.modulus.clone());
    let base = BoxedUint::from_be_slice_truncated(block, key.modulus.bits_precision());
    let base = BoxedMontyForm::new(base, &params);
    let mut power = base.clone();
    for bit in (0..key.exponent.checked_ilog2().unwrap_or_default()).rev() {
        power = power.square();
        if key.exponent >> bit & 1 == 1 {
            power = power.mul(&base);
        }
    }
    let power = power.retrieve().to_be_bytes();
    power.split_at(power.len() - key.size).1.to_vec()
}

#[cfg(test)]
mod tests {
    use super::{BoxedMontyForm, BoxedMontyParams, BoxedUint, PublicKey, power};
    use crypto_bigint::Odd;

    /// The crate's own way gives the same, also for exponents that no certificate of a controller has.
    #[test]
    fn every_exponent() {
        let modulus = BoxedUint::from_be_slice_vartime(&[0xf7; 257]);
        let modulus = Odd::new(modulus).into_option().expect("an odd number");
        let block = [&[0][..], &[0xa5; 256]].concat();
        for exponent in [65537, 65539, (1 << 17) - 1, (1 << 30) + 1, (1 << 31) - 1] {
            let key = PublicKey { modulus: modulus.clone(), size: 257, exponent };
            let params = BoxedMontyParams::new(key.modulus.clone());
            let base = BoxedUint::from_be_slice_truncated(&block, key.modulus.bits_precision());
            let expected = BoxedMontyForm::new(base, &params).pow(&BoxedUint::from(exponent)).retrieve();
            assert_eq!(BoxedUint::from_be_slice_vartime(&power(&key, &block)), expected, "{exponent}");
        }
    }
}
