//! Why a provider's API server issued no credential that can be sealed.

use crate::diagnostic::{quoted, reasons};

reasons! {
    /// Why there is no credential.
    pub enum Unissued {
        /// It comes with the stream.
        NoAccount { namespace: String, name: String }
            error("there is no ServiceAccount {} in the namespace {}", quoted(.name), quoted(.namespace))
            help "the provider's stream makes it: commit with `credential: pending`, wait for the provider's sync, and run this again";
        /// A Secret of the token's name, with something else in it.
        OtherSecret { namespace: String, name: String }
            error("the Secret {} in the namespace {} is not for a token of this ServiceAccount", quoted(.name), quoted(.namespace))
            help "delete it, if nobody needs it, and run this again";
        /// Kubernetes did not fill it.
        NoToken { namespace: String, name: String, seconds: u64 }
            error("the Secret {} in the namespace {} has no token after {seconds} seconds", quoted(.name), quoted(.namespace))
            help "kube-controller-manager fills it: look for its errors, and run this again";
        /// Somebody said no.
        Denied { name: String, reason: String }
            error("the CertificateSigningRequest {} was denied: {}", quoted(.name), quoted(.reason))
            help "ask the provider's administrators, or use a ServiceAccount as the document's `subject`";
        /// The signer cannot.
        Failed { name: String, reason: String }
            error("the CertificateSigningRequest {} failed: {}", quoted(.name), quoted(.reason))
            help "use a ServiceAccount as the document's `subject`: its token needs no signature";
        /// No signer answers.
        NoCertificate { name: String, seconds: u64 }
            error("the CertificateSigningRequest {} has no certificate after {seconds} seconds", quoted(.name))
            help "some managed clusters, such as EKS, sign no client certificates: use a ServiceAccount as the document's `subject`";
        /// A certificate that is not for the key, or none.
        OtherKey { name: String }
            error("the certificate of the CertificateSigningRequest {} is not for the key that was made here", quoted(.name))
            help "nobody but the cluster's signer may write certificates: look for whoever did";
        /// A user that can do more than what it is for.
        TooPowerful { user: String, may: String }
            error("{} may do more at the provider than Liqo needs: {may}", quoted(.user))
            help "choose a user that has no rights yet: the stream's RoleBinding gives it those that Liqo needs; or remove the bindings that give it more";
    }
}
