//! Types that hold secrets can neither be printed nor compared nor serialized. Checked by the compiler: each line stops
//! compiling as soon as its type has the trait.

/// The call is ambiguous, and so an error, if the type has the trait.
macro_rules! lacks {
    ($type:ty: $($trait:path),+) => {
        $(const _: fn() = || {
            trait Ambiguous<A> {
                fn some() {}
            }
            impl<T: ?Sized> Ambiguous<()> for T {}
            #[allow(dead_code, reason = "a marker")]
            struct HasIt;
            impl<T: ?Sized + $trait> Ambiguous<HasIt> for T {}
            let _ = <$type as Ambiguous<_>>::some;
        };)+
    };
}

macro_rules! secret {
    ($($type:ty),+) => {
        $(lacks!($type: std::fmt::Debug, std::fmt::Display, PartialEq, serde::Serialize, Clone, std::hash::Hash);)+
    };
}

secret!(
    argocd_peering::custody::keys::Seed,
    argocd_peering::custody::keys::PrivateKey,
    argocd_peering::custody::keys::KeyPair,
    argocd_peering::peering::authentication::credential::kubeconfig::Kubeconfig,
    argocd_peering::custody::Identities,
    argocd_peering::custody::Payload,
    argocd_peering::custody::Opened,
    argocd_peering::peering::networking::keys::Keys,
    argocd_peering::peering::networking::keys::OwnKey,
    argocd_peering::peering::Material,
    argocd_peering::object::Secret,
    argocd_peering::object::Manifest,
    argocd_peering::stream::Plan
);

/// A seed is wiped when it is dropped.
#[test]
fn seeds_are_wiped() {
    fn wipes<T: zeroize::ZeroizeOnDrop>() {}
    wipes::<argocd_peering::custody::keys::Seed>();
    wipes::<zeroize::Zeroizing<[u8; 32]>>();
}
