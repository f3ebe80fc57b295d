//! A kubeconfig for people: with a credential that was just issued, and the user that the API server sees in a credential.

use super::usable::not_empty;
use super::{ClusterEntry, EntryNames, Kubeconfig, KubeconfigProblem, UserEntry, usable};
use crate::diagnostic::Bug;
use crate::peering::authentication::credential::x509::{
    COMMON_NAME, ORGANIZATION, all_certificates, decode_base64, first_certificate, validity,
};
use crate::peering::values::{ApiServer, ProxyUrl};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Map, Value};
use std::time::Duration;
use zeroize::Zeroizing;

/// A credential that an API server issued.
pub(crate) enum IssuedCredential {
    /// The token of a ServiceAccount.
    Token(Zeroizing<String>),
    /// A client certificate, base64 of PEM as in the status of its request, and its key in PEM.
    Certificate {
        data: String,
        key: Zeroizing<String>,
    },
}

/// The cluster part of a kubeconfig: its address, and how the server is verified.
#[derive(Clone)]
pub(crate) struct TargetCluster {
    context: String,
    cluster: ClusterEntry,
}

impl TargetCluster {
    /// The target in the JSON of a kubeconfig's `clusters[].cluster`, which has no user.
    pub(crate) fn parse(context: &str, json: &str) -> Result<Self, KubeconfigProblem> {
        let cluster = serde_json::from_str(json).map_err(|_| KubeconfigProblem::Malformed)?;
        Ok(Self {
            context: context.to_owned(),
            cluster,
        })
    }

    /// The target with the address at which others reach it.
    pub(crate) fn at_server(&self, server: Option<&str>) -> Self {
        let mut target = self.clone();
        if let Some(server) = server {
            server.clone_into(&mut target.cluster.server);
        }
        target
    }

    /// Checks that Liqo's controllers could use it, before there is a credential.
    pub(crate) fn check_server(&self) -> Result<(), KubeconfigProblem> {
        usable::cluster(&self.cluster)
    }

    /// The server to which a credential is sent.
    pub(crate) fn server(&self) -> &str {
        &self.cluster.server
    }

    /// Whether a credential is sent to a server whose identity is not verified.
    pub(crate) fn is_insecure(&self) -> bool {
        self.cluster.is_insecure()
    }

    /// The YAML of a kubeconfig with one user.
    ///
    /// # Errors
    /// Only for a bug in its template.
    pub(crate) fn kubeconfig(
        &self,
        user: &str,
        credential: &IssuedCredential,
    ) -> Result<Zeroizing<String>, Bug> {
        let mut kubeconfig = Kubeconfig {
            names: EntryNames {
                context: self.context.clone(),
                cluster: self.context.clone(),
                user: user.to_owned(),
            },
            cluster: self.cluster.clone(),
            user: UserEntry::default(),
        };
        let user = &mut kubeconfig.user;
        match credential {
            IssuedCredential::Token(token) => user.token = Some(token.clone()),
            IssuedCredential::Certificate { data, key } => {
                user.client_certificate_data = Some(data.clone());
                user.client_key_data = Some(Zeroizing::new(STANDARD.encode(key.as_bytes())));
            }
        }
        let text = kubeconfig.text()?;
        let text = std::str::from_utf8(&text).map_err(|_| Bug::new("a kubeconfig: its text"))?;
        Ok(Zeroizing::new(text.to_owned()))
    }
}

/// The user of a credential.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    /// How the user authenticates.
    pub(crate) by: &'static str,
    /// The user's name; `None` for a token whose format is not known.
    pub(crate) name: Option<String>,
    /// The user's groups, as far as the credential names them.
    pub(crate) groups: Vec<String>,
    /// The start of its validity, since 1970; `None` if the credential does not have one.
    pub(crate) begins: Option<Duration>,
    pub(crate) end: CredentialEnd,
}

/// When a credential ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CredentialEnd {
    /// Since 1970.
    At(Duration),
    /// A JWT without `exp`, such as that of a ServiceAccount's Secret (RFC 7519, section 4.1.4).
    Never,
    /// The token does not say it; tokens that begin like it usually live as long.
    Usually(&'static KnownToken),
    /// Only the API server knows.
    Unsaid,
}

/// A token that is known by its beginning.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KnownToken {
    start: &'static str,
    /// Whose tokens these are, and what they do.
    pub(crate) fact: &'static str,
    /// How long they usually live.
    pub(crate) life: Duration,
}

