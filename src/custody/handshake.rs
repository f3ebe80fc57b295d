//! WireGuard's handshake as the gateway that dials begins it: its messages, without the network (WireGuard's whitepaper, sections
//! 5.4.2 to 5.4.7; wireguard-go `device/noise-protocol.go`, `device/cookie.go`). Noise itself is the crate `snow`.

use super::Error;
use super::keys::{NoRandomness, random};
use crate::diagnostic::Bug;
use crate::peering::networking::keys::{Keys, OwnKey};
use crate::peering::values::PublicKey;
use blake2::digest::consts::U16;
use blake2::{Blake2s256, Blake2sMac, Digest as _};
use chacha20poly1305::{AeadInPlace as _, KeyInit as _, Tag, XChaCha20Poly1305, XNonce};
use hmac::Mac as _;
use snow::params::{CipherChoice, DHChoice, HashChoice};
use snow::resolvers::{CryptoResolver, DefaultResolver};
use snow::types::{Cipher, Dh, Hash, Random};
use snow::{Builder, HandshakeState};
use std::time::Duration;
use zeroize::Zeroizing;

const PATTERN: &str = "Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s";
const IDENTIFIER: &[u8] = b"WireGuard v1 zx2c4 Jason@zx2c4.com";
/// Liqo sets none (liqo `pkg/gateway/tunnel/wireguard/device.go`).
const NO_PRESHARED_KEY: [u8; 32] = [0; 32];

/// The first bytes of the messages.
const INITIATION: [u8; 4] = [1, 0, 0, 0];
const RESPONSE: [u8; 4] = [2, 0, 0, 0];
const COOKIE_REPLY: [u8; 4] = [3, 0, 0, 0];

type Code = [u8; 16];

/// The gateway that dials. Neither `Debug` nor `Display`; its key is wiped when it is dropped.
pub(crate) struct Dialer {
    private: Zeroizing<[u8; 32]>,
    public: PublicKey,
    server: PublicKey,
    /// What a server under load sent.
    cookie: Option<Code>,
}

/// A message that was sent.
pub(crate) struct Initiation {
    noise: HandshakeState,
    sender: [u8; 4],
    mac1: Code,
    message: Vec<u8>,
}

/// What a datagram is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// The answer of who has the server's private key, and knows the dialer's public one.
    Response,
    /// A server under load asks for the same message with its cookie. It is made with public keys: no one is authentic by it.
    Cookie,
    /// Something else.
    Other,
}

impl Dialer {
    /// The side whose keys these are, if they have a private one.
    pub(crate) fn new(keys: Keys) -> Option<Self> {
        match keys {
            Keys { own: OwnKey::Pair { private, public }, peer: Some(server) } => {
                Some(Self { private, public, server, cookie: None })
            }
            _ => None,
        }
    }

    /// The key that a response is held against.
    pub(crate) const fn server(&self) -> PublicKey {
        self.server
    }

    /// A new message, at a time since 1970. A server takes none that is not later than the last of the same key.
    pub(crate) fn initiation(&self, now: Duration) -> Result<Initiation, Error> {
        let mut noise = self.noise()?;
        let sender = *random::<4>()?;
        let mut sealed = [0; 32 + 48 + 28];
        noise.write_message(&tai64n(now), &mut sealed)?;
        let mut message = [INITIATION, sender].concat();
        message.extend(sealed);
        let mac1 = mac(&hashed(b"mac1----", self.server), &message)?;
        message.extend(mac1);
        let mac2 = self.cookie.map(|cookie| mac(&cookie, &message)).transpose()?;
        message.extend(mac2.unwrap_or_default());
        Ok(Initiation { noise, sender, mac1, message })
    }

    fn noise(&self) -> Result<HandshakeState, snow::Error> {
        Builder::with_resolver(PATTERN.parse()?, Box::new(Resolver))
            .local_private_key(&*self.private)?
            .remote_public_key(self.server.as_bytes())?
            .prologue(IDENTIFIER)?
            .psk(2, &NO_PRESHARED_KEY)?
            .build_initiator()
    }

