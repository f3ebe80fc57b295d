//! `knock` against servers on the loopback interface: what each of them gets said of it, and that a tunnel that is up is left alone.

use crate::harness::root;
use crate::harness::run::{Outcome, Run};
use crate::harness::wireguard::{Server, listens};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const IDENTITY: &str = "examples/identities/demo-identity.txt";

/// Both halves of a side's key, as the quickstart's seed gives them.
fn keys(role: &str) -> [[u8; 32]; 2] {
    let run = Run::new(["keys", "export", "examples/quickstart", "--format", "env", "--role", role]);
    let outcome = run.args(["--identity-file", IDENTITY]).within(root()).run();
    let value = |name: &str| {
        let line = outcome.done().lines().find_map(|line| line.strip_prefix(name)).expect(name);
        STANDARD.decode(line).expect("base64").try_into().expect("32 bytes")
    };
    [value("WIREGUARD_PRIVATE_KEY="), value("WIREGUARD_PUBLIC_KEY=")]
}

/// The quickstart's gateway that listens.
fn gateway() -> Server {
    Server::new(keys("provider")[0], keys("consumer")[1])
}

fn run(more: &[&str]) -> Run {
    Run::new(["knock", "examples/quickstart", "--identity-file", IDENTITY])
        .args(more.iter().copied())
        .within(root())
}

/// At this address, for so many seconds, whatever a Connection says.
fn knock_for(address: SocketAddr, seconds: u64) -> Outcome {
    run(&["--force", "--address", &address.to_string(), "--timeout", &format!("{seconds}s")]).run()
}

/// As long as it takes a busy machine; who answers ends it.
fn knock(address: SocketAddr) -> Outcome {
    knock_for(address, 25)
}

/// Less than a second message waits for.
const AT_ONCE: Duration = Duration::from_secs(4);

/// Nothing of either private key is shown.
#[track_caller]
fn shows_no_secret(outcome: &Outcome) {
    for role in ["consumer", "provider"] {
        let [private, _] = keys(role);
        assert!(!outcome.everything().contains(&STANDARD.encode(private)), "{role}");
    }
}

#[test]
fn the_right_server_answers() {
    let mut server = gateway();
    let outcome = knock(listens(move |it| server.answer(it).into_iter().collect()));
    let key = STANDARD.encode(keys("provider")[1]);
    assert!(
        outcome.done().contains(": the port is open, and the keys fit: the provider's gateway"),
        "{outcome}"
    );
    assert!(outcome.stdout.contains(&format!("`{key}`, and knows the consumer's\n")), "{}", outcome.stdout);
    outcome
        .says("opened peering.seed.age for")
        .silent_on("kubeconfig.age")
        .says("calling the provider's gateway at 127.0.0.1:");
    assert!(outcome.took < AT_ONCE, "it waits for nothing: {:?}", outcome.took);
    shows_no_secret(&outcome);
}

/// A server answers no one that it does not know, and no one who calls another key.
#[test]
fn silence_is_not_explained_with_more_than_is_known() {
    let other = keys("consumer")[0];
    let [mut another, mut stranger] =
        [Server::new(other, keys("consumer")[1]), Server::new(keys("provider")[0], [5; 32])];
    // one that never answers
    let bound = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    for address in [
        listens(move |it| another.answer(it).into_iter().collect()),
        listens(move |it| stranger.answer(it).into_iter().collect()),
        bound.local_addr().expect("an address"),
    ] {
        let outcome = knock_for(address, 1);
        outcome.fails(4, "knock-silent").says(&format!("{address}: nothing answers within 1 s (1 sent)"));
        outcome
            .says("drops UDP, there or back; ")
            .says("another key than")
            .says("the client's PublicKey")
            .says("clock");
        assert!(outcome.took > Duration::from_secs(1), "{:?}", outcome.took);
        shows_no_secret(&outcome);
    }
}

#[test]
fn a_port_that_is_closed_is_told_at_once() {
    let bound = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let address = bound.local_addr().expect("an address");
    drop(bound);
    let outcome = knock(address);
    outcome.fails(5, "knock-refused").says("nothing listens on this port (ICMP: port unreachable)");
    assert!(outcome.took < AT_ONCE, "{:?}", outcome.took);
}

