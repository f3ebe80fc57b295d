//! Key material in wrong places of a document. All of it is made up.

use crate::harness::corpus::GOOD;
use crate::harness::words;

/// What must not be seen, and its kind. Each is as long as a real one.
pub(crate) const SECRETS: [(&str, &str); 10] = [
    ("a WireGuard key", "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30="),
    ("an age identity", "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33"),
    (
        "a post-quantum age identity",
        "AGE-SECRET-KEY-PQ-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J3",
    ),
    (
        "an age plugin's identity",
        "AGE-PLUGIN-YUBIKEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y",
    ),
    ("a seed", "ARGOCD-PEERING-SEED-1QQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS23V9CCRYDPK8QARC0SZRRXVH"),
    (
        "a seed in lower case",
        "argocd-peering-seed-1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0szrrxvh",
    ),
    ("a key in hexadecimal", "78ed423fa4b96c2b458f4884c430c5c83b86cc093effe062b450e4678de0737d"),
    ("a short token behind its field's name", "token: hunter2-hunter2-hunter2"),
    ("letters and digits", "hT9wQ2mXcVb7NzLrK4pJdF6sYgA1uE8oB3iRtM5w"),
    (
        "a token",
        "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJrdWJlcm5ldGVzIiwic3ViIjoicm9tZSJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg",
    ),
];

/// Documents that have the secret on a line that a diagnostic shows.
pub(crate) fn documents(secret: &str) -> Vec<(String, String)> {
    let lines: Vec<_> = secret.as_bytes().chunks(32).map(String::from_utf8_lossy).collect();
    let lines = lines.join("\n      ");
    let rows = include_str!("secrets.txt").lines().filter(|it| it.starts_with('"')).map(words);
    let documents = rows.map(|row| {
        let [name, from, to] = &row[..] else { panic!("{row:?}") };
        assert!(GOOD.contains(from), "{from:?} is in the good document");
        (name.clone(), GOOD.replacen(from, &to.replace('@', secret).replace("LINES", &lines), 1))
    });
    documents.chain([("as the whole document".to_owned(), secret.to_owned())]).collect()
}
