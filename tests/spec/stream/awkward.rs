//! What YAML 1.1 takes for something else, and what could break out of a scalar, comes back as it was written.
//!
//! In the document each value is quoted by this file's own rule, so nothing here depends on the program's.

use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::LazyLock;

use super::reading::{badly_written, read_alike};
use crate::harness::library::Look;
use crate::harness::{KUBECONFIG, Peering, ROLES, decoded, documents};

/// `@field@` stands for a value of that [`Field`].
const DOCUMENT: &str = "
apiVersion: argocd-peering/v1alpha1
kind: Peering
metadata: { name: awkward }
spec:
  liqoNamespace: @liqo@
  commonMetadata: { annotations: { example.org/text: @annotation@ } }
  seed: { file: peering.seed.age }
  consumer:
    clusterID: @consumer@
    podCIDRs: [10.42.0.0/16]
    externalCIDR: 10.70.0.0/16
    tenantNamespace: @tenantNamespace@
    names: { gateway: @client@, keySecret: @keySecret@, publicKey: @publicKey@, identity: @identity@ }
  provider:
    clusterID: @provider@
    podCIDRs: [10.42.0.0/16]
    externalCIDR: 10.70.0.0/16
    names: { gateway: @server@, configuration: @configuration@, tenant: @tenant@, roleBinding: @roleBinding@ }
  networking:
    gatewayServer:
      endpoint: { serviceType: LoadBalancer, loadBalancerIP: 192.0.2.1 }
      serverTemplateRef: { name: @template@, namespace: @templateNamespace@ }
    gatewayClient:
      endpoint: { addresses: [@address@] }
  authentication:
    subject: { kind: User, name: @subject@ }
    credential: { kubeconfig: { file: kubeconfig.age } }
  offloading:
    resourceSlices:
      - { name: @slice@, class: @class@, resources: { @resource@: @quantity@ } }
    namespaces:
      - name: @namespace@
        create: true
        clusters: thisPeer
        namespaceMappingStrategy: SelectedName
        remoteNamespaceName: @remoteNamespace@
";

/// A field's values, and where the value must be: role, kind and place (RFC 6901).
#[derive(Deserialize)]
struct Field {
    name: String,
    values: Vec<String>,
    places: Vec<(String, String, String)>,
}

static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let mut all: Value = serde_json::from_str(include_str!("awkward/values.json")).expect("JSON");
    let lists = all["lists"].take();
    for field in all["fields"].as_array_mut().expect("a list") {
        // a list's name stands for it
        if let Some(name) = field["values"].as_str() {
            field["values"] = lists[name]["values"].clone();
        }
    }
    serde_json::from_value(all["fields"].take()).expect("fields")
});

/// How many documents are needed for every value of every field.
fn rounds() -> usize {
    FIELDS
        .iter()
        .map(|field| field.values.len())
        .max()
        .unwrap_or_default()
}

impl Field {
    /// The value in a round: all of them, again and again. The provider is one ahead, so that it is not the consumer, and so is
    /// the remote namespace, so that it is not Liqo's.
    fn value(&self, round: usize) -> &str {
        let ahead = usize::from(["provider", "remoteNamespace"].contains(&self.name.as_str()));
        &self.values[(round + ahead) % self.values.len()]
    }
}

fn value_of(name: &str, round: usize) -> &'static str {
    FIELDS
        .iter()
        .find(|field| field.name == name)
        .expect("a field")
        .value(round)
}

/// The document with the values of a round.
fn document(round: usize) -> String {
    document_with(|field| field.value(round))
}

fn document_with<'v>(value: impl Fn(&'static Field) -> &'v str) -> String {
    FIELDS.iter().fold(DOCUMENT.to_owned(), |document, field| {
        let marked = format!("@{}@", field.name);
        assert!(document.contains(&marked), "{marked} is in the document");
        document.replace(&marked, &ascii(&json!(value(field))))
    })
}

/// A value as JSON in ASCII, which is YAML as well. Above U+FFFF by YAML's own escape, since pairs are JSON's only.
fn ascii(value: &Value) -> String {
    value
        .to_string()
        .chars()
        .fold(String::new(), |text, c| match c {
            ' '..='~' => text + &c.to_string(),
            c => text + &format!("\\U{:08x}", u32::from(c)),
        })
}

