//! Secrets in clear in a file: what the mask of a text recognises, where it is whole.

use super::labelled::{Field, fields, pem_blocks, prefixes};

/// A secret in clear, by the form that it has in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Plaintext {
    AgeIdentity,
    Seed,
    PrivateKey,
    WireguardKey,
    Kubeconfig,
}

impl Plaintext {
    /// What it is, after `is`.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::AgeIdentity => "an age identity",
            Self::Seed => "a seed",
            Self::PrivateKey => "a private key",
            Self::WireguardKey => "a WireGuard private key",
            Self::Kubeconfig => "a credential of a kubeconfig",
        }
    }
}

/// The secrets in clear of a file, each with the place where it begins. Only what has the form of a whole secret: a page that
/// names `AGE-SECRET-KEY-1…` has none.
pub(crate) fn plaintexts(text: &str) -> Vec<(usize, Plaintext)> {
    let mut found = Vec::new();
    for range in prefixes(text) {
        // what the shortest of them has: 16 bytes in Bech32
        const SHORTEST: usize = 32;
        const SEED: &str = "ARGOCD-PEERING-SEED-";
        let before = text.get(..range.start).unwrap_or_default();
        let end = before.get(before.len().saturating_sub(SEED.len())..).unwrap_or_default();
        let is_seed = end.eq_ignore_ascii_case(SEED);
        let kind = if is_seed { Plaintext::Seed } else { Plaintext::AgeIdentity };
        found.extend((range.len() >= SHORTEST).then_some((range.start, kind)));
    }
    for range in pem_blocks(text) {
        let block = text.get(range.clone()).unwrap_or_default();
        let (first, rest) = block.split_once('\n').unwrap_or_default();
        let has_key =
            rest.lines().next().is_some_and(|line| line.trim().len() >= 16 && is_base64(line.trim()));
        found.extend(
            (first.contains("PRIVATE KEY-----") && has_key).then_some((range.start, Plaintext::PrivateKey)),
        );
    }
    let is_kubeconfig = is_kubeconfig(text);
    for Field { name, value } in fields(text) {
        let word = text.get(value.clone()).unwrap_or_default();
        let word = word.trim().trim_matches(['"', '\'', ',']).trim();
        let start = value.start;
        match name {
            "privatekey" | "private-key" if is_wireguard_key(word) => {
                found.push((start, Plaintext::WireguardKey));
            }
            "token" | "password" | "client-key-data" if is_kubeconfig && is_written(word) => {
                found.push((start, Plaintext::Kubeconfig));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found
}

/// (client-go `tools/clientcmd/api/v1/types.go`, Config)
fn is_kubeconfig(text: &str) -> bool {
    // in JSON as in YAML
    let quiet: String = text
        .chars()
        .filter(|c| !matches!(c, '"' | '\'' | ' '))
        .map(|c| if matches!(c, ',' | '{' | '}') { '\n' } else { c })
        .collect();
    quiet.lines().any(|line| line.trim() == "kind:Config") && quiet.contains("users:")
}

/// Not what `kubectl config view` puts in a secret's place, and not a page's example.
fn is_written(word: &str) -> bool {
    const HIDDEN: [&str; 3] = ["REDACTED", "DATA+OMITTED", "null"];
    word.len() >= 6 && !HIDDEN.contains(&word) && !word.starts_with(['<', '$', '{', '*', '.'])
}

/// 32 bytes in base64, as `wg` writes them, or that text in base64 again, as a Secret has it.
fn is_wireguard_key(word: &str) -> bool {
    matches!(word.len(), 44 | 60) && is_base64(word)
}

fn is_base64(word: &str) -> bool {
    word.trim_end_matches('=').bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::{Plaintext, plaintexts};

    fn kinds(text: &str) -> Vec<Plaintext> {
        plaintexts(text).into_iter().map(|(_, kind)| kind).collect()
    }

    /// A key of the alphabet, which opens nothing.
    fn identity() -> String {
        format!("AGE-SECRET-KEY-1{}", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2))
    }

    #[test]
    fn a_whole_secret_is_found_with_its_place() {
        assert_eq!(plaintexts(&format!("# key\n{}\n", identity())), [(21, Plaintext::AgeIdentity)]);
        assert_eq!(kinds(&identity().replace("AGE-SECRET-KEY", "ARGOCD-PEERING-SEED")), [Plaintext::Seed]);
        let key =
            format!("-----BEGIN EC PRIVATE KEY-----\n{}\n-----END EC PRIVATE KEY-----\n", "aB3d".repeat(16));
        assert_eq!(kinds(&key), [Plaintext::PrivateKey]);
        let wireguard = format!("[Interface]\nPrivateKey = {}=\n", "aB3d".repeat(10) + "xY4");
        assert_eq!(kinds(&wireguard), [Plaintext::WireguardKey]);
        let kubeconfig =
            "apiVersion: v1\nkind: Config\nusers:\n- name: rome\n  user:\n    password: hunter22\n";
        assert_eq!(kinds(kubeconfig), [Plaintext::Kubeconfig]);
        let json = "{\"kind\": \"Config\",\n \"users\": [{\"user\": {\n \"token\": \"hunter22\"\n}}]}";
        assert_eq!(kinds(json), [Plaintext::Kubeconfig]);
    }

    #[test]
    fn what_is_no_secret_is_not_found() {
        for text in [
            "lines of `AGE-SECRET-KEY-1…`, and `AGE-SECRET-KEY-1ABC`",
            "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
            "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ\n-----END CERTIFICATE-----\n",
            "PrivateKey = <the key>\n",
            "kind: Config\nusers:\n- user:\n    token: REDACTED\n    client-key-data: DATA+OMITTED\n",
            "kind: Config\nusers:\n- user:\n    exec: { command: aws }\n",
            "kind: Secret\nstringData:\n  password: hunter22\n",
            "age1tf0pltjzlulg8v9xu5hxrdle7gjuuvrf7dnqpk3l25kskkwleayq2sm9js",
        ] {
            assert_eq!(kinds(text), [], "{text}");
        }
    }
}
