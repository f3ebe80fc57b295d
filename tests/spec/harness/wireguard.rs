//! A WireGuard server that answers handshakes, written from the whitepaper (section 5.4), and servers that are not what they
//! should be. Not the program's crate for Noise: two mistakes that fit each other would show nothing.

use blake2::digest::consts::U16;
use blake2::{Blake2s256, Blake2sMac, Digest as _};
use chacha20poly1305::{
    AeadInPlace as _, ChaCha20Poly1305, Key, KeyInit as _, Nonce, Tag, XChaCha20Poly1305, XNonce,
};
use hmac::{Mac as _, SimpleHmac};
use std::net::{SocketAddr, UdpSocket};
use x25519_dalek::{PublicKey, StaticSecret};

/// A gateway that listens.
pub(crate) struct Server {
    key: StaticSecret,
    client: PublicKey,
    /// The time of the last initiation that was taken.
    latest: [u8; 12],
}

/// What an initiation has that is answered.
struct Asked {
    chain: [u8; 32],
    hash: [u8; 32],
    ephemeral: PublicKey,
    sender: Vec<u8>,
}

/// The cookie of a server under load.
const COOKIE: [u8; 16] = *b"a cookie for you";

impl Server {
    pub(crate) fn new(key: [u8; 32], client: [u8; 32]) -> Self {
        Self { key: key.into(), client: client.into(), latest: [0; 12] }
    }

    /// The answer to an initiation, if the server has one.
    pub(crate) fn answer(&mut self, initiation: &[u8]) -> Option<Vec<u8>> {
        let asked = self.read(initiation)?;
        Some(self.respond(&asked))
    }

    /// An answer by who saw an initiation and knows both public keys, but has no private one: nothing is wrong with it but its seal.
    pub(crate) fn forged(&mut self, initiation: &[u8]) -> Option<Vec<u8>> {
        let mut asked = self.read(initiation)?;
        asked.chain[0] ^= 1;
        Some(self.respond(&asked))
    }

    fn read(&mut self, initiation: &[u8]) -> Option<Asked> {
        let own = PublicKey::from(&self.key);
        if initiation.len() != 148 || !initiation.starts_with(&[1, 0, 0, 0]) {
            return None;
        }
        if mac(&hash(&[b"mac1----", own.as_bytes()]), &initiation[..116]) != initiation[116..132] {
            return None;
        }
        let mut chain = hash(&[b"Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s"]);
        let mut digest = hash(&[&chain, b"WireGuard v1 zx2c4 Jason@zx2c4.com"]);
        digest = hash(&[&digest, own.as_bytes()]);
        let ephemeral = key(&initiation[8..40]);
        digest = hash(&[&digest, ephemeral.as_bytes()]);
        [chain] = derived(&chain, ephemeral.as_bytes());
        let mut sealing;
        [chain, sealing] = derived(&chain, self.key.diffie_hellman(&ephemeral).as_bytes());
        let client = opened(&sealing, &initiation[40..88], &digest)?;
        digest = hash(&[&digest, &initiation[40..88]]);
        if client != self.client.as_bytes() {
            return None;
        }
        [chain, sealing] = derived(&chain, self.key.diffie_hellman(&self.client).as_bytes());
        let time = opened(&sealing, &initiation[88..116], &digest)?;
        digest = hash(&[&digest, &initiation[88..116]]);
        let time: [u8; 12] = time.try_into().expect("a time");
        if time <= self.latest {
            return None;
        }
        self.latest = time;
        Some(Asked { chain, hash: digest, ephemeral, sender: initiation[4..8].to_vec() })
    }

    fn respond(&self, asked: &Asked) -> Vec<u8> {
        let own = StaticSecret::from([9; 32]);
        let public = PublicKey::from(&own);
        let [chain] = derived(&asked.chain, public.as_bytes());
        let [chain] = derived(&chain, own.diffie_hellman(&asked.ephemeral).as_bytes());
        let [chain] = derived(&chain, own.diffie_hellman(&self.client).as_bytes());
        let [_, tau, sealing] = derived(&chain, &[0; 32]);
        let digest = hash(&[&hash(&[&asked.hash, public.as_bytes()]), &tau]);
        let cipher = ChaCha20Poly1305::new(Key::from_slice(&sealing));
        let tag = cipher.encrypt_in_place_detached(&Nonce::default(), &digest, &mut []).expect("sealed");
        let mut message = [&[2, 0, 0, 0], &[7; 4], asked.sender.as_slice(), public.as_bytes(), &tag].concat();
        message.extend(mac(&hash(&[b"mac1----", self.client.as_bytes()]), &message));
        message.extend([0; 16]);
        message
    }

    /// What a server under load answers, unless the initiation has its cookie.
    pub(crate) fn cookie(&self, initiation: &[u8]) -> Option<Vec<u8>> {
        if mac(&COOKIE, &initiation[..132]) == initiation[132..] {
            return None;
        }
        let own = PublicKey::from(&self.key);
        let cipher = XChaCha20Poly1305::new(Key::from_slice(&hash(&[b"cookie--", own.as_bytes()])));
        let mut sealed = COOKIE;
        let nonce = [3; 24];
        let mac1 = &initiation[116..132];
        let tag = cipher.encrypt_in_place_detached(XNonce::from_slice(&nonce), mac1, &mut sealed);
        let tag = tag.expect("sealed");
        Some([&[3, 0, 0, 0], &initiation[4..8], &nonce, &sealed, &tag].concat())
    }
}

/// Answers on a port of the loopback interface as long as the tests run, each datagram with any number of others.
pub(crate) fn listens(mut answers: impl FnMut(&[u8]) -> Vec<Vec<u8>> + Send + 'static) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let address = socket.local_addr().expect("an address");
    std::thread::spawn(move || {
        let mut buffer = [0; 2048];
        while let Ok((length, from)) = socket.recv_from(&mut buffer) {
            for answer in answers(&buffer[..length]) {
                socket.send_to(&answer, from).expect("sent");
            }
        }
    });
    address
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    Blake2s256::digest(parts.concat()).into()
}

fn mac(key: &[u8], message: &[u8]) -> [u8; 16] {
    let mac = <Blake2sMac<U16> as hmac::Mac>::new_from_slice(key).expect("a key");
    mac.chain_update(message).finalize().into_bytes().into()
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mac = <SimpleHmac<Blake2s256> as hmac::Mac>::new_from_slice(key).expect("a key");
    mac.chain_update(message).finalize().into_bytes().into()
}

/// The whitepaper's KDF.
fn derived<const N: usize>(chain: &[u8], input: &[u8]) -> [[u8; 32]; N] {
    let secret = hmac(chain, input);
    let mut last = Vec::new();
    std::array::from_fn(|at| {
        last.push(u8::try_from(at + 1).expect("few"));
        let next = hmac(&secret, &last);
        last = next.to_vec();
        next
    })
}

fn key(bytes: &[u8]) -> PublicKey {
    <[u8; 32]>::try_from(bytes).expect("a key").into()
}

fn opened(sealing: &[u8; 32], sealed: &[u8], hash: &[u8]) -> Option<Vec<u8>> {
    let (text, tag) = sealed.split_at(sealed.len() - 16);
    let mut text = text.to_vec();
    let cipher = ChaCha20Poly1305::new(Key::from_slice(sealing));
    let tag = Tag::from_slice(tag);
    cipher.decrypt_in_place_detached(&Nonce::default(), hash, &mut text, tag).ok().map(|()| text)
}
