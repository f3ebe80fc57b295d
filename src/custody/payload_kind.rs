//! The kinds of sealed files. A new kind is a line of `payload_kinds!`, and the compiler asks for the rest in this file.

use super::Error;
use super::keys::Seed;
use super::terms::Terms;
use super::terms::TermsJson;
use crate::diagnostic::one_of;
use crate::peering::authentication::credential::Sealed;
use crate::peering::authentication::credential::kubeconfig::{self, Kubeconfig};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

/// The payload's version that this program writes and reads.
pub(super) const VERSION: u64 = 1;

/// Declares the kinds of payload: each is a `type`, and the name of the one field that holds its secret.
macro_rules! payload_kinds {
    ($( $(#[$doc:meta])* $kind:ident: $field:ident, )*) => {
        /// What a sealed file is for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum PayloadKind {
            $( $(#[$doc])* $kind, )*
        }

        impl PayloadKind {
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// The payload's `type`, and the name of the field that holds the secret.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$kind => stringify!($field),)*
                }
            }
        }

        /// As the JSON has it. serde takes the secret's one copy from the text, and it is wiped.
        #[derive(Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct PayloadJson {
            v: u64,
            r#type: String,
            $(
                #[serde(default, skip_serializing_if = "Option::is_none")]
                $field: Option<Zeroizing<String>>,
            )*
            bind: TermsJson,
        }

        impl PayloadJson {
            pub(super) fn new(kind: PayloadKind, secret: Zeroizing<String>, terms: &Terms) -> Self {
                let mut json =
                    Self { v: VERSION, r#type: kind.word().into(), $($field: None,)* bind: terms.to_json() };
                match kind {
                    $(PayloadKind::$kind => json.$field = Some(secret),)*
                }
                json
            }

            /// The kind, its secret and the terms, if there is the kind's field and no other one.
            pub(super) fn read(self) -> Option<(PayloadKind, Zeroizing<String>, TermsJson)> {
                let mut secrets = Vec::new();
                $(secrets.extend(self.$field.map(|secret| (PayloadKind::$kind, secret)));)*
                match <[_; 1]>::try_from(secrets) {
                    Ok([(kind, secret)]) if kind.word() == self.r#type => Some((kind, secret, self.bind)),
                    _ => None,
                }
            }
        }
    };
}

payload_kinds! {
    /// The seed of a peering, or of one side of it.
    Seed: seed,
    /// The credential with which one cluster uses the other one.
    Kubeconfig: kubeconfig,
}

impl PayloadKind {
    /// The most that is read of such a file. A seed has 79 characters, its terms, and up to 3 KB for a
    /// certificate; a kubeconfig has certificates.
    pub const fn cap(self) -> u64 {
        match self {
            Self::Seed => 16 * 1024,
            Self::Kubeconfig => 128 * 1024,
        }
    }

    /// The command that makes such a file.
    pub const fn command(self) -> &'static str {
        match self {
            Self::Seed => "seed new",
            Self::Kubeconfig => kubeconfig::COMMAND,
        }
    }

    /// The commands that make sealed files, in words.
    pub(super) fn commands() -> String {
        let commands: Vec<_> =
            Self::ALL.iter().map(|kind| format!("argocd-peering {}", kind.command())).collect();
        one_of(&commands.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Why a secret of this kind cannot be used, if it cannot.
    pub(crate) fn problem(self, secret: &str) -> Option<String> {
        match self {
            Self::Seed => secret.parse::<Seed>().err().map(|problem| problem.to_string()),
            Self::Kubeconfig => Kubeconfig::parse(secret).err().map(|problem| problem.to_string()),
        }
    }
}

/// The kind of a credential's sealed file.
pub(super) const fn kind_of(credential: Sealed<'_>) -> PayloadKind {
    match credential {
        Sealed::Kubeconfig(_) => PayloadKind::Kubeconfig,
    }
}

/// What a stream shows of a credential's secret, through the proxy that the document names.
pub(super) fn shown(
    credential: Sealed<'_>,
    secret: &str,
    proxy: Option<&str>,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    match credential {
        Sealed::Kubeconfig(sealed) => {
            let kubeconfig = Kubeconfig::parse(secret).and_then(|kubeconfig| kubeconfig.through(proxy));
            let name = || sealed.file.value.to_string();
            Ok(kubeconfig.map_err(|problem| Error::Kubeconfig { name: name(), problem })?.text()?)
        }
    }
}
