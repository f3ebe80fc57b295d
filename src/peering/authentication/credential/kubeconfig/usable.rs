//! Whether Liqo could use a kubeconfig: what client-go refuses when it is loaded (client-go
//! `tools/clientcmd/validation.go`, `transport/transport.go`), and what has no meaning in a controller's Pod.

use super::{Cluster, Kubeconfig, KubeconfigProblem, User};
use crate::peering::values::{ApiServer, Flaw, ProxyUrl};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

pub(super) fn check(config: &Kubeconfig) -> Result<(), KubeconfigProblem> {
    let (cluster, user) = (&config.cluster, &config.user);
    for (field, plugin) in [("exec", user.exec.is_some()), ("auth-provider", user.auth_provider.is_some())] {
        if plugin {
            return Err(KubeconfigProblem::Plugin(field));
        }
    }
    for (field, path) in [
        ("client-certificate", &user.client_certificate),
        ("client-key", &user.client_key),
        ("tokenFile", &user.token_file),
    ] {
        if some(path.as_deref()).is_some() {
            return Err(KubeconfigProblem::FilePath(field));
        }
    }
    self::cluster(cluster)?;
    credential(user)
}

pub(super) fn cluster(cluster: &Cluster) -> Result<(), KubeconfigProblem> {
    if some(cluster.certificate_authority.as_deref()).is_some() {
        return Err(KubeconfigProblem::FilePath("certificate-authority"));
    }
    ApiServer::check(&cluster.server).map_err(|flaw| match flaw {
        Flaw::User => KubeconfigProblem::ServerUser,
        Flaw::Own => KubeconfigProblem::Loopback,
        Flaw::Port => KubeconfigProblem::Port("server"),
        Flaw::NoScheme | Flaw::Capitals | Flaw::Scheme | Flaw::Shape => KubeconfigProblem::Server,
    })?;
    proxy(cluster)?;
    if let Some(authority) = some(cluster.certificate_authority_data.as_deref()) {
        if cluster.is_insecure() {
            return Err(KubeconfigProblem::InsecureWithAuthority);
        }
        pem(authority, "certificate-authority-data", CERTIFICATE)?;
    }
    Ok(())
}

/// A proxy is one that client-go takes, on the way to a server that proves who it is: by `certificate-authority-data`, or
/// to the roots of the controller's image.
pub(super) fn proxy(cluster: &Cluster) -> Result<(), KubeconfigProblem> {
    let Some(proxy) = some(cluster.proxy_url.as_deref()) else { return Ok(()) };
    if cluster.is_insecure() {
        return Err(KubeconfigProblem::InsecureProxy);
    }
    ProxyUrl::check(proxy).map_err(|flaw| match flaw {
        Flaw::Port => KubeconfigProblem::Port("proxy-url"),
        _ => KubeconfigProblem::ProxyUrl,
    })
}

fn credential(user: &User) -> Result<(), KubeconfigProblem> {
    let impersonation = [&user.as_name, &user.as_uid, &user.as_groups, &user.as_user_extra];
    if impersonation.into_iter().any(Option::is_some) {
        return Err(KubeconfigProblem::Impersonation);
    }
    let certificate = some(user.client_certificate_data.as_deref());
    let key = secret(user.client_key_data.as_ref());
    let token = secret(user.token.as_ref());
    if token.is_some_and(|token| !token.bytes().all(|byte| byte.is_ascii_graphic())) {
        return Err(KubeconfigProblem::Token);
    }
    let token = token.is_some();
    let (name, password) = (some(user.username.as_deref()), secret(user.password.as_ref()));
    if token && (name.is_some() || password.is_some()) {
        return Err(KubeconfigProblem::TwoMethods);
    }
    match (certificate, key) {
        (Some(certificate), Some(key)) => {
            pem(certificate, "client-certificate-data", CERTIFICATE)?;
            pem(key, "client-key-data", PRIVATE_KEY)
        }
        (None, None) if token || (name.is_some() && password.is_some()) => Ok(()),
        (None, None) => Err(KubeconfigProblem::NoCredential),
        _ => Err(KubeconfigProblem::HalfCertificate),
    }
}

/// What Go's `crypto/x509` and `crypto/tls` look for.
const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----";
const PRIVATE_KEY: &str = "PRIVATE KEY-----";

fn pem(data: &str, field: &'static str, has: &str) -> Result<(), KubeconfigProblem> {
    // Go's base64 passes over the line breaks that `base64` without `-w0` makes
    let data: Zeroizing<String> = Zeroizing::new(data.replace(['\r', '\n'], ""));
    let decoded = STANDARD.decode(&*data).map(Zeroizing::new).map_err(|_| KubeconfigProblem::Pem(field))?;
    let found = decoded.windows(has.len()).any(|window| window == has.as_bytes());
    if found { Ok(()) } else { Err(KubeconfigProblem::Pem(field)) }
}

/// An empty value is a missing one.
fn some(value: Option<&str>) -> Option<&str> {
    value.filter(|value| !value.is_empty())
}

fn secret(value: Option<&Zeroizing<String>>) -> Option<&str> {
    some(value.map(|value| value.as_str()))
}
