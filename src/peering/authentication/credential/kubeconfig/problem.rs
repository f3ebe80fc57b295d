//! Why a kubeconfig is refused, and the way out.

/// Declares why a kubeconfig is refused: the message, and the way out.
macro_rules! problems {
    ($( $(#[doc = $doc:literal])* $problem:ident $(($field:ty))?: $message:literal, $help:literal; )*) => {
        /// Why a kubeconfig cannot be used. Names fields, never values.
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        pub enum KubeconfigProblem {
            $( $(#[doc = $doc])* #[error($message)] $problem $(($field))?, )*
        }

        impl KubeconfigProblem {
            /// The way out.
            pub const fn help(&self) -> &'static str {
                match self {
                    $( Self::$problem { .. } => $help, )*
                }
            }
        }
    };
}

problems! {
    /// Not a kubeconfig at all.
    Malformed: "it is not a kubeconfig (YAML or JSON with clusters, contexts and users)",
        "`kubectl config view --raw --minify --flatten` prints one with the current context only";
    /// A reference that leads nowhere.
    Dangling(&'static str): "its {0} is missing or names nothing in the file",
        "`kubectl config view --raw --minify --flatten` prints one with the current context only";
    /// A credential plugin.
    Plugin(&'static str):
        "its user has `{0}`, which runs a program or calls a service that Liqo's controllers do not have",
        "use a client certificate, or the token of a ServiceAccount (a Secret of type kubernetes.io/service-account-token)";
    /// A file path.
    FilePath(&'static str): "it names a file in `{0}`, and Liqo's controllers do not have that file",
        "`kubectl config view --raw --minify --flatten` puts the files' contents inline";
    /// No credential.
    NoCredential:
        "its user has neither a token, nor a client certificate with its key, nor a name with a password",
        "add the provider's credential for this consumer";
    /// Not an API server's URL.
    Server: "its server is not an https:// URL",
        "its server is the https:// URL at which the consumer's Liqo reaches the provider's API server";
    /// A port that no server has.
    Port(&'static str): "its `{0}` does not have a port from 1 to 65535",
        "write the port that it listens on, or leave `:` and the port out";
    /// A user in the server's URL.
    ServerUser: "its server has a user name in it, and perhaps a password",
        "remove them from the URL, and put them into the user's `username` and `password`";
    /// The machine that the file is from.
    Loopback: "its server is a loopback address, or one like it, which Liqo's controllers cannot reach",
        "its server is the https:// URL at which the consumer's Liqo reaches the provider's API server";
    /// Not what a header of HTTP can hold (RFC 6750, section 2.1).
    Token: "its token has white space, a line break or another character that is not allowed in a token",
        "write the token in quotes on one line";
    /// Another user's name.
    Impersonation: "its user impersonates another user (`as`, `as-groups`, `as-uid` or `as-user-extra`)",
        "create a credential for that user itself";
    /// Two ways to authenticate.
    TwoMethods: "its user has both a token and a name with a password, and client-go takes only one of the two",
        "remove one of the two, or use a client certificate";
    /// Half of a client certificate.
    HalfCertificate: "its user has a client certificate or its key without the other one",
        "a client certificate has `client-certificate-data` and `client-key-data`";
    /// Not what client-go reads.
    Pem(&'static str): "its `{0}` is not base64 of PEM", "`base64 -w0 FILE` encodes a PEM file";
    /// One says how the server is verified, the other that it is not.
    InsecureWithAuthority:
        "it has a `certificate-authority-data` and `insecure-skip-tls-verify: true`, and client-go refuses both together",
        "remove `insecure-skip-tls-verify`";
    /// The server is not verified.
    Insecure:
        "it has `insecure-skip-tls-verify: true`, so its credential would go to any server that answers at that address",
        "replace it by the server's `certificate-authority-data`; if that is not possible, use --insecure-skip-tls-verify";
    /// The server is not verified, and there is a proxy on the way.
    InsecureProxy:
        "it has `insecure-skip-tls-verify: true` and goes through a proxy, which could answer in the server's place and read the credential",
        "replace `insecure-skip-tls-verify` by the server's `certificate-authority-data`, or use no proxy";
    /// Not a proxy's URL.
    ProxyUrl: "its `proxy-url` is not an http://, https:// or socks5:// URL",
        "for example `http://proxy.example.org:3128`";
    /// The document has another one.
    Proxy: "its `proxy-url` is not the `proxyURL` of the authentication it is for",
        "set the same in both places, or leave `proxy-url` out of the kubeconfig: it is filled in";
}