/// Of another length, of no meaning, forged with both public keys, made for an earlier message, or changed by a byte.
#[test]
fn what_is_not_authentic_is_no_answer() {
    let text = |_: &[u8]| vec![b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(), vec![], vec![2; 1500]];
    let noise =
        |_: &[u8]| vec![[&[2, 0, 0, 0][..], &[7; 88]].concat(), [&[3, 0, 0, 0][..], &[7; 60]].concat()];
    let echo = |it: &[u8]| vec![it.to_vec()];
    let (mut one, mut other) = (gateway(), gateway());
    let forged = move |it: &[u8]| one.forged(it).into_iter().collect::<Vec<_>>();
    let changed = move |it: &[u8]| {
        let right = other.answer(it).expect("an answer");
        let at =
            |at: usize| right.iter().enumerate().map(|(index, byte)| byte ^ u8::from(index == at)).collect();
        // the type, the receiver, Noise, and the MAC; of the sender's own index only the MAC knows
        vec![at(0), at(8), at(12), at(50), at(75), at(4)]
    };
    let baker = gateway();
    let cookie = move |it: &[u8]| {
        let mut cookie = baker.cookie(it).expect("a cookie");
        cookie[40] ^= 1;
        vec![cookie]
    };
    let mut player = gateway();
    let mut recorded: Option<Vec<u8>> = None;
    let replayed = move |it: &[u8]| {
        recorded = recorded.take().or_else(|| player.answer(it));
        recorded.clone().into_iter().collect()
    };
    let old = listens(replayed);
    knock(old).done();
    let all = [
        listens(text),
        listens(noise),
        listens(echo),
        listens(forged),
        listens(changed),
        listens(cookie),
        old,
    ];
    for run in all.map(|address| std::thread::spawn(move || knock_for(address, 3))) {
        let outcome = run.join().expect("an outcome");
        outcome.fails(6, "knock-unauthentic").says("something answers, but not with the key");
        outcome.says("a WireGuard server with another key stays silent");
        assert!(outcome.took > Duration::from_secs(3), "it goes on listening: {:?}", outcome.took);
    }
}

/// Anyone can send what is not authentic; the right answer counts, also after it.
#[test]
fn a_right_answer_after_wrong_ones_counts() {
    let mut server = gateway();
    knock(listens(move |it| {
        let mut right = server.answer(it).expect("an answer");
        right[20] ^= 1;
        let wrong = right.clone();
        right[20] ^= 1;
        vec![b"no".to_vec(), wrong, right]
    }))
    .done();
}

#[test]
fn a_cookie_is_answered_at_once_and_alone_it_is_no_proof() {
    let mut server = gateway();
    let outcome = knock(listens(move |it| match server.cookie(it) {
        Some(cookie) => vec![cookie],
        None => server.answer(it).into_iter().collect(),
    }));
    outcome.done();
    assert!(outcome.took < AT_ONCE, "{:?}", outcome.took);
    // a stranger gets a cookie too, and then silence
    let server = gateway();
    let outcome = knock_for(listens(move |it| server.cookie(it).into_iter().collect()), 3);
    outcome.fails(4, "knock-silent").says("a cookie came, as from a server under load, and then no answer");
    // cookies without end are not answered without end
    let server = gateway();
    let (sender, receiver) = mpsc::channel();
    let outcome = knock_for(
        listens(move |it| {
            sender.send(()).expect("a test that listens");
            let mut without = it.to_vec();
            without[132..].fill(0);
            server.cookie(&without).into_iter().collect()
        }),
        3,
    );
    outcome.fails(4, "knock-silent").says("a cookie came");
    assert_eq!(receiver.try_iter().count(), 4);
}

/// As WireGuard does: after five seconds, with a later time. The server's own check is that it is later.
#[test]
fn a_lost_message_is_sent_again() {
    let mut server = gateway();
    let mut first = true;
    let started = Instant::now();
    let outcome = knock_for(
        listens(move |it| {
            let answer = server.answer(it).expect("a new time");
            if std::mem::take(&mut first) { vec![] } else { vec![answer] }
        }),
        20,
    );
    outcome.done();
    let took = started.elapsed();
    assert!(took > Duration::from_secs(5) && took < Duration::from_secs(9), "{took:?}");
}

/// The quickstart with another part of its `gatewayClient`, and the key that opens it.
fn with_client(client: &str, more: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    let example = root().join("examples/quickstart");
    let text = fs::read_to_string(example.join("peering.yaml")).expect("it");
    let old = "      endpoint: { addresses: [172.16.183.16] }";
    assert!(text.contains(&format!("gatewayClient:\n{old}")));
    let text = text.replace(&format!("gatewayClient:\n{old}"), &format!("gatewayClient: {client}"));
    fs::write(folder.path().join("peering.yaml"), text).expect("written");
    fs::copy(example.join("peering.seed.age"), folder.path().join("peering.seed.age")).expect("a copy");
    let run = Run::new(["knock".into(), folder.path().as_os_str().to_owned()]).within(root());
    run.args(["--identity-file", IDENTITY, "--force"]).args(more.iter().copied()).run()
}