#[rustfmt::skip] // a table
const KNOWN: &[KnownToken] = &[
    // docs.openshift.com, "Configuring the internal OAuth server": accessTokenMaxAgeSeconds
    KnownToken { start: "sha256~", fact: "OpenShift's tokens usually end after 24 hours", life: Duration::from_secs(24 * 60 * 60) },
    // ranchermanager.docs.rancher.com, "Using API Tokens"
    KnownToken { start: "kubeconfig-u", fact: "Rancher's tokens usually end after 30 days, or 16 hours", life: Duration::from_secs(30 * 24 * 60 * 60) },
    // aws-iam-authenticator `pkg/token/token.go`, presignedURLExpiration
    KnownToken { start: "k8s-aws-v1.", fact: "AWS's tokens end after 15 minutes", life: Duration::from_secs(15 * 60) },
    // cloud.google.com/docs/authentication/token-types
    KnownToken { start: "ya29.", fact: "Google Cloud's tokens end after 1 hour", life: Duration::from_secs(60 * 60) },
    // tailscale `cmd/tailscale/cli/configure-kube.go`
    KnownToken { start: "unused", fact: "Tailscale's proxy knows callers by their tailnet address", life: Duration::MAX },
];

impl CredentialEnd {
    /// Since 1970, if the credential says so.
    pub(crate) fn time(&self) -> Option<Duration> {
        match self {
            Self::At(end) => Some(*end),
            _ => None,
        }
    }
}

impl Kubeconfig {
    /// The server to which the credential is sent.
    pub(crate) fn server(&self) -> &str {
        &self.cluster.server
    }

    /// Whether the proxy is on the machine that dials.
    pub(crate) fn dials_own_proxy(&self) -> bool {
        let proxy = self.cluster.proxy_url.as_deref();
        proxy.is_some_and(ProxyUrl::dials_own_host)
    }

    /// Whether the server is the API server of the cluster in which the kubeconfig is used.
    pub(crate) fn dials_own_cluster(&self) -> bool {
        let proxy = not_empty(self.cluster.proxy_url.as_deref());
        proxy.is_none() && ApiServer::is_of_every_cluster(self.server())
    }

    /// The user that the API server will see.
    pub(crate) fn holder(&self) -> Holder {
        let user = &self.user;
        if let Some(certificate) = not_empty(user.client_certificate_data.as_deref()) {
            return of_certificate(certificate);
        }
        let token = user.token.as_deref().map_or("", String::as_str);
        let claims = claims(token);
        let claim = |name| claims.as_ref()?.get(name);
        let known = KNOWN.iter().find(|known| token.starts_with(known.start));
        let end = match (claim("exp").and_then(time), known) {
            (Some(end), _) => CredentialEnd::At(end),
            (None, Some(known)) => CredentialEnd::Usually(known),
            (None, None) if claims.is_some() => CredentialEnd::Never,
            (None, None) => CredentialEnd::Unsaid,
        };
        let name = claim("sub").and_then(Value::as_str);
        let name = name.or(not_empty(user.username.as_deref()));
        Holder {
            by: user.token.as_ref().map_or("password", |_| "token"),
            name: name.map(ToOwned::to_owned),
            groups: Vec::new(),
            begins: claim("nbf").and_then(time),
            end,
        }
    }

    /// When the first of the certificates with which the server is verified begins, and when the last one ends, since 1970. Go verifies
    /// with none at another time (Go `crypto/x509/verify.go`, isValid). `None` if there is none, or one that cannot be read.
    pub(crate) fn authority(&self) -> Option<[Duration; 2]> {
        let data = self.cluster.certificate_authority_data.as_deref();
        let all = all_certificates(&decode_base64(not_empty(data)?)?)?;
        let validities = all.iter().map(validity);
        validities.reduce(|[first, last], [begin, end]| [first.min(begin), last.max(end)])
    }
}

/// The user of a certificate. The first one in the PEM is the user's; those after it lead to the authority.
fn of_certificate(data: &str) -> Holder {
    let mut holder = Holder {
        by: "client certificate",
        name: None,
        groups: Vec::new(),
        begins: None,
        end: CredentialEnd::Unsaid,
    };
    if let Some(pem) = decode_base64(data)
        && let Some(first) = first_certificate(&pem)
    {
        let [begins, end] = validity(&first);
        (holder.begins, holder.end) = (Some(begins), CredentialEnd::At(end));
        let subject = first.tbs_certificate.subject;
        for part in subject.0.iter().flat_map(|part| part.0.iter()) {
            let text = String::from_utf8_lossy(part.value.value()).into_owned();
            match part.oid {
                COMMON_NAME => holder.name = Some(text),
                ORGANIZATION => holder.groups.push(text),
                _ => {}
            }
        }
    }
    holder
}

/// The public claims of a token of a ServiceAccount or of OpenID Connect (RFC 7519, section 4.1).
fn claims(token: &str) -> Option<Map<String, Value>> {
    let payload = Zeroizing::new(URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?);
    serde_json::from_slice(&payload).ok()
}

/// It may have a fraction (RFC 7519, section 2, `NumericDate`). What is before 1970 is over.
fn time(claim: &Value) -> Option<Duration> {
    Duration::try_from_secs_f64(claim.as_f64()?.max(0.0)).ok()
}
