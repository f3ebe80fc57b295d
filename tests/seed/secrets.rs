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
    argocd_peering::keys::Seed,
    argocd_peering::keys::PrivateKey,
    argocd_peering::keys::KeyPair,
    argocd_peering::kubeconfig::Kubeconfig,
    argocd_peering::sealed::Identities,
    argocd_peering::sealed::Payload,
    argocd_peering::sealed::Opened,
    argocd_peering::plan::Keys,
    argocd_peering::plan::Material,
    argocd_peering::plan::Plan
);

/// The one view that exposes secrets, to the templates.
#[test]
fn one_list_of_resources_is_serialized() {
    fn serializes<T: serde::Serialize>() {}
    serializes::<argocd_peering::plan::resource::Resource>();
    lacks!(argocd_peering::plan::resource::Resource: std::fmt::Debug, std::fmt::Display, PartialEq, Clone);
}

/// A seed is wiped when it is dropped.
#[test]
fn seeds_are_wiped() {
    fn wipes<T: zeroize::ZeroizeOnDrop>() {}
    wipes::<argocd_peering::keys::Seed>();
    wipes::<zeroize::Zeroizing<[u8; 32]>>();
}