/// As the C library reads them, these are names of addresses of the loopback interface, and no resolver is asked.
#[test]
fn a_name_is_resolved_and_shown_with_its_address() {
    let mut server = gateway();
    let port = listens(move |it| server.answer(it).into_iter().collect()).port();
    let outcome = run(&["--force", "--address", &format!("127.1:{port}")]).run();
    let expected = format!("127.0.0.1:{port} (127.1:{port}): the port is open");
    assert!(outcome.done().starts_with(&expected), "{}", outcome.stdout);
    let outcome = run(&["--force", "--timeout=1s", "--address", "a..b:1"]).run();
    outcome.fails(3, "knock-unsent").says("a..b:1: nothing was sent: the name has no address");
}

/// Liqo dials the first, so that a later one makes nothing right.
#[test]
fn the_first_address_decides_and_others_are_tried_in_order() {
    let mut server = gateway();
    let port = listens(move |it| server.answer(it).into_iter().collect()).port();
    let client = |addresses: &str| format!("{{ endpoint: {{ addresses: [{addresses}], port: {port} }} }}");
    let outcome = with_client(&client("\"0x7f000001\", \"0x7f000002\""), &[]);
    assert!(outcome.done().starts_with(&format!("127.0.0.1:{port} (0x7f000001:{port}): ")), "{outcome}");
    outcome.silent_on("0x7f000002");
    let outcome = with_client(&client("\"0x7f000003\", \"0x7f000002\", \"0x7f000001\", \"0x7f000004\""), &[]);
    outcome.fails(5, "knock-refused").says(&format!("]: 127.0.0.3:{port} (0x7f000003:{port}): "));
    let words = [
        "gateway at 127.0.0.3:",
        "gateway at 127.0.0.2:",
        &format!("note: 127.0.0.2:{port} (0x7f000002:{port}): the address answers that nothing listens"),
        "gateway at 127.0.0.1:",
        &format!(
            "note: 127.0.0.1:{port} (0x7f000001:{port}) answers, and the keys fit; but Liqo dials the first"
        ),
        "error[",
    ];
    let places: Vec<_> =
        words.iter().map(|it| outcome.stderr.find(it).unwrap_or_else(|| panic!("{it}: {outcome}"))).collect();
    assert!(places.is_sorted(), "{outcome}");
    outcome.silent_on("127.0.0.4");
    // a list has no end, and a run has
    let many: Vec<_> = (10..200).map(|it| format!("\"0x7f0000{it:02x}\"")).collect();
    let outcome = with_client(&client(&many.join(", ")), &[]);
    outcome.fails(5, "knock-refused").says("127.0.0.10:");
    assert_eq!(outcome.stderr.matches("calling ").count(), 8);
}

#[test]
fn usage_is_checked() {
    for address in ["127.0.0.1", "127.0.0.1:0", ":1", "x:70000", "https://x:1", "a b:1", "\u{1b}:1"] {
        assert_eq!(run(&["--force", "--address", address]).run().code, Some(2), "{address}");
    }
    for timeout in ["0s", "91s", "5", "5m", "-1s", "s"] {
        assert_eq!(run(&["--force", &format!("--timeout={timeout}")]).run().code, Some(2), "{timeout}");
    }
    let outcome = run(&[]).run();
    assert_eq!(outcome.code, Some(2));
    outcome.says("--consumer-context").says("--force");
}

/// Folders that have nothing to call, or not the key for it.
#[test]
fn a_peering_without_such_a_client() {
    let knock = |folder: &str, more: &[&str]| {
        let identity =
            if folder.contains("two-") { "two-organisations-demo-identity" } else { "demo-identity" };
        let run = Run::new(["knock".to_owned(), format!("examples/{folder}")]);
        let identity = format!("examples/identities/{identity}.txt");
        run.args(["--force", "--timeout=1s", "--identity-file", &identity])
            .args(more.iter().copied())
            .within(root())
            .run()
    };
    knock("offloading-only", &[]).fails(2, "flag").says("no `networking`");
    with_client("pending", &[])
        .fails(2, "flag")
        .says("--address: the document's `gatewayClient` is `pending`");
    with_client("pending", &["--address=127.0.0.1:9", "--timeout=1s"]).fails(5, "knock-refused");
    // the provider's organisation has the consumer's public key only
    let outcome = knock("two-organisations/provider", &["--address=127.0.0.1:9"]);
    outcome.fails(1, "seed-elsewhere").says("its private key is not known here");
}