fn sealed(kubeconfig: &str) -> Peering {
    let pairs: Vec<_> = (0..FIELDS[0].values.len())
        .map(|round| [value_of("consumer", round), value_of("provider", round)])
        .collect();
    Peering::sealed(&pairs, kubeconfig, "")
}

#[test]
fn every_value_comes_back() {
    let peering = sealed(KUBECONFIG);
    for round in 0..rounds() {
        let peering = peering.with(&document(round));
        for role in ROLES {
            let text = peering.stream(role);
            let at = format!("round {round}, {role}");
            assert_eq!(badly_written(&text), Vec::<String>::new(), "{at}");
            let objects = read_alike(&text).unwrap_or_else(|why| panic!("{at}: {why}"));
            for field in FIELDS.iter() {
                let value = field.value(round);
                for (_, kind, place) in field.places.iter().filter(|(side, _, _)| *side == role) {
                    let mut found = objects
                        .iter()
                        .filter(|it| it["kind"] == *kind)
                        .filter_map(|it| it.pointer(place));
                    assert!(
                        found.any(|it| it == value),
                        "{at}: {}: {value:?} at {kind} {place}",
                        field.name
                    );
                }
            }
            if role == "consumer" {
                let slice = objects
                    .iter()
                    .find(|it| it["kind"] == "ResourceSlice")
                    .expect("a slice");
                let resources = json!({ value_of("resource", round): value_of("quantity", round) });
                assert_eq!(slice["spec"]["resources"], resources, "{at}");
            }
        }
    }
}

#[test]
fn a_kubeconfigs_values_come_back() {
    come_back(&json!({ "username": "{{ token }}", "password": " ~ " }));
    come_back(&json!({ "token": "null" }));
}

fn come_back(credential: &Value) {
    let (context, cluster, user) = (
        "on",
        "a: b # c\n--- \t\r\u{85}",
        "\u{7f}\u{2028}\u{feff}🍎\"\\",
    );
    let awkward = json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{ "name": cluster, "cluster": {
            "server": "https://id.example.org:6443/~#on",
            "certificate-authority-data": "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==",
            "tls-server-name": "1e3",
            "proxy-url": "socks5://0x10#on",
        } }],
        "contexts": [{ "name": context, "context": { "cluster": cluster, "user": user } }],
        "current-context": context,
        "users": [{ "name": user, "user": credential }],
    });
    let stream = sealed(&ascii(&awkward))
        .with(&document(0))
        .stream("consumer");
    let text = documents(&stream)
        .iter()
        .find_map(|object| object["data"]["kubeconfig"].as_str().map(decoded))
        .expect("the credential");
    let text = String::from_utf8(text).expect("a kubeconfig is UTF-8");
    assert_eq!(read_alike(&text), Ok(vec![awkward]));
    assert_eq!(badly_written(&text), Vec::<String>::new());
}

/// A subject is what a certificate's common name or a token's claim says, and no control character is in either.
#[test]
fn controls_are_refused() {
    let peering = sealed(KUBECONFIG);
    let longest = "é".repeat(253);
    let with = |subject: &str| {
        peering.with(&document_with(|field| {
            if field.name == "subject" {
                subject
            } else {
                field.value(0)
            }
        }))
    };
    let stream = documents(&with(&longest).stream("provider"));
    let subjects: Vec<_> = stream
        .iter()
        .filter_map(|it| it.pointer("/subjects/0/name"))
        .collect();
    assert_eq!(subjects, [&json!(longest)]);

    let longer = format!("{longest}a");
    let odd = "\n\t\r\u{0}\u{1b}\u{7f}\u{85}\u{9f}\u{2028}\u{202e}\u{feff}".chars();
    let odd = odd.flat_map(|c| {
        [
            c.to_string(),
            format!("a{c}b"),
            format!("{c}a"),
            format!("a{c}"),
        ]
    });
    for subject in ["", " ", &longer].map(str::to_owned).into_iter().chain(odd) {
        for role in ROLES {
            let error = with(&subject).generate(role).expect_err(&subject);
            let notes = error.screen(Look::PLAIN);
            let code = if subject == longer {
                "name-too-long"
            } else {
                "invalid-name"
            };
            assert!(
                notes.starts_with(&format!("error[{code}]: ")),
                "{subject:?}: {notes}"
            );
            let shown = |c: char| !c.is_control() || c == '\n';
            assert!(notes.chars().all(shown), "{subject:?} is shown as it is");
        }
    }
}
