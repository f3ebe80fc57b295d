//! WireGuard public keys.

use crate::diagnostic::{Code, Rule};
use crate::document::scalar;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use x25519_dalek::x25519;

/// A public key: 32 bytes that are a point with which a handshake gives a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    /// The public half of a clamped private key, which is never a point of low order (RFC 7748, section 6.1).
    pub(crate) const fn of_private_key(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first ten hexadecimal digits of the key's SHA-256. They are part of the key Secret's name: another key gives
    /// another name, and Liqo restarts the gateway by itself.
    pub fn fingerprint(&self) -> String {
        let mut digest = format!("{:x}", Sha256::digest(self.0));
        digest.truncate(10);
        digest
    }

    fn parse(text: &str) -> Result<Self, Rule> {
        // the text is not quoted: it could be a private key in the wrong place
        let Ok(bytes) = STANDARD.decode(text) else {
            return Err(wrong("not standard base64"));
        };
        let length = bytes.len();
        let Ok(bytes) = <[u8; 32]>::try_from(bytes) else {
            let why = format!("it has {length} bytes: Liqo's gateway needs 32");
            return Err(wrong(&why));
        };
        // RFC 7748, section 5: the high bit is ignored, and numbers from p = 2^255 - 19 on count as that number minus p. So a key could
        // have several spellings, and a cluster's own key could pass for another's
        let [low, middle @ .., high] = bytes;
        let is_from_p_on = low >= 0xed && middle == [0xff; 30] && high == 0x7f;
        if high > 0x7f || is_from_p_on {
            return Err(wrong("it is not its point's canonical spelling"));
        }
        // RFC 7748, section 6.1: a point of low order gives the all-zero secret with every private key, so any clamped
        // scalar reveals it
        if x25519([64; 32], bytes) == [0; 32] {
            return Err(wrong("its point has a low order"));
        }
        Ok(Self(bytes))
    }
}

fn wrong(why: &str) -> Rule {
    let message = format!("this is not a WireGuard public key: {why}");
    Rule::new(Code::PublicKey, message).help("it is the 44 characters that `wg pubkey` prints")
}

scalar!(PublicKey, takes "a WireGuard public key", read Self::parse, shown |it| STANDARD.encode(it.0), schema {
    "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$",
});

#[cfg(test)]
mod tests {
    use super::PublicKey;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    #[test]
    fn public_keys_are_32_useful_bytes() {
        let good = "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=";
        assert_eq!(good.parse::<PublicKey>().expect("a key").to_string(), good);
        let mut below_p = [9; 32];
        below_p[31] = 0x7f;
        assert!(STANDARD.encode(below_p).parse::<PublicKey>().is_ok());
        let mut bad = vec![
            String::new(),
            "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A".into(),
            "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KE".into(),
            "not base64".into(),
        ];
        // p is 2^255 - 19
        let [p_minus_1, p, p_plus_1, p_plus_2, largest] =
            [0xec, 0xed, 0xee, 0xef, 0xff].map(|first| {
                let mut bytes = [0xff; 32];
                (bytes[0], bytes[31]) = (first, 0x7f);
                bytes
            });
        // other spellings of a point: the high bit, which is ignored, and numbers from p on (RFC 7748, section 5)
        let mut high: [u8; 32] = STANDARD
            .decode(good)
            .expect("base64")
            .try_into()
            .expect("32 bytes");
        high[31] |= 0x80;
        bad.extend([high, p_plus_2, largest].map(|point| STANDARD.encode(point)));
        // the points of low order (https://cr.yp.to/ecdh.html#validate): 0, 1, two of order 8, p-1, p, p+1
        let mut one = [0; 32];
        one[0] = 1;
        let of_order_8: [[u8; 32]; 2] = [
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        ]
        .map(|hex| {
            std::array::from_fn(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).expect("hex"))
        });
        let of_low_order = [[0; 32], one, p_minus_1, p, p_plus_1]
            .into_iter()
            .chain(of_order_8);
        bad.extend(of_low_order.map(|point| STANDARD.encode(point)));
        for text in bad {
            let rule = text.parse::<PublicKey>().expect_err(&text);
            assert!(text.is_empty() || !rule.message.contains(&text));
        }
    }
}
