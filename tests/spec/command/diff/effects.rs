//! Each change of a document, and what `diff` says that it does.

use crate::harness::repository::Repository;
use crate::harness::root;
use crate::harness::run::Outcome;

const FOLDER: &str = "peerings/rome";
const DOCUMENT: &str = "peerings/rome/peering.yaml";

/// `diff` of the quickstart with one change.
fn changed(from: &str, to: &str) -> Outcome {
    let repository = Repository::new(FOLDER);
    repository.edit(DOCUMENT, from, to);
    repository.diff(&[FOLDER]).run()
}

/// The block of one object: its line, and those that are indented below it.
fn block<'t>(text: &'t str, head: &str) -> &'t str {
    let start = text.find(head).unwrap_or_else(|| panic!("no `{head}` in\n{text}"));
    let rest = &text[start..];
    let end = rest
        .match_indices('\n')
        .find(|(at, _)| !rest[at + 1..].starts_with(' '))
        .map_or(rest.len(), |(at, _)| at);
    &rest[..end]
}

const SERVER: &str = "~ provider: GatewayServer liqo-tenant-consumer/wg-consumer";
const CLIENT: &str = "~ consumer: GatewayClient liqo-tenant-provider/wg-provider";
const OFFLOADING: &str = "~ consumer: NamespaceOffloading demo/offloading";

