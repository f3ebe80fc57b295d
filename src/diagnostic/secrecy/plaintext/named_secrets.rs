//! Secrets that are recognised by the name of a field or a variable, in a file of a known kind: a kubeconfig, a Secret of Argo CD, an
//! interface of WireGuard. The file is read by lines, not as YAML: it can be a template, or broken.

use super::{Plaintext, decoded, is_word};
use crate::diagnostic::secrecy::encoded_words::runs;
use crate::diagnostic::secrecy::labelled::{Field, QUOTES, fields};

/// The credentials of a text, each with its place.
pub(super) fn credentials(text: &str) -> Vec<(usize, Plaintext)> {
    let mut found = aws_keys(text);
    let is_structured = is_structured(text);
    for (from, document) in documents(text) {
        let kind = if is_structured {
            kind_of(document)
        } else {
            None
        };
        if kind.is_none()
            && !["rivate", "RIVATE"]
                .iter()
                .any(|word| document.contains(word))
        {
            continue;
        }
        let of_names = fields(document)
            .into_iter()
            .filter_map(|field| secret_of(document, &field, kind));
        let of_variables = kind
            .map(|kind| variables(document, kind))
            .unwrap_or_default();
        found.extend(
            of_names
                .chain(of_variables)
                .map(|(place, kind)| (from + place, kind)),
        );
    }
    found
}

/// The documents of a file, each with its place.
fn documents(text: &str) -> Vec<(usize, &str)> {
    let (mut documents, mut from) = (Vec::new(), 0);
    for end in text
        .match_indices("\n---")
        .map(|(at, _)| at + 1)
        .chain([text.len()])
    {
        if text
            .as_bytes()
            .get(end + 3)
            .is_none_or(u8::is_ascii_whitespace)
        {
            documents.extend(text.get(from..end).map(|document| (from, document)));
            from = end;
        }
    }
    documents
}

/// The kind of a document, by the names of its fields.
fn kind_of(document: &str) -> Option<Plaintext> {
    // argo-cd `common/common.go`, LabelKeySecretType; `pkg/apis/application/v1alpha1/types.go`, ClusterConfig
    const OF_CLUSTER: [&str; 3] = ["tlsClientConfig", "awsAuthConfig", "execProviderConfig"];
    // client-go `tools/clientcmd/api/v1/types.go`, Config; without `kind` it is still read as a kubeconfig
    // (`tools/clientcmd/client_config.go`, Load), and its clusters can be in another file
    if has_field(document, "users", "")
        && (has_field(document, "kind", "Config") || has_field(document, "contexts", ""))
    {
        return Some(Plaintext::Kubeconfig);
    }
    let is_argo_cds = document.contains("argocd.argoproj.io/secret-type")
        || OF_CLUSTER.iter().any(|name| has_field(document, name, ""))
        || has_token(document);
    is_argo_cds.then_some(Plaintext::ArgoCd)
}

/// Whether there is `bearerToken: …` with a secret, and not only the schema of one.
fn has_token(document: &str) -> bool {
    document.match_indices("bearerToken").any(|(at, name)| {
        let after = document
            .get(at + name.len()..)
            .unwrap_or_default()
            .trim_start_matches(['"', '\\', ' ']);
        after
            .strip_prefix(':')
            .and_then(word)
            .is_some_and(is_secret)
    })
}

/// Whether the first line with content is YAML or JSON, and the document is not a page of text: programs and pages contain examples.
fn is_structured(document: &str) -> bool {
    let mut lines = document
        .lines()
        .map(|line| line.trim_start_matches(['\u{feff}', '\u{fffd}', ' ', '\t']));
    let Some(first) =
        lines.find(|line| !line.is_empty() && !line.starts_with(['#', '%']) && *line != "---")
    else {
        return false;
    };
    if document.contains("\n```") {
        return false;
    }
    first.starts_with(['{', '[', '-'])
        || first
            .split_once(':')
            .is_some_and(|(key, _)| is_key(key.trim_end()))
}

fn is_key(key: &str) -> bool {
    !key.is_empty()
        && key
            .chars()
            .all(|c| is_word(c) || matches!(c, '.' | '"' | '\'' | '\\'))
}

/// Whether there is a field with this name whose value begins with this text, in YAML or JSON.
fn has_field(document: &str, name: &str, value: &str) -> bool {
    document.match_indices(name).any(|(at, _)| {
        let before = document.get(..at).and_then(|text| text.chars().next_back());
        let after = document
            .get(at + name.len()..)
            .unwrap_or_default()
            .trim_start_matches(QUOTES);
        !before.is_some_and(is_word)
            && after.strip_prefix(':').is_some_and(|rest| {
                let rest = rest.trim_start_matches(QUOTES);
                rest.strip_prefix(value)
                    .is_some_and(|rest| value.is_empty() || !rest.starts_with(is_word))
            })
    })
}

/// The secret of a field.
fn secret_of(document: &str, field: &Field, kind: Option<Plaintext>) -> Option<(usize, Plaintext)> {
    let word = word(document.get(field.value.clone())?)?;
    let kind = match field.name {
        "privatekey" | "private-key" | "private_key" => {
            is_wireguard_key(word).then_some(Plaintext::WireguardKey)
        }
        "client-certificate-data" => None,
        _ => kind.filter(|_| is_secret(word)),
    };
    kind.map(|kind| (field.value.start, kind))
}

