use super::{
    BoxedMontyForm, BoxedMontyParams, BoxedUint, Certificate, CertificateProblem as P,
    RsaPublicKey, Sealer, power,
};
use crate::custody::keys::Seed;
use crypto_bigint::Odd;
use serde_json::Value;
use std::path::Path;

const VECTORS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/vectors/sealed-secret-v1.json"
));

fn pem(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/certificates")
        .join(format!("{name}.crt"));
    std::fs::read_to_string(path).expect("a certificate")
}

fn hex(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("hex");
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex"))
        .collect()
}

#[test]
fn every_sealed_vector() {
    let vectors: Value = serde_json::from_str(VECTORS).expect("JSON");
    let tests = vectors["groups"][0]["tests"].as_array().expect("tests");
    assert!(tests.len() >= 8);
    for test in tests {
        let [certificate, namespace, name, item, expected] =
            ["certificate", "namespace", "name", "item", "sealed"]
                .map(|it| test[it].as_str().expect("text"));
        let seed = Seed::new(hex(&test["seed"]).try_into().expect("32 bytes"));
        let certificate: Certificate = pem(certificate).parse().expect("a certificate");
        let controller = Sealer::new(seed, certificate);
        let sealed = controller.seal(namespace, name, item, &hex(&test["value"]));
        assert_eq!(sealed.expect("sealed"), expected, "{}", test["id"]);
    }
}

#[test]
fn what_values_are_not_sealed_to() {
    let good = pem("rome");
    for (text, problem) in [
        (pem("rsa-1024"), P::Bits(1024)),
        (pem("exponent-3"), P::Exponent),
        (pem("ec"), P::NotRsa),
        (pem("ed25519"), P::NotRsa),
        (format!("{good}{}", pem("milan")), P::Blocks(2)),
        (String::new(), P::NotACertificate),
        ("no certificate".to_owned(), P::NotACertificate),
        (good.replace("MII", "MIJ"), P::NotACertificate),
        (
            good.replace("CERTIFICATE", "PUBLIC KEY"),
            P::NotACertificate,
        ),
        (
            good.replace('\n', "\n".repeat(1000).as_str()),
            P::NotACertificate,
        ),
        ("x".repeat(1 << 20), P::NotACertificate),
    ] {
        assert_eq!(
            text.parse::<Certificate>().err(),
            Some(problem),
            "{text:.80}"
        );
    }
    for text in [
        good.clone(),
        format!("\n{good}\n"),
        good.replace('\n', "\r\n"),
        pem("rsa-2048"),
    ] {
        assert_eq!(text.parse::<Certificate>().err(), None, "{text:.80}");
    }
}

/// The crate's own way gives the same, also for exponents that no certificate of a controller has.
#[test]
fn every_exponent() {
    let modulus = BoxedUint::from_be_slice_vartime(&[0xf7; 257]);
    let modulus = Odd::new(modulus).into_option().expect("an odd number");
    let block = [&[0][..], &[0xa5; 256]].concat();
    for exponent in [65537, 65539, (1 << 17) - 1, (1 << 30) + 1, (1 << 31) - 1] {
        let key = RsaPublicKey {
            modulus: modulus.clone(),
            size: 257,
            exponent,
        };
        let params = BoxedMontyParams::new(key.modulus.clone());
        let base = BoxedUint::from_be_slice_truncated(&block, key.modulus.bits_precision());
        let expected = BoxedMontyForm::new(base, &params)
            .pow(&BoxedUint::from(exponent))
            .retrieve();
        assert_eq!(
            BoxedUint::from_be_slice_vartime(&power(&key, &block)),
            expected,
            "{exponent}"
        );
    }
}
