//! What is opened for each way of delivery, and what a stream's Secrets are sealed with.

mod sealed_folder;

use super::OpenedSide;
use crate::argocd::caller::Caller;
use crate::custody::keys::Seed;
use crate::custody::sealed_files;
use crate::custody::sealed_secret::Sealer;
use crate::custody::{Certificates, Error, Term};
use crate::peering::delivery::Delivery::{self, External, SealedSecret};
use crate::peering::networking::keys::OwnKey;
use crate::peering::values::Role::{Consumer, Provider};
use sealed_folder::{
    AUTHENTICATION, KEY, NETWORKING, Place, SEED, argo_cd, certificate, peering, terms,
};

/// What a sealer gives; nothing tells two of them apart but that.
fn sealed(sealer: &Sealer) -> String {
    sealer
        .seal("liqo-tenant-milan", "gw-keys", "privateKey", b"a value")
        .expect("sealed")
}

fn expected(byte: u8, cluster: &str) -> String {
    sealed(&Sealer::new(Seed::new([byte; 32]), certificate(cluster)))
}

#[track_caller]
fn opened(side: Result<OpenedSide, Error>) -> OpenedSide {
    side.unwrap_or_else(|error| panic!("{error}"))
}

const SEALED: &str = "delivery: SealedSecret";

#[test]
fn a_side_is_sealed_to_with_its_own_seed_for_its_own_cluster() {
    let place = Place::new();
    place.seed("peering.seed.age", 7, &terms(&["rome", "milan"], &[]));
    place.seed("rome.seed.age", 8, &terms(&["rome", "milan"], &[]));
    place.kubeconfig(&terms(&["rome"], &[]));
    let own = "delivery: SealedSecret, seed: { file: rome.seed.age }";
    let both = [SEED, NETWORKING, AUTHENTICATION];
    for (consumer, provider, role, parts, sealer, keys) in [
        (SEALED, SEALED, Consumer, &both[..], Some((7, "rome")), true),
        (SEALED, SEALED, Provider, &both, Some((7, "milan")), true),
        (own, SEALED, Consumer, &both, Some((8, "rome")), true),
        (own, SEALED, Provider, &both, Some((7, "milan")), true),
        // the seed is needed for the kubeconfig alone
        (
            SEALED,
            "",
            Consumer,
            &[SEED, AUTHENTICATION],
            Some((7, "rome")),
            false,
        ),
        (
            own,
            "",
            Consumer,
            &[SEED, AUTHENTICATION],
            Some((8, "rome")),
            false,
        ),
        (
            own,
            "",
            Consumer,
            &[AUTHENTICATION],
            Some((8, "rome")),
            false,
        ),
        // the other side's delivery is its own matter, and a certificate alone does nothing
        ("", SEALED, Consumer, &both, None, true),
        (
            SEALED,
            SEALED,
            Provider,
            &[SEED, AUTHENTICATION],
            None,
            false,
        ),
    ] {
        let peering = peering(consumer, provider, parts);
        for caller in [Caller::Local, argo_cd()] {
            let [one, other] = [(); 2].map(|()| opened(place.open(&peering, role, &caller)));
            let sealed = [&one, &other].map(|side| side.sealer.as_ref().map(sealed));
            let expected = sealer.map(|(byte, cluster)| expected(byte, cluster));
            assert_eq!(
                sealed,
                [expected.clone(), expected],
                "{consumer} {role} {parts:?}"
            );
            assert_eq!(one.material.keys.is_some(), keys);
            assert_eq!(one.material.credential.is_some(), role == Consumer);
        }
    }
}

/// Anyone with push access can replace the seed by one with a certificate of their own: the credential would be sealed to them.
#[test]
fn a_credential_is_sealed_to_the_certificate_of_its_own_file() {
    let place = Place::new();
    let peering = peering(SEALED, "", &[SEED, NETWORKING, AUTHENTICATION]);
    let mut theirs = Certificates::default();
    theirs.insert("rome".parse().expect("an ID"), certificate("milan"));
    let theirs = terms(&[], &[])
        .with_certificates(theirs)
        .expect("our clusters");
    for (seed, kubeconfig) in [
        (&theirs, &terms(&["rome"], &[])),
        (&terms(&["rome"], &[]), &terms(&[], &[])),
    ] {
        place.seed("peering.seed.age", 7, seed);
        place.kubeconfig(kubeconfig);
        let expected = Error::CertificateMissing {
            name: "kubeconfig.age".into(),
            cluster: "rome".parse().expect("an ID"),
        };
        assert_eq!(place.local(&peering, Consumer).err(), Some(expected));
    }
}