/// An object that is seen, how it changes, and the words for what that does.
type Seen = (&'static str, &'static str, &'static str);

/// What is replaced in the quickstart, by what, and what is seen of it.
static CHANGES: &[(&str, &str, &[Seen])] = &[
    (
        "nodePort: 32750",
        "nodePort: 32751",
        &[
            (SERVER, "spec.endpoint.nodePort: 32750 → 32751", "The gateway does not restart."),
            (
                CLIENT,
                "spec.endpoint.port: 32750 → 32751",
                "Interrupts traffic. The gateway restarts and dials",
            ),
        ],
    ),
    ("port: 51840,", "port: 51841,", &[(SERVER, "51840 → 51841", "restarts on another port")]),
    (
        "mtu: 1340",
        "mtu: 1400",
        &[
            (SERVER, "spec.mtu: 1340 → 1400", "for 5 to 30 seconds"),
            (CLIENT, "spec.mtu: 1340 → 1400", "large packets"),
        ],
    ),
    (
        "{ serviceType: NodePort, port: 51840, nodePort: 32750 }",
        "{ serviceType: LoadBalancer, port: 51840 }",
        &[
            (
                SERVER,
                "spec.endpoint.serviceType: NodePort → LoadBalancer",
                "until the Service has its address",
            ),
            (CLIENT, "32750 → 51840", "Interrupts traffic."),
        ],
    ),
    (
        "podCIDRs: [10.42.0.0/16]\n",
        "podCIDRs: [10.43.0.0/16]\n",
        &[(
            "~ provider: Configuration liqo-tenant-consumer/consumer",
            "spec.remote.cidr.pod: [\"10.42.0.0/16\"] → [\"10.43.0.0/16\"]",
            "connections to its pods break, the tunnel stays up. Liqo before 1.2 ignores the change",
        )],
    ),
    (
        "clusterID: consumer\n",
        "clusterID: consumer\n    keyGeneration: 2\n",
        &[
            ("~ consumer: Secret liqo-tenant-provider/gw-keys-…", "keyGeneration: 1 → 2", "Another key"),
            (CLIENT, "keyGeneration: 1 → 2", "restarts with the Secret of its new key"),
            (
                "~ provider: PublicKey liqo-tenant-consumer/gw-publickey",
                "keyGeneration: 1 → 2",
                "new key at once",
            ),
        ],
    ),
    (
        "name: myuser",
        "name: another",
        &[(
            "~ provider: RoleBinding",
            "myuser",
            "Widens rights. The new subject gets the rights of Liqo's control plane",
        )],
    ),
    (
        "        create: true\n",
        "",
        &[("- consumer: Namespace demo", "", "Deletes data. The namespace goes with its pods")],
    ),
    (
        "    namespaces:\n      - name: demo\n        create: true\n        clusters: thisPeer\n        podOffloadingStrategy: LocalAndRemote\n        namespaceMappingStrategy: DefaultName\n",
        "",
        &[(
            "- consumer: NamespaceOffloading demo/offloading",
            "",
            "Deletes data. Liqo deletes the namespaces at the providers with everything in them, volumes included.",
        )],
    ),
    ("DefaultName", "EnforceSameName", &[(OFFLOADING, "DefaultName → EnforceSameName", "webhook refuses")]),
    ("LocalAndRemote", "Remote", &[(OFFLOADING, "LocalAndRemote → Remote", "running ones stay")]),
    ("clusters: thisPeer", "clusters: all", &[(OFFLOADING, "nodeSelectorTerms", "Deletes data.")]),
    (
        "memory: 1Gi",
        "memory: 2Gi",
        &[("~ consumer: ResourceSlice liqo-tenant-provider/provider", "1Gi → 2Gi", "running pods stay")],
    ),
    (
        "- { name: provider, class",
        "- { name: other, class",
        &[
            ("+ consumer: ResourceSlice liqo-tenant-provider/other", "", "virtual node appears"),
            (
                "- consumer: ResourceSlice liqo-tenant-provider/provider",
                "",
                "Deletes data. The virtual node is drained",
            ),
        ],
    ),
    (
        "    credential:",
        "    tenantCondition: Drained\n    credential:",
        &[
            ("~ provider: Tenant", "Active → Drained", "Deletes data. Liqo expels"),
            ("- provider: RoleBinding", "", "Argo CD asks before it deletes the object."),
        ],
    ),
    (
        "    credential:",
        "    tenantCondition: Cordoned\n    credential:",
        &[("~ provider: Tenant", "Active → Cordoned", "nothing new")],
    ),
    (
        "  liqoVersion:",
        "  state: Drained\n  liqoVersion:",
        &[("- consumer: Secret liqo-tenant-provider/kubeconfig-controlplane-provider", "", "stops copying")],
    ),
    (
        "clusterID: consumer\n",
        "clusterID: consumer\n    tenantNamespace: other\n",
        &[(
            "- consumer: Namespace liqo-tenant-provider",
            "",
            "Deletes data. The namespace goes with everything in it",
        )],
    ),
    (
        "clusterID: consumer\n",
        "clusterID: consumer\n    names: { keySecret: mine }\n",
        &[("+ consumer: Secret liqo-tenant-provider/mine", "", "The gateway takes its key")],
    ),
    (
        "clusterID: consumer\n",
        "clusterID: consumer\n    metadata: { publicKey: { labels: { a: b } } }\n",
        &[("PublicKey", "metadata.labels.a: added b", "Before Liqo 1.2")],
    ),
    (
        "  liqoVersion:",
        "  protection: none\n  liqoVersion:",
        &[("Tenant", "sync-options]: removed Prune=confirm,Delete=confirm", "Loses protection")],
    ),
];

#[test]
fn what_each_change_does() {
    for (from, to, rows) in CHANGES {
        let outcome = changed(from, to);
        assert_eq!(outcome.code, Some(1), "{from}: {outcome}");
        for (head, change, words) in *rows {
            let block = block(&outcome.stdout, head);
            // words that another object has as well are written once
            let is_written =
                block.contains(words) || block.contains(", as above.") && outcome.stdout.contains(words);
            let is_there = block.contains(change) && is_written;
            assert!(is_there, "{from} → {to}: `{change}`, `{words}`:\n{block}");
        }
    }
}

/// A change that is in no object: a comment, the order of fields.
#[test]
fn what_changes_no_object_is_no_difference() {
    for (from, to) in
        [("kind: Peering", "kind: Peering # it is"), ("  liqoVersion: \"1.0\"", "  liqoVersion: \"1.1\"")]
    {
        assert_eq!(changed(from, to).done(), "No object changes in 1 peering.\n");
    }
}

/// A sealed file that is another one, and with a name that stays.
#[test]
fn a_sealed_file_that_changes_may_change_what_it_holds() {
    let repository = Repository::new(FOLDER);
    let file = |name: &str| std::fs::read(repository.root().join(FOLDER).join(name)).expect(name);
    repository.write("peerings/rome/kubeconfig.age", file("peering.seed.age"));
    let outcome = repository.diff(&[FOLDER]).run();
    let says = "`kubeconfig.age` was sealed again. If it holds another credential, Liqo reconnects with it";
    assert!(outcome.stdout.contains(says), "{outcome}");
    let last = "sealed files only. This needs attention.\n1 peering judged; not the secrets of 1 sealed file: no identity opens both states of them\n";
    assert!(outcome.stdout.ends_with(last), "{outcome}");
    repository.commit();
    repository.write("peerings/rome/peering.seed.age", file("kubeconfig.age").repeat(2));
    let outcome = repository.diff(&[FOLDER]).run();
    assert_eq!(outcome.stdout.matches("`peering.seed.age` was sealed again.").count(), 1, "{outcome}");
    // the name of the file is not its content
    repository.git(&["checkout", "-q", "."]);
    repository.git(&["mv", "peerings/rome/peering.seed.age", "peerings/rome/other.seed.age"]);
    repository.edit(DOCUMENT, "peering.seed.age", "other.seed.age");
    assert_eq!(repository.diff(&[FOLDER]).run().code, Some(0));
}

/// A key that is written is compared, and the sealed file does not matter then. With a fixed name nothing restarts the gateway.
#[test]
fn a_key_that_is_written_is_known() {
    let [one, other] =
        ["ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=", "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="];
    let repository = Repository::new(FOLDER);
    repository.edit(
        DOCUMENT,
        "clusterID: consumer\n",
        &format!("clusterID: consumer\n    publicKey: {one}\n    names: {{ keySecret: mine }}\n"),
    );
    repository.commit();
    repository.edit(DOCUMENT, one, other);
    let outcome = repository.diff(&[FOLDER]).run();
    let secret = block(&outcome.stdout, "~ consumer: Secret liqo-tenant-provider/mine");
    assert!(
        secret.contains(&format!("publicKey: {one} → {other}")) && secret.contains("kubectl rollout restart"),
        "{secret}"
    );
    assert!(!outcome.stdout.contains("GatewayClient"), "{}", outcome.stdout);
    repository.commit();
    repository.write("peerings/rome/peering.seed.age", "x");
    let outcome = repository.diff(&[FOLDER]).run();
    assert!(
        !outcome.stdout.contains("rovider: PublicKey"),
        "only the provider's key may change:\n{}",
        outcome.stdout
    );
}

/// The table knows every object that a stream has: whichever comes or goes, there are words for it.
#[test]
fn every_object_that_comes_or_goes_has_an_effect() {
    let repository = Repository::new(FOLDER);
    let (examples, empty) = (root().join("examples"), repository.temp().join("empty"));
    std::fs::create_dir(&empty).expect("a folder");
    let diff = |folders: [&std::path::Path; 2]| {
        let outcome = repository.diff(&[]).args(folders).run();
        assert_eq!(outcome.code, Some(1), "{outcome}");
        assert!(!outcome.stdout.contains("does not know"), "{}", outcome.stdout);
        outcome.stdout
    };
    let (added, removed) = (diff([&empty, &examples]), diff([&examples, &empty]));
    let rows = |text: &str, sign: &str| text.lines().filter(|line| line.starts_with(sign)).count();
    assert!(rows(&added, "+ ") > 200, "{added}");
    assert_eq!(rows(&added, "+ "), rows(&removed, "- "));
    assert!(removed.contains("note: Removing the folder deletes nothing yet."), "{removed}");
    assert!(added.contains("note: The peering is new."), "{added}");
}
