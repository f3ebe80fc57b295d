//! Whether Liqo could use a kubeconfig. Refused is what client-go refuses when it loads one (client-go
//! `tools/clientcmd/validation.go`, `transport/transport.go`), and what has no meaning in a controller's Pod.

use super::{ClusterEntry, Kubeconfig, UserEntry};
use crate::diagnostic::{quoted, reasons};
use crate::peering::authentication::credential::x509::decode_base64;
use crate::peering::values::{ApiServer, ProxyUrl, UrlFlaw};
use zeroize::Zeroizing;

pub(super) fn check_kubeconfig(config: &Kubeconfig) -> Result<(), KubeconfigProblem> {
    let (cluster, user) = (&config.cluster, &config.user);
    for (field, plugin) in [("exec", &user.exec), ("auth-provider", &user.auth_provider)] {
        if plugin.is_some() {
            return Err(KubeconfigProblem::Plugin(field));
        }
    }
    let certificate = ("client-certificate", &user.client_certificate);
    for (field, path) in [certificate, ("client-key", &user.client_key)] {
        if not_empty(path.as_deref()).is_some() {
            return Err(KubeconfigProblem::FilePath(field));
        }
    }
    if not_empty(user.token_file.as_deref()).is_some() {
        return Err(KubeconfigProblem::TokenFile);
    }
    self::cluster(cluster)?;
    credential(user)
}

pub(super) fn cluster(cluster: &ClusterEntry) -> Result<(), KubeconfigProblem> {
    if not_empty(cluster.certificate_authority.as_deref()).is_some() {
        return Err(KubeconfigProblem::FilePath("certificate-authority"));
    }
    filled_in("server", &cluster.server)?;
    match ApiServer::check_url(&cluster.server) {
        Ok(()) => {}
        Err(UrlFlaw::User) => return Err(KubeconfigProblem::ServerUser),
        Err(UrlFlaw::Own) => return Err(KubeconfigProblem::Loopback),
        Err(UrlFlaw::Port) => return Err(KubeconfigProblem::Port("server")),
        Err(_) => return Err(KubeconfigProblem::Server),
    }
    proxy(cluster)?;
    if let Some(authority) = not_empty(cluster.certificate_authority_data.as_deref()) {
        if cluster.is_insecure() {
            return Err(KubeconfigProblem::InsecureWithAuthority);
        }
        pem(authority, "certificate-authority-data", CERTIFICATE)?;
    }
    Ok(())
}

/// Checks that client-go accepts the proxy, and that the server behind it is verified: by `certificate-authority-data`, or by the root
/// certificates of the controller's image.
pub(super) fn proxy(cluster: &ClusterEntry) -> Result<(), KubeconfigProblem> {
    let Some(proxy) = not_empty(cluster.proxy_url.as_deref()) else {
        return Ok(());
    };
    if cluster.is_insecure() {
        return Err(KubeconfigProblem::InsecureProxy);
    }
    match ProxyUrl::check_url(proxy) {
        Ok(()) => Ok(()),
        Err(UrlFlaw::Port) => Err(KubeconfigProblem::Port("proxy-url")),
        Err(_) => Err(KubeconfigProblem::ProxyUrl),
    }
}

fn credential(user: &UserEntry) -> Result<(), KubeconfigProblem> {
    let is_other = user.as_name.is_some() || user.as_uid.is_some();
    if is_other || user.as_groups.is_some() || user.as_user_extra.is_some() {
        return Err(KubeconfigProblem::Impersonation);
    }
    let certificate = not_empty(user.client_certificate_data.as_deref());
    let key = secret(user.client_key_data.as_ref());
    let (token, password) = (secret(user.token.as_ref()), secret(user.password.as_ref()));
    for (field, value) in [("token", token), ("password", password)] {
        filled_in(field, value.unwrap_or_default())?;
    }
    let name = not_empty(user.username.as_deref());
    if let Some(token) = token {
        // a JWT begins with `{"`; this is the beginning in base64 twice
        if token.starts_with("ZXlK") && !token.contains('.') {
            return Err(KubeconfigProblem::EncodedToken);
        }
        if !token.as_bytes().iter().all(u8::is_ascii_graphic) {
            return Err(KubeconfigProblem::Token);
        }
        if name.is_some() || password.is_some() {
            return Err(KubeconfigProblem::TwoMethods);
        }
    }
    match (certificate, key) {
        (Some(certificate), Some(key)) => {
            pem(certificate, "client-certificate-data", CERTIFICATE)?;
            pem(key, "client-key-data", PRIVATE_KEY)
        }
        (None, None) if token.is_some() || name.zip(password).is_some() => Ok(()),
        (None, None) => Err(KubeconfigProblem::NoCredential),
        _ => Err(KubeconfigProblem::HalfCertificate),
    }
}