/// Anyone with push access could put one beside the sealed file, and would then read what is sealed.
#[test]
fn a_certificate_comes_from_the_sealed_file_only() {
    let place = Place::new();
    let pem = certificate("rome").pem().to_owned();
    for name in [
        "rome",
        "rome.pem",
        "rome.crt",
        "certificate.pem",
        "rome=rome.pem",
        "peering.seed.age.pem",
    ] {
        place.write(name, &pem);
    }
    let peering = peering(SEALED, SEALED, &[SEED, NETWORKING]);
    for (certified, role, missing) in [
        (&[][..], Consumer, Some("rome")),
        (&[], Provider, Some("milan")),
        (&["milan"], Consumer, Some("rome")),
        (&["rome"], Provider, Some("milan")),
        (&["rome"], Consumer, None),
    ] {
        place.seed("peering.seed.age", 7, &terms(certified, &[]));
        for caller in [Caller::Local, argo_cd()] {
            let found = place.open(&peering, role, &caller).err();
            let expected = missing.map(|cluster| Error::CertificateMissing {
                name: "peering.seed.age".into(),
                cluster: cluster.parse().expect("an ID"),
            });
            assert_eq!(found, expected, "{certified:?} {role}");
        }
    }
    // a seed that was sealed with `age` alone has none either
    let recipient: age::x25519::Recipient =
        place.recipient.to_string().parse().expect("a recipient");
    let bare = age::encrypt_and_armor(&recipient, Seed::new([7; 32]).expose_text().as_bytes());
    place.write("peering.seed.age", bare.expect("sealed"));
    let found = place.local(&peering, Consumer).err();
    assert!(
        matches!(found, Some(Error::CertificateMissing { .. })),
        "{found:?}"
    );
}

/// Rules see to it that there is a seed.
#[test]
fn a_side_that_is_sealed_to_without_a_seed_is_a_bug() {
    let place = Place::new();
    place.kubeconfig(&terms(&[], &[]));
    let found = place
        .local(&peering(SEALED, "", &[AUTHENTICATION]), Consumer)
        .err();
    assert!(matches!(found, Some(Error::Bug(_))), "{found:?}");
}

#[test]
fn nothing_is_opened_for_a_side_that_gets_its_secrets_elsewhere() {
    let place = Place::new();
    let nowhere = place.outside.path().join("nowhere");
    let own = format!("delivery: External, publicKey: {KEY}");
    let named = "delivery: External, names: { keySecret: keys }";
    let other = "publicKey: wYMpOwLlOl2quO8GpJOVS8egIpIULWfFeappY3KKORQ=";
    for (consumer, parts, key) in [
        (own.as_str(), &[NETWORKING, AUTHENTICATION][..], true),
        (&own, &[SEED, NETWORKING, AUTHENTICATION], true),
        (named, &[SEED, NETWORKING, AUTHENTICATION], false),
    ] {
        let peering = peering(consumer, other, parts);
        for caller in [Caller::Local, argo_cd()] {
            for identity in [None, Some(nowhere.as_path())] {
                let side = opened(place.with(identity, &peering, Consumer, &caller));
                let keys = side.material.keys.expect("keys");
                assert!(
                    matches!(keys.own, OwnKey::Public(own) if own.is_some() == key),
                    "{consumer}"
                );
                assert_eq!(
                    keys.peer.map(|key| format!("publicKey: {key}")).as_deref(),
                    Some(other)
                );
                assert!(
                    side.material.credential.is_none()
                        && side.sealer.is_none()
                        && side.audit.is_empty()
                );
            }
        }
    }
    // without networking there is not even a key
    let side = opened(place.local(
        &peering("delivery: External", "", &[AUTHENTICATION]),
        Consumer,
    ));
    assert!(side.material.keys.is_none() && side.material.credential.is_none());
    let same = peering(&own, &format!("publicKey: {KEY}"), &[NETWORKING]);
    assert_eq!(
        place.local(&same, Consumer).err(),
        Some(Error::OwnKey { side: Provider })
    );
}

