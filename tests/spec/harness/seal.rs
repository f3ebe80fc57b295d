//! Sealed files of every kind, also those that the program itself would never make.

use super::checkout::PATH;
use super::root;
use age::armor::{ArmoredWriter, Format};
use age::secrecy::ExposeSecret as _;
use age::x25519::Identity;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::{fs, io};

/// A valid seed that is nobody's: SHA-256 of `canary seed`.
pub(crate) const SEED: &str =
    "ARGOCD-PEERING-SEED-1TERHYNWV6Q22ADT9P723SK9U0FQGF2KKWJ40EYKW8EJTMWHL28NQZYCPHR";

/// A new identity, and the text of its file.
pub(crate) fn identity() -> (Identity, String) {
    let identity = Identity::generate();
    let text = identity.to_string().expose_secret().to_owned();
    (identity, text)
}

/// The quickstart's identity.
pub(crate) fn demo() -> Identity {
    let text = fs::read_to_string(root().join("examples/identities/demo-identity.txt"))
        .expect("the demo identity");
    text.lines()
        .find(|line| !line.starts_with('#'))
        .expect("a line")
        .parse()
        .expect("an identity")
}

/// An age file with this plaintext for these identities.
pub(crate) fn age_file(identities: &[&Identity], plaintext: &[u8], format: Format) -> Vec<u8> {
    let recipients: Vec<_> = identities
        .iter()
        .map(|identity| identity.to_public())
        .collect();
    let recipients = recipients
        .iter()
        .map(|recipient| recipient as &dyn age::Recipient);
    written(
        age::Encryptor::with_recipients(recipients).expect("recipients"),
        plaintext,
        format,
    )
}

/// An age file under a passphrase.
pub(crate) fn passphrase_file(plaintext: &[u8], work: u8) -> Vec<u8> {
    let mut recipient = age::scrypt::Recipient::new("correct horse".to_owned().into());
    recipient.set_work_factor(work);
    let recipients = std::iter::once(&recipient as &dyn age::Recipient);
    written(
        age::Encryptor::with_recipients(recipients).expect("recipients"),
        plaintext,
        Format::AsciiArmor,
    )
}

fn written(encryptor: age::Encryptor, plaintext: &[u8], format: Format) -> Vec<u8> {
    let mut sealed = Vec::new();
    let write = || -> io::Result<()> {
        let armor = ArmoredWriter::wrap_output(&mut sealed, format)?;
        let mut writer = encryptor.wrap_output(armor)?;
        writer.write_all(plaintext)?;
        writer.finish()?.finish()?;
        Ok(())
    };
    write().expect("memory");
    sealed
}

/// The plaintext of an age file.
pub(crate) fn opened(sealed: &[u8], identity: &Identity) -> String {
    let reader = age::armor::ArmoredReader::new(sealed);
    let decryptor = age::Decryptor::new(reader).expect("an age file");
    let mut text = String::new();
    let identities = std::iter::once(identity as &dyn age::Identity);
    decryptor
        .decrypt(identities)
        .expect("ours")
        .read_to_string(&mut text)
        .expect("UTF-8");
    text
}

/// The entry that allows both of the quickstart's Applications.
pub(crate) fn terms() -> Value {
    json!({
        "peerings": [{ "consumer": "consumer", "provider": "provider" }],
        "projects": ["peering-consumer=consumer", "peering-provider=provider"],
        "repos": ["https://git.example.org/net/peerings"],
        "paths": [PATH],
    })
}

/// A payload's terms with this one entry. A project without a side is for both, as the commands write it.
pub(crate) fn bound(entry: &Value) -> Value {
    let mut entry = entry.clone();
    if let Some(projects) = entry["projects"].as_array() {
        let sides = ["consumer", "provider"].map(|role| entry["peerings"][0][role].clone());
        let mut all = Vec::new();
        for project in projects {
            match (project.as_str(), &sides) {
                (Some(name), [Value::String(one), Value::String(other)]) if !name.contains('=') => {
                    all.extend([one, other].map(|side| json!(format!("{name}={side}"))));
                }
                _ => all.push(project.clone()),
            }
        }
        entry["projects"] = json!(all);
    }
    entry
}

/// A seed's payload on the terms of this entry.
pub(crate) fn seed_payload(entry: &Value) -> Value {
    json!({ "v": 1, "type": "seed", "seed": SEED, "bind": bound(entry) })
}

/// A kubeconfig's payload on the terms of this entry.
pub(crate) fn kubeconfig_payload(kubeconfig: &str, entry: &Value) -> Value {
    json!({ "v": 1, "type": "kubeconfig", "kubeconfig": kubeconfig, "bind": bound(entry) })
}

/// A payload as a sealed file for the demo identity.
pub(crate) fn sealed(payload: &Value) -> Vec<u8> {
    sealed_for(&demo(), payload)
}

/// The same for another identity.
pub(crate) fn sealed_for(identity: &Identity, payload: &Value) -> Vec<u8> {
    age_file(
        &[identity],
        payload.to_string().as_bytes(),
        Format::AsciiArmor,
    )
}