/// Refuses the text that kubectl prints in place of a value, the variable of a template, such as one of `envsubst`, Helm or Ansible, and the example of a page.
fn filled_in(field: &'static str, value: &str) -> Result<(), KubeconfigProblem> {
    // without `--raw` (kubernetes `staging/src/k8s.io/client-go/tools/clientcmd/api/helpers.go`, ShortenConfig)
    if matches!(value, "REDACTED" | "DATA+OMITTED") {
        return Err(KubeconfigProblem::Omitted(field));
    }
    let mut starts = ["${", "$(", "{{", "<", "%", "@", "__"].iter();
    let is_marked =
        starts.any(|start| value.starts_with(start) && (start.len() > 1 || field != "password"));
    let is_whole = is_marked && value.ends_with(['}', ')', '>', '%', '@', '_']);
    let is_part = match field {
        // a password may have all of these
        "password" => value.strip_prefix('$').is_some_and(is_variable),
        "token" => {
            value.contains(['<', '>', '{', '}', '$']) || (is_variable(value) && value.contains('_'))
        }
        _ => value.contains(['<', '{', '$']),
    };
    if is_whole || is_part {
        return Err(KubeconfigProblem::Placeholder(field));
    }
    Ok(())
}

/// Whether a text has the form of a variable's name, such as `MY_TOKEN`.
fn is_variable(text: &str) -> bool {
    let is_part = |byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_');
    text.as_bytes().iter().any(u8::is_ascii_uppercase) && text.bytes().all(is_part)
}

/// The texts by which Go's `crypto/x509` and `crypto/tls` find PEM.
const BEGIN: &[u8] = b"-----BEGIN ";
const CERTIFICATE: &[u8] = b"-----BEGIN CERTIFICATE-----";
const ENCRYPTED: &[u8] = b"-----BEGIN ENCRYPTED PRIVATE KEY-----";
const PRIVATE_KEY: &[u8] = b"PRIVATE KEY-----";

fn pem(data: &str, field: &'static str, has: &[u8]) -> Result<(), KubeconfigProblem> {
    filled_in(field, data)?;
    let decoded = decode_base64(data).ok_or(KubeconfigProblem::Pem(field))?;
    // `crypto/tls` finds an encrypted key, and then cannot read it
    if contains(&decoded, ENCRYPTED) {
        return Err(KubeconfigProblem::EncryptedKey(field));
    }
    // Go finds a block only at the beginning of a line (`encoding/pem`, Decode)
    let mut lines = decoded.split(|byte| *byte == b'\n');
    if lines.any(|line| line.starts_with(BEGIN) && contains(line, has)) {
        Ok(())
    } else if contains(&decoded, has) {
        Err(KubeconfigProblem::PemLine(field))
    } else {
        Err(KubeconfigProblem::Pem(field))
    }
}

pub(super) fn contains(bytes: &[u8], part: &[u8]) -> bool {
    // `windows` panics for an empty part
    !part.is_empty() && bytes.windows(part.len()).any(|window| window == part)
}

/// The value, if it is not empty: an empty value counts as missing.
pub(super) fn not_empty(value: Option<&str>) -> Option<&str> {
    value.filter(|value| !value.is_empty())
}

fn secret(value: Option<&Zeroizing<String>>) -> Option<&str> {
    not_empty(Some(value?.as_str()))
}

const VALID: &str = "use a valid one, correct this machine's clock, or set --allow-expired";

const FLATTEN: &str =
    "`kubectl config view --raw --minify --flatten` prints a complete one of the current context";