/// `kubectl`, with an answer for each resource.
const KUBECTL: &str = r#"#!/bin/sh
for word in "$@"; do
  case $word in
    --context=*) context=${word#--context=} ;;
    configmap/*) /bin/cat "${0%/*}/$context.id" ;;
    connections.*) /bin/cat "${0%/*}/$context.connections" || { echo "Error from server (Forbidden)" >&2; exit 1; } ;;
  esac
done
"#;

/// A run with clusters: the ID of each by its context, and its Connections: their namespace, peer and state.
fn with_clusters(ids: [(&str, &str); 2], connections: &[(&str, [&str; 3])], more: &[&str]) -> Outcome {
    let bin = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| fs::write(bin.path().join(name), text).expect("written");
    write("kubectl", KUBECTL.into());
    fs::set_permissions(bin.path().join("kubectl"), fs::Permissions::from_mode(0o755)).expect("a mode");
    for (context, id) in ids {
        write(
            &format!("{context}.id"),
            json!({ "kind": "ConfigMap", "data": { "CLUSTER_ID": id } }).to_string(),
        );
        let of_context = connections.iter().filter(|(it, _)| *it == context);
        let items: Vec<_> = of_context
            .map(|(_, [namespace, peer, value])| {
                let labels = json!({ "liqo.io/remote-cluster-id": peer });
                let metadata = json!({ "name": "gw", "namespace": namespace, "labels": labels });
                json!({ "kind": "Connection", "metadata": metadata, "status": { "value": value } })
            })
            .collect();
        if connections.iter().any(|(it, [.., value])| *it == context && *value == "hidden") {
            continue;
        }
        write(&format!("{context}.connections"), json!({ "kind": "List", "items": items }).to_string());
    }
    run(more).env("PATH", bin.path()).run()
}

#[test]
fn a_tunnel_that_is_up_is_left_alone() {
    const IDS: [(&str, &str); 2] = [("a", "consumer"), ("b", "provider")];
    const BOTH: [&str; 2] = ["--consumer-context=a", "--provider-context=b"];
    let (sender, receiver) = mpsc::channel();
    let mut server = gateway();
    let address = listens(move |it| {
        sender.send(()).expect("a test that listens");
        server.answer(it).into_iter().collect()
    });
    let address = format!("--address={address}");
    let up = [("a", ["liqo-tenant-provider", "provider", "Connected"])];
    let unlabelled = [("a", ["liqo-tenant-provider", "", "Connected"])];
    let elsewhere = [("b", ["another", "consumer", "Connected"])];
    for (connections, contexts, side) in [
        (&up, &BOTH[..], "consumer"),
        (&unlabelled, &BOTH[..1], "consumer"),
        (&elsewhere, &BOTH[..], "provider"),
    ] {
        let outcome = with_clusters(IDS, connections, &[contexts, &[&address]].concat());
        outcome
            .fails(3, "connected")
            .says(&format!("the {side}'s Connection is `Connected`"))
            .says("`--force`");
        outcome.silent_on("opened ").silent_on("calling");
    }
    // not the document's clusters
    let swapped = [("a", "provider"), ("b", "oslo")];
    with_clusters(swapped, &[], &[BOTH[0], &address])
        .fails(2, "flag")
        .says("--consumer-context: the cluster's ID is `provider`");
    with_clusters(swapped, &[], &[BOTH[1], &address])
        .fails(2, "flag")
        .says("the document's provider is `provider`");
    with_clusters([("a", ""), ("b", "")], &[], &[BOTH[0], &address]).fails(2, "flag").says("not known");
    // no right to see it
    let hidden = [("b", ["", "", "hidden"])];
    with_clusters(IDS, &hidden, &[BOTH[0], BOTH[1], &address]).fails(3, "program").says("(Forbidden)");
    assert_eq!(receiver.try_iter().count(), 0, "nothing was sent");
    // another peering's, one that is not up, and one of the other context that was not named
    for (connections, contexts) in [
        (&[("a", ["liqo-tenant-oslo", "oslo", "Connected"])], &BOTH[..]),
        (&[("a", ["liqo-tenant-provider", "provider", "Connecting"])], &BOTH),
        (&up, &BOTH[1..]),
        (&up, &["--force"]),
    ] {
        with_clusters(IDS, connections, &[contexts, &[&address]].concat()).done();
    }
    assert_eq!(receiver.try_iter().count(), 4);
}
