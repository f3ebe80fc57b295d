//! Types that hold secrets can neither be printed nor compared nor serialized. Checked by the compiler: each line stops
//! compiling as soon as its type has the trait.

use crate::harness::library;

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
    library::Seed,
    library::PrivateKey,
    library::KeyPair,
    library::Kubeconfig,
    library::Identities,
    library::Payload,
    library::Opened,
    library::Sealer,
    library::Keys,
    library::OwnKey,
    library::Material,
    library::Secret,
    library::Manifest,
    library::Plan
);

/// A seed is wiped when it is dropped.
#[test]
fn seeds_are_wiped() {
    fn wipes<T: zeroize::ZeroizeOnDrop>() {}
    wipes::<library::Seed>();
    wipes::<zeroize::Zeroizing<[u8; 32]>>();
}