reasons! {
    /// Why a kubeconfig cannot be used. The error names fields, never values.
    pub enum KubeconfigProblem {
        /// Not a kubeconfig at all.
        Malformed
            error("it is not a kubeconfig")
            help FLATTEN;
        Empty
            error("it is empty")
            help FLATTEN;
        /// A Secret with a kubeconfig in it, as Cluster API and others keep one.
        Secret
            error("this is a Secret, not the kubeconfig in it")
            help "`kubectl get secret NAME -n NAMESPACE -o jsonpath='{.data.value}' | base64 -d > kubeconfig` takes it out; the key may be `kubeconfig`";
        /// Two entries of one name.
        Duplicate(list: &'static str)
            error("its `{0}` have two entries of one name")
            help "remove or rename the other";
        /// Another kind of file.
        OtherKind(kind: &'static str)
            error("this is not a kubeconfig: its `kind` is {0}")
            help FLATTEN;
        /// The credential has expired.
        Expired(day: String)
            error("its credential expired on {0}")
            help "create a new one, or set --allow-expired";
        /// The credential ends before Liqo could work with it.
        Minutes(words: String)
            error("its credential {0}")
            help "run `seal kubeconfig --from-context`, use the token of a ServiceAccount's Secret, or set --allow-expired";
        /// The credential is not valid yet.
        NotYet(day: String)
            error("its credential is not valid before {0}")
            help VALID;
        /// No server is trusted by its authority.
        Authority(time: String)
            error("its `certificate-authority-data` {0}")
            help VALID;
        /// The provider gives the user no rights.
        OtherUser { user: String, kind: &'static str, subject: String }
            error("its user is {}, and `subject` is the {kind} {}: no rights", quoted(.user), quoted(.subject))
            help "use the subject's credential, correct `subject`, or set --allow-other-user";
        /// A reference to a missing entry.
        Dangling(reference: &'static str)
            error("its {0} is missing or names nothing in the file")
            help FLATTEN;
        /// A credential plugin.
        Plugin(field: &'static str)
            error("its user has `{0}`, which Liqo's controllers lack")
            help "use a client certificate, or the token of a ServiceAccount's Secret";
        /// A file path.
        FilePath(field: &'static str)
            error("its `{0}` names a file, which Liqo's controllers lack")
            help FLATTEN;
        /// A file path that kubectl does not put inline.
        TokenFile
            error("{}", Self::FilePath("tokenFile"))
            help "write `token` instead, from a ServiceAccount's Secret";
        /// The text that kubectl prints in place of a value.
        Omitted(field: &'static str)
            error("its `{0}` is hidden: kubectl prints it with `--raw`")
            help FLATTEN;
        /// The text of a template or of a page.
        Placeholder(field: &'static str)
            error("its `{0}` is a variable or an example")
            help FLATTEN;
        /// The token is in base64, as in a Secret.
        EncodedToken
            error("its `token` is still in base64")
            help "`kubectl get secret NAME -n NAMESPACE -o jsonpath='{.data.token}' | base64 -d` prints the token";
        /// No credential.
        NoCredential
            error("its user has no token, password or client certificate")
            help "add the provider's credential for this consumer";
        /// Not an API server's URL.
        Server
            error("its server is not an https:// URL")
            help "write the URL at which the consumer reaches it";
        /// A port outside of 1 to 65535.
        Port(field: &'static str)
            error("its `{0}` has no port from 1 to 65535")
            help "write its port";
        /// A user in the server's URL.
        ServerUser
            error("its server has a user name or a password")
            help "move it to the user's `username` and `password`";
        /// A loopback address, which means the machine that the file is from.
        Loopback
            error("its server is a loopback address")
            help "write the address at which the consumer reaches it; with --from-context, set --server";
        /// The token has a character that an HTTP header cannot have (RFC 6750, section 2.1).
        Token
            error("its token has white space or another impossible character")
            help "write the token in quotes on one line";
        /// Another user's name.
        Impersonation
            error("its user impersonates another (`as…`)")
            help "create that user's own credential";
        /// Two ways to authenticate.
        TwoMethods
            error("its user has token and password, and client-go takes one")
            help "remove one of them";
        /// Half of a client certificate.
        HalfCertificate
            error("its client certificate or its key is missing")
            help "set `client-certificate-data` and `client-key-data`";
        /// Not base64 of PEM.
        Pem(field: &'static str)
            error("its `{0}` is not base64 of PEM")
            help "`base64 -w0 FILE` encodes a PEM file";
        /// Go does not find the PEM.
        PemLine(field: &'static str)
            error("the PEM in its `{0}` does not begin a line")
            help "remove the characters before it; encode it with `base64 -w0 FILE`";
        /// The key has a passphrase, which a kubeconfig cannot contain.
        EncryptedKey(field: &'static str)
            error("its `{0}` is encrypted")
            help "`openssl pkey -in KEY -out NEW` decrypts it; encode NEW with `base64 -w0 NEW`";
        /// The certificate and the key do not belong together.
        Pair
            error("its `client-key-data` is not the key of its `client-certificate-data`")
            help "take both from one user: `kubectl config view --raw --minify --flatten`";
        /// One field says how the server is verified, another that it is not.
        InsecureWithAuthority
            error("it has `certificate-authority-data` and `insecure-skip-tls-verify: true`: client-go refuses them together")
            help "remove `insecure-skip-tls-verify`";
        /// The server is not verified.
        Insecure
            error("it has `insecure-skip-tls-verify: true`: any server at that address gets its credential")
            help "use the server's `certificate-authority-data` instead, or else --insecure-skip-tls-verify";
        /// The server is not verified, and a proxy is in between.
        InsecureProxy
            error("it has `insecure-skip-tls-verify: true`, so its proxy could read the credential")
            help "use the server's `certificate-authority-data` instead, or no proxy";
        /// Not a proxy's URL.
        ProxyUrl
            error("its `proxy-url` is no http://, https:// or socks5:// URL")
            help "for example `http://proxy.example.org:3128`";
        /// The document has another proxy.
        Proxy
            error("its `proxy-url` is not the authentication's `proxyURL`")
            help "set both alike, or remove `proxy-url`";
    }
}