/// The variables of a credential plugin (client-go, ExecConfig `env`; argo-cd, ExecProviderConfig `env`) that have a secret. A variable's
/// name is a key, or the value of `name`.
fn variables(document: &str, kind: Plaintext) -> Vec<(usize, Plaintext)> {
    const ENDS: [&str; 8] = [
        "SECRET",
        "SECRET_KEY",
        "ACCESS_KEY",
        "API_KEY",
        "APIKEY",
        "PRIVATE_KEY",
        "PASSWORD",
        "TOKEN",
    ];
    let mut names = runs(document, |c| {
        c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'
    });
    names.retain(|name| {
        let before = document
            .get(..name.start)
            .and_then(|text| text.chars().next_back());
        !before.is_some_and(is_word)
            && document
                .get(name.clone())
                .is_some_and(|name| ENDS.iter().any(|end| name.ends_with(end)))
            && document
                .get(name.end..)
                .is_some_and(|rest| !rest.trim_start().starts_with('='))
            && value_of_variable(document, name.start, name.end).is_some_and(is_secret)
    });
    // kubectl hides the fields that it knows, and not these
    let kind = if kind == Plaintext::Kubeconfig {
        Plaintext::Cloud
    } else {
        kind
    };
    names.into_iter().map(|name| (name.start, kind)).collect()
}

/// The secret keys of AWS in any file, 40 digits of base64: `AWS_SECRET_ACCESS_KEY`, and `aws_secret_access_key` of its credentials file.
/// The example in AWS's own pages contains `EXAMPLE`.
fn aws_keys(text: &str) -> Vec<(usize, Plaintext)> {
    let names = [
        "AWS_SECRET_ACCESS_KEY",
        "aws_secret_access_key",
        "secretAccessKey",
    ];
    let places = names.iter().flat_map(|name| text.match_indices(name));
    let set = places
        .filter(|(at, name)| value_of_variable(text, *at, at + name.len()).is_some_and(is_aws_key));
    set.map(|(at, _)| (at, Plaintext::Cloud)).collect()
}

fn is_aws_key(word: &str) -> bool {
    word.len() == 40 && is_base64(word) && !word.contains("EXAMPLE")
}

/// The value of a variable: `NAME: value`, `NAME=value`, or `name: NAME` before or after `value: …`, in YAML and JSON.
fn value_of_variable(text: &str, start: usize, end: usize) -> Option<&str> {
    const BETWEEN: [char; 9] = ['"', '\'', '\\', ' ', '\t', '\n', '\r', ',', '-'];
    const NEAR: usize = 512;
    let after = text.get(end..)?;
    let same_line = after.trim_start_matches(QUOTES);
    if let Some(value) = same_line.strip_prefix([':', '=']) {
        return word(value);
    }
    let next = after.trim_start_matches(BETWEEN).strip_prefix("value");
    if let Some(value) = next.and_then(|next| next.trim_start_matches(QUOTES).strip_prefix(':')) {
        return word(value);
    }
    // `value` comes first: between it and the name are only the value and the word `name`
    let before = text
        .get(..start)?
        .trim_end_matches(BETWEEN)
        .strip_suffix(':')?;
    let before = before.trim_end_matches(QUOTES).strip_suffix("name")?;
    let near =
        (before.len().saturating_sub(NEAR)..=before.len()).find_map(|from| before.get(from..))?;
    let (_, last) = near.rsplit_once("value")?;
    let value = last.trim_start_matches(QUOTES).strip_prefix(':')?;
    (!value.contains("name")).then(|| word(value)).flatten()
}

/// The scalar at the beginning of a value, or the beginning of it: a line can have thousands of fields. `None` for a map or a list.
fn word(value: &str) -> Option<&str> {
    const LONGEST: usize = 256;
    let value = value.trim_start();
    let mut rest = (0..4)
        .find_map(|less| value.get(..LONGEST - less))
        .unwrap_or(value);
    // the head of a block, and a tag
    while rest.starts_with(['|', '>', '!', '&']) {
        rest = rest.split_once(char::is_whitespace)?.1.trim_start();
    }
    rest = rest.trim_start_matches(['\\', '"', '\'']);
    let end = rest.find(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | ',' | '}' | ']' | ';')
    });
    let word = rest.get(..end.unwrap_or(rest.len()))?;
    (!word.ends_with(':')).then_some(word)
}

/// Whether a word can be a secret: it is not the text with which `kubectl config view` hides one, not an example of a page, not another
/// tool's reference, and not sealed.
fn is_secret(word: &str) -> bool {
    // and the placeholders in argo-cd `docs/operator-manual`
    const HIDDEN: [&str; 3] = ["REDACTED", "DATA+OMITTED", "string"];
    const BEGINS: [char; 11] = ['<', '$', '{', '*', '.', '[', '(', '#', '%', '…', '?'];
    const REFERENCES: [&str; 7] = ["ENC[", "ref+", "vault:", "op://", "file://", "my-", "your"];
    const CIPHERTEXT: usize = 200;
    let first = word.chars().next();
    word.len() >= 6
        && !HIDDEN.contains(&word)
        && !word.starts_with(BEGINS)
        && !REFERENCES
            .iter()
            .any(|reference| word.starts_with(reference))
        && !word.chars().all(|c| Some(c) == first)
        && !(word.len() > CIPHERTEXT && is_base64(word) && decoded(word).is_none())
}

/// Whether a word is 32 bytes in base64, as `wg` writes them, or that text in base64 again, as a Secret has it.
fn is_wireguard_key(word: &str) -> bool {
    matches!(word.len(), 44 | 60) && is_base64(word)
}

fn is_base64(word: &str) -> bool {
    word.trim_end_matches('=').chars().all(super::is_digit)
}