    /// What a datagram is to the messages that were sent. A cookie is kept for the next one.
    pub(crate) fn hear(&mut self, sent: &mut [Initiation], datagram: &[u8]) -> Heard {
        if sent.iter_mut().any(|it| it.is_answered(self.public, datagram)) {
            return Heard::Response;
        }
        let cookie = sent.iter().find_map(|it| it.cookie(self.server, datagram));
        self.cookie = cookie.or(self.cookie);
        if cookie.is_some() { Heard::Cookie } else { Heard::Other }
    }
}

impl Initiation {
    /// The datagram.
    pub(crate) fn message(&self) -> &[u8] {
        &self.message
    }

    /// Whether a datagram is the server's response to this message (section 5.4.3).
    fn is_answered(&mut self, own: PublicKey, datagram: &[u8]) -> bool {
        let Ok(datagram) = <&[u8; 92]>::try_from(datagram) else { return false };
        let parts = || {
            let (rest, _mac2) = datagram.split_last_chunk::<16>()?;
            let (message, mac1) = rest.split_last_chunk::<16>()?;
            let (header, sealed) = message.split_first_chunk::<12>()?;
            let is_ours = header.starts_with(&RESPONSE) && header.ends_with(&self.sender);
            let is_signed = mac(&hashed(b"mac1----", own), message).is_ok_and(|it| it == *mac1);
            (is_ours && is_signed).then_some(sealed)
        };
        let Some(sealed) = parts() else { return false };
        self.noise.read_message(sealed, &mut []) == Ok(0)
    }

    /// The cookie that a server under load answers with (section 5.4.7).
    fn cookie(&self, server: PublicKey, datagram: &[u8]) -> Option<Code> {
        let datagram = <&[u8; 64]>::try_from(datagram).ok()?;
        let (header, rest) = datagram.split_first_chunk::<8>()?;
        let (nonce, rest) = rest.split_first_chunk::<24>()?;
        let (sealed, tag) = rest.split_first_chunk::<16>()?;
        if *header != *[COOKIE_REPLY, self.sender].as_flattened() {
            return None;
        }
        let mut cookie = *sealed;
        let cipher = XChaCha20Poly1305::new(&hashed(b"cookie--", server).into());
        let nonce = XNonce::from_slice(nonce);
        cipher.decrypt_in_place_detached(nonce, &self.mac1, &mut cookie, Tag::from_slice(tag)).ok()?;
        Some(cookie)
    }
}

/// A time since 1970 as WireGuard writes it (wireguard-go `tai64n/tai64n.go`).
fn tai64n(now: Duration) -> [u8; 12] {
    const BASE: u64 = 0x4000_0000_0000_000a;
    let mut stamp = [0; 12];
    let seconds = (BASE + now.as_secs()).to_be_bytes();
    let bytes = seconds.into_iter().chain(now.subsec_nanos().to_be_bytes());
    stamp.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
    stamp
}

/// The key of what anyone makes who knows a public key.
fn hashed(label: &[u8], key: PublicKey) -> [u8; 32] {
    Blake2s256::new().chain_update(label).chain_update(key.as_bytes()).finalize().into()
}

fn mac(key: &[u8], message: &[u8]) -> Result<Code, Bug> {
    let mac =
        <Blake2sMac<U16> as hmac::Mac>::new_from_slice(key).map_err(|_| Bug::new("a key of BLAKE2s"))?;
    Ok(mac.chain_update(message).finalize().into_bytes().into())
}

impl From<snow::Error> for Error {
    fn from(error: snow::Error) -> Self {
        match error {
            snow::Error::Rng => NoRandomness.into(),
            _ => Bug::new("WireGuard's handshake").into(),
        }
    }
}

/// snow's algorithms with the program's own randomness.
struct Resolver;

impl CryptoResolver for Resolver {
    fn resolve_rng(&self) -> Option<Box<dyn Random>> {
        Some(Box::new(System))
    }

    fn resolve_dh(&self, choice: &DHChoice) -> Option<Box<dyn Dh>> {
        DefaultResolver.resolve_dh(choice)
    }

    fn resolve_hash(&self, choice: &HashChoice) -> Option<Box<dyn Hash>> {
        DefaultResolver.resolve_hash(choice)
    }

    fn resolve_cipher(&self, choice: &CipherChoice) -> Option<Box<dyn Cipher>> {
        DefaultResolver.resolve_cipher(choice)
    }
}

/// The operating system's.
struct System;

impl Random for System {
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), snow::Error> {
        getrandom::getrandom(bytes).map_err(|_| snow::Error::Rng)
    }
}