/// Only its public half leaves the program, so the term that demands a delivery does not count.
#[test]
fn the_other_sides_seed_is_opened_for_its_public_key() {
    let place = Place::new();
    let own = format!("delivery: External, publicKey: {KEY}");
    let peering = peering(&own, "", &[SEED, NETWORKING, AUTHENTICATION]);
    let missing = place.local(&peering, Consumer).err();
    assert!(
        matches!(missing, Some(Error::SealedFile { .. })),
        "{missing:?}"
    );
    place.seed("peering.seed.age", 7, &terms(&[], &[SealedSecret]));
    for caller in [Caller::Local, argo_cd()] {
        let side = opened(place.open(&peering, Consumer, &caller));
        let keys = side.material.keys.expect("keys");
        assert!(matches!(keys.own, OwnKey::Public(Some(_))) && keys.peer.is_some());
        assert!(side.material.credential.is_none() && side.audit.len() == 1);
    }
}

/// What `validate` looks for beside the document.
#[test]
fn only_what_a_stream_needs_has_to_be_there() {
    let external = format!("delivery: External, publicKey: {KEY}");
    let own = "delivery: SealedSecret, seed: { file: rome.seed.age }";
    let other = "publicKey: wYMpOwLlOl2quO8GpJOVS8egIpIULWfFeappY3KKORQ=";
    let both = [SEED, NETWORKING, AUTHENTICATION];
    for (consumer, provider, parts, expected) in [
        (
            "",
            "",
            &both[..],
            &["peering.seed.age", "kubeconfig.age", "peering.seed.age"][..],
        ),
        (
            SEALED,
            other,
            &both,
            &["peering.seed.age", "kubeconfig.age", "peering.seed.age"],
        ),
        (&external, other, &both, &["peering.seed.age"]),
        (&external, other, &both[1..], &[]),
        (
            "delivery: External",
            other,
            &both,
            &["peering.seed.age", "peering.seed.age"],
        ),
        ("", "", &both[2..], &["kubeconfig.age"]),
        (own, "", &both[2..], &["rome.seed.age", "kubeconfig.age"]),
        ("", SEALED, &[SEED, AUTHENTICATION], &["kubeconfig.age"]),
    ] {
        let peering = peering(consumer, provider, parts);
        let found: Vec<&str> = sealed_files(&peering)
            .map(|(file, _)| file.as_str())
            .collect();
        assert_eq!(found, expected, "{consumer} {provider} {parts:?}");
    }
}

#[test]
fn the_terms_demand_a_delivery() {
    let place = Place::new();
    for (needs, parts) in [
        ("peering.seed.age", &[SEED, NETWORKING][..]),
        ("kubeconfig.age", &[SEED, AUTHENTICATION]),
    ] {
        for (delivery, demanded, allowed) in [
            ("", &[][..], true),
            (SEALED, &[], true),
            (SEALED, &[SealedSecret], true),
            (SEALED, &[External, SealedSecret], true),
            ("", &[SealedSecret], false),
            ("delivery: Secret", &[External, SealedSecret], false),
            (SEALED, &[Delivery::Secret, External], false),
        ] {
            let [seed, kubeconfig] = ["peering.seed.age", "kubeconfig.age"]
                .map(|name| terms(&["rome"], if name == needs { demanded } else { &[] }));
            place.seed("peering.seed.age", 7, &seed);
            place.kubeconfig(&kubeconfig);
            let peering = peering(delivery, "", parts);
            let [local, argo_cd] = [Caller::Local, argo_cd()]
                .map(|caller| place.open(&peering, Consumer, &caller).err());
            if allowed {
                assert_eq!([local, argo_cd], [None, None], "{needs} {delivery}");
                continue;
            }
            let words: Vec<String> = demanded
                .iter()
                .map(|it| format!("{:?}", it.word()))
                .collect();
            let expected = Error::Destination {
                name: needs.into(),
                side: Consumer,
                term: Term::Delivery,
                asked: peering.clusters.consumer.delivery.to_string(),
                allowed: words.join(" "),
            };
            assert_eq!(local, Some(expected), "{delivery}");
            assert!(matches!(argo_cd, Some(Error::Denied { .. })), "{argo_cd:?}");
        }
    }
}
