//! Why a kubeconfig is refused, and the way out.

use crate::diagnostic::{quoted, reasons};

reasons! {
    /// Why a kubeconfig cannot be used. Names fields, never values.
    pub enum KubeconfigProblem {
        /// Not a kubeconfig at all.
        Malformed
            error("it is not a kubeconfig (YAML or JSON with clusters, contexts and users)")
            help "`kubectl config view --raw --minify --flatten` prints one with the current context only";
        /// Another kind of file.
        OtherKind { kind: String }
            error("this is not a kubeconfig: its `kind` is {}", quoted(.kind))
            help "`kubectl config view --raw --minify --flatten` prints one with the current context only";
        /// It authenticates no one any more.
        Expired(String)
            error("its credential expired on {0}")
            help "create a new one at the provider; with --allow-expired it is sealed all the same";
        /// The provider gives it no rights.
        OtherUser { user: String, kind: &'static str, subject: String }
            error("its user is {}, and the document's `subject` is the {kind} {}, so the provider gives it no rights", quoted(.user), quoted(.subject))
            help "use the credential of the subject, or correct `subject`; with --allow-other-user it is sealed all the same";
        /// A reference that leads nowhere.
        Dangling(&'static str)
            error("its {0} is missing or names nothing in the file")
            help "`kubectl config view --raw --minify --flatten` prints one with the current context only";
        /// A credential plugin.
        Plugin(&'static str)
            error("its user has `{0}`, which runs a program or calls a service that Liqo's controllers do not have")
            help "use a client certificate, or the token of a ServiceAccount (a Secret of type kubernetes.io/service-account-token)";
        /// A file path.
        FilePath(&'static str)
            error("it names a file in `{0}`, and Liqo's controllers do not have that file")
            help "`kubectl config view --raw --minify --flatten` puts the files' contents inline";
        /// No credential.
        NoCredential
            error("its user has neither a token, nor a client certificate with its key, nor a name with a password")
            help "add the provider's credential for this consumer";
        /// Not an API server's URL.
        Server
            error("its server is not an https:// URL")
            help "its server is the https:// URL at which the consumer's Liqo reaches the provider's API server";
        /// A port that no server has.
        Port(&'static str)
            error("its `{0}` does not have a port from 1 to 65535")
            help "write the port that it listens on, or leave `:` and the port out";
        /// A user in the server's URL.
        ServerUser
            error("its server has a user name in it, and perhaps a password")
            help "remove them from the URL, and put them into the user's `username` and `password`";
        /// The machine that the file is from.
        Loopback
            error("its server is a loopback address, or one like it, which Liqo's controllers cannot reach")
            help "its server is the https:// URL at which the consumer's Liqo reaches the provider's API server; with --from-context it is set with --server";
        /// Not what a header of HTTP can hold (RFC 6750, section 2.1).
        Token
            error("its token has white space, a line break or another character that is not allowed in a token")
            help "write the token in quotes on one line";
        /// Another user's name.
        Impersonation
            error("its user impersonates another user (`as`, `as-groups`, `as-uid` or `as-user-extra`)")
            help "create a credential for that user itself";
        /// Two ways to authenticate.
        TwoMethods
            error("its user has both a token and a name with a password, and client-go takes only one of the two")
            help "remove one of the two, or use a client certificate";
        /// Half of a client certificate.
        HalfCertificate
            error("its user has a client certificate or its key without the other one")
            help "a client certificate has `client-certificate-data` and `client-key-data`";
        /// Not what client-go reads.
        Pem(&'static str)
            error("its `{0}` is not base64 of PEM")
            help "`base64 -w0 FILE` encodes a PEM file";
        /// One says how the server is verified, the other that it is not.
        InsecureWithAuthority
            error("it has a `certificate-authority-data` and `insecure-skip-tls-verify: true`, and client-go refuses both together")
            help "remove `insecure-skip-tls-verify`";
        /// The server is not verified.
        Insecure
            error("it has `insecure-skip-tls-verify: true`, so its credential would go to any server that answers at that address")
            help "replace it by the server's `certificate-authority-data`; if that is not possible, use --insecure-skip-tls-verify";
        /// The server is not verified, and there is a proxy on the way.
        InsecureProxy
            error("it has `insecure-skip-tls-verify: true` and goes through a proxy, which could answer in the server's place and read the credential")
            help "replace `insecure-skip-tls-verify` by the server's `certificate-authority-data`, or use no proxy";
        /// Not a proxy's URL.
        ProxyUrl
            error("its `proxy-url` is not an http://, https:// or socks5:// URL")
            help "for example `http://proxy.example.org:3128`";
        /// The document has another one.
        Proxy
            error("its `proxy-url` is not the `proxyURL` of the authentication it is for")
            help "set the same in both places, or leave `proxy-url` out of the kubeconfig: it is filled in";
    }
}
