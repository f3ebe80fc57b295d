//! Why a kubeconfig is refused, and the way out.

/// Why a kubeconfig cannot be used. Names fields, never values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KubeconfigProblem {
    /// Not a kubeconfig at all.
    #[error("it is not a kubeconfig (YAML or JSON with clusters, contexts and users)")]
    Malformed,
    /// A reference that leads nowhere.
    #[error("its {0} is missing or names nothing in the file")]
    Dangling(&'static str),
    /// A credential plugin.
    #[error(
        "its user has `{0}`, which would run a program or call a service, and Liqo's controllers have neither"
    )]
    Plugin(&'static str),
    /// A file path.
    #[error("it names a file in `{0}`, and Liqo's controllers do not have that file")]
    FilePath(&'static str),
    /// No credential.
    #[error(
        "its user has neither a token, nor a client certificate with its key, nor a name with a password"
    )]
    NoCredential,
    /// Not an API server's URL.
    #[error("its server is not an https:// URL")]
    Server,
    /// A port that no server has.
    #[error("its `{0}` does not have a port from 1 to 65535")]
    Port(&'static str),
    /// Who comes is the user's part of the file to say.
    #[error("its server has a user name in it, and perhaps a password")]
    ServerUser,
    /// The machine that the file is from.
    #[error("its server is a loopback address, or one like it, at which Liqo's controllers find nobody")]
    Loopback,
    /// Not what a header of HTTP can hold (RFC 6750, section 2.1).
    #[error("its token has white space, a line break or another character that no token has")]
    Token,
    /// Another user's name.
    #[error("its user acts as somebody else (`as`, `as-groups`, `as-uid` or `as-user-extra`)")]
    Impersonation,
    /// Two ways to say who comes.
    #[error("its user has both a token and a name with a password, and client-go takes only one of the two")]
    TwoMethods,
    /// Half of a client certificate.
    #[error("its user has a client certificate or its key without the other one")]
    HalfCertificate,
    /// Not what client-go reads.
    #[error("its `{0}` is not base64 of PEM")]
    Pem(&'static str),
    /// Who is the server?
    #[error(
        "it has a `certificate-authority-data` and `insecure-skip-tls-verify: true`, and client-go refuses both together"
    )]
    InsecureWithAuthority,
    /// Who is the server? Nobody asks.
    #[error(
        "it has `insecure-skip-tls-verify: true`, so its credential would go to any server that answers at that address"
    )]
    Insecure,
    /// Who is the server? The proxy could say that it is.
    #[error(
        "it has `insecure-skip-tls-verify: true` and goes through a proxy, which could answer in the server's place and read the credential"
    )]
    InsecureProxy,
    /// Not a proxy's URL.
    #[error("its `proxy-url` is not an http://, https:// or socks5:// URL")]
    ProxyUrl,
    /// The document says another one.
    #[error("its `proxy-url` is not the `proxyURL` of the authentication it is for")]
    Proxy,
}

impl KubeconfigProblem {
    /// The way out.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Malformed | Self::Dangling(_) => {
                "`kubectl config view --raw --minify --flatten` prints one with the current context only"
            }
            Self::FilePath(_) => {
                "`kubectl config view --raw --minify --flatten` puts the files' contents inline"
            }
            Self::Plugin(_) => {
                "use a client certificate, or the token of a ServiceAccount (a Secret of type kubernetes.io/service-account-token)"
            }
            Self::NoCredential => "add the provider's credential for this consumer",
            Self::Token => "write the token in quotes on one line",
            Self::Server | Self::Loopback => {
                "its server is the https:// URL at which the consumer's Liqo reaches the provider's API server"
            }
            Self::Port(_) => "write the port that it listens on, or leave `:` and the port out",
            Self::ServerUser => {
                "write the server without them; a name with a password stands in `username` and `password`"
            }
            Self::Impersonation => "give the other cluster a credential of its own, as whom it is to come",
            Self::TwoMethods => "remove one of the two, or use a client certificate",
            Self::HalfCertificate => {
                "a client certificate has `client-certificate-data` and `client-key-data`"
            }
            Self::Pem(_) => "`base64 -w0 <file>` makes it of a PEM file",
            Self::InsecureWithAuthority => "remove `insecure-skip-tls-verify`",
            Self::Insecure => {
                "replace it by the server's `certificate-authority-data`; if that cannot be, seal it with --insecure-skip-tls-verify"
            }
            Self::InsecureProxy => {
                "replace `insecure-skip-tls-verify` by the server's `certificate-authority-data`, or use no proxy"
            }
            Self::ProxyUrl => "for example `http://proxy.example.org:3128`",
            Self::Proxy => {
                "say the same in both places, or leave `proxy-url` out of the kubeconfig: it is filled in"
            }
        }
    }
}
