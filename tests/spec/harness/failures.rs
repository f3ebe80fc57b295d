//! Every way in which a run can fail, as values: each variant of each error type, so that a new one does not compile
//! before it has a screen.

use std::io::ErrorKind;

use super::library::{
    self, Bound, Bug, CustodyError, Error, IdentityProblem, ImportProblem, Judged,
    KubeconfigProblem, NoRandomness, ParameterProblem, PayloadKind, PayloadProblem, PolicyProblem,
    ProgramProblem, ReadProblem, Role, RotationProblem, SeedProblem, StateError, Term, TextProblem,
    Unissued, Unread, UnreadDocument, Unwritten, WorkstationError, WriteProblem,
};

/// A failed run, and what is wrong in particular; nothing where its code says it. A public key is a public key.
pub(crate) struct Failure {
    pub(crate) what: String,
    pub(crate) error: Error,
}

/// The public key that `tests/vectors` derives from the test seed.
const PUBLIC_KEY: &str = "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=";

impl Failure {
    fn new(what: &str, error: impl Into<Error>) -> Self {
        Self {
            what: what.to_owned(),
            error: error.into(),
        }
    }

    /// The code, or `code: in particular`.
    pub(crate) fn name(&self) -> String {
        let code = self.error.code();
        if self.what.is_empty() {
            code.to_owned()
        } else {
            format!("{code}: {}", self.what)
        }
    }
}

/// All of them.
pub(crate) fn all() -> Vec<Failure> {
    saying(None)
}

/// All of them, and all mistakes of the corpus.
pub(crate) fn and_mistakes() -> impl Iterator<Item = (String, Error)> {
    let documents = super::corpus::all()
        .into_iter()
        .map(|case| (case.name.clone(), case.error()));
    documents.chain(
        all()
            .into_iter()
            .map(|failure| (failure.name(), failure.error)),
    )
}

/// The failures of these problems.
fn each<P, E: Into<Error>>(
    problems: Vec<(&'static str, P)>,
    error: impl Fn(P) -> E,
) -> impl Iterator<Item = Failure> {
    problems
        .into_iter()
        .map(move |(what, problem)| Failure::new(what, error(problem)))
}

/// All of them; what comes from outside and may be repeated is this text, if one is given.
pub(crate) fn saying(said: Option<&str>) -> Vec<Failure> {
    let or = |usual: &str| said.unwrap_or(usual).to_owned();
    let kubeconfig = || or("milan.kubeconfig");
    let document = |problem: &TextProblem| UnreadDocument {
        name: or("peering.yaml"),
        problem: problem.clone(),
        nearly: None,
        below: None,
    };
    let mut all = vec![
        Failure::new("", wrong_document(&or("peering.yaml"))),
        Failure::new(
            "",
            WorkstationError::Invalid {
                errors: vec![
                    wrong_document(&or("a/peering.yaml")),
                    wrong_document(&or("b/peering.yaml")),
                ],
                wrong: 2,
                peerings: 30,
                judged: Judged::default(),
            },
        ),
    ];
    for (what, problem) in text_problems(&or) {
        all.push(Failure::new(what, document(&problem)));
        all.push(Failure::new(
            what,
            Unread {
                name: kubeconfig(),
                problem,
            },
        ));
    }
    all.extend(each(write_problems(&or), |problem| Unwritten {
        name: kubeconfig(),
        problem,
    }));
    all.extend(each(custody_errors(&or), |error| error));
    let seed = || or("peering.seed.age");
    all.extend(each(read_problems(&or), |problem| {
        CustodyError::SealedFile {
            name: seed(),
            kind: PayloadKind::Seed,
            problem,
        }
    }));
    all.extend(each(identity_problems(&or), CustodyError::Identity));
    all.extend(each(payload_problems(&or), |problem| {
        CustodyError::Payload {
            name: seed(),
            problem,
        }
    }));
    let named = format!(
        "two of a kind: Tenant.authentication.liqo.io {} (a.yaml)",
        or("liqo-tenant-rome/rome")
    );
    let manifests =
        WorkstationError::Manifests(vec![named, "the MTUs differ: `1340` and `1400`".to_owned()]);
    all.push(Failure::new("", manifests));
    all.extend(each(program_problems(&or), |problem| StateError::Program {
        name: "kubectl",
        problem,
    }));
    all.extend(each(unissued(&or), |problem| WorkstationError::Unissued {
        context: or("milan"),
        problem,
    }));
    let mut judged = Judged::default();
    judged.leave_out(
        "ApplicationSet",
        or("apps/set.yaml"),
        "its generators are not evaluated",
    );
    let sidecar = Error::Sidecar {
        name: or("argocd-peering.sock"),
        problem: ErrorKind::NotFound,
    };
    let not_judged = judged.requested().cloned().map(WorkstationError::NotJudged);
    let uncompared = WorkstationError::Uncompared(vec![wrong_document(&or("peering.yaml"))]);
    let compared = [
        uncompared,
        WorkstationError::Differs,
        WorkstationError::Unconfirmed,
    ];
    all.push(Failure::new("", sidecar));
    all.extend(
        not_judged
            .chain(compared)
            .map(|error| Failure::new("", error)),
    );
    all.extend(each(denials(&or), |error| error));
    all.extend(each(policy_problems(&or), CustodyError::Policy));
    all.extend(each(import_problems(&or), WorkstationError::from));
    all.extend(each(rotation_problems(&or), CustodyError::Rotation));
    let credential = |problem| CustodyError::Kubeconfig {
        name: or("kubeconfig.age"),
        problem,
    };
    all.extend(each(kubeconfig_problems(&or), credential));
    all.extend(each(parameter_problems(&or), |problem| problem));
    let reason = or("write the consumer's and the provider's ID, such as `rome,milan`");
    let flag = StateError::Flag {
        flag: "--clusters",
        reason,
    }
    .into();
    let output = Error::Output(ErrorKind::StorageFull);
    let last = [
        flag,
        Error::Hydration,
        output,
        Bug::new(or("the stream does not read back")).into(),
    ];
    all.extend(last.map(|error| Failure::new("", error)));
    all
}

/// A list of values with their names, a line each.
macro_rules! named {
    ($( $what:literal => $value:expr, )*) => { vec![$( ($what, $value), )*] };
}

/// Whom a sealed file is not opened for.
fn denials(or: &impl Fn(&str) -> String) -> Vec<(&'static str, CustodyError)> {
    let name = || or("peering.seed.age");
    let caller = or("the Application rome-milan-consumer");
    let [allowed, reported] = ["peerings/rome-milan", "peerings/rome-turin"].map(or);
    let asked =
        || or("the clusters milan/rome for project=a repo=b path=c revision=d, role=consumer");
    named! {
        "refused" => CustodyError::Refused { name: name(), caller, term: Term::Paths, allowed, reported },
        "" => CustodyError::Denied { name: name(), asked: asked(), sealed_for: None },
        "a local run" => CustodyError::Denied { name: name(), asked: asked(), sealed_for: Some(or("milan/turin")) },
    }
}

fn wrong_document(name: &str) -> Error {
    library::problems_of(name, "apiVersion: v1\nkind: ConfigMap\n").expect_err("no peering")
}

/// Declares the values of one type, and a match that has an arm for each: a variant without a value does not compile.
macro_rules! values {
    ($function:ident($or:ident): $type:ty { $( $what:literal => $variant:pat = $value:expr, )* }) => {
        fn $function($or: &impl Fn(&str) -> String) -> Vec<(&'static str, $type)> {
            const fn is_known(value: &$type) -> bool {
                match value { $( $variant => true, )* }
            }
            let values: Vec<(&'static str, $type)> = vec![$( ($what, $value), )*];
            assert!(values.iter().all(|(_, value)| is_known(value)));
            values
        }
    };
}

values! {
    read_problems(_or): ReadProblem {
        "missing" => ReadProblem::Missing = ReadProblem::Missing,
        "unreadable" => ReadProblem::Unreadable(_) = ReadProblem::Unreadable(ErrorKind::PermissionDenied),
        "too many open" => ReadProblem::TooManyOpen = ReadProblem::TooManyOpen,
        "not a file" => ReadProblem::NotAFile = ReadProblem::NotAFile,
        "link" => ReadProblem::Link = ReadProblem::Link,
        "too large" => ReadProblem::TooLarge { .. } = ReadProblem::TooLarge { cap: 64 * 1024 },
    }
}

/// A text is read as bytes are, and must be UTF-8.
fn text_problems(or: &impl Fn(&str) -> String) -> Vec<(&'static str, TextProblem)> {
    let read = read_problems(or)
        .into_iter()
        .map(|(what, problem)| (what, TextProblem::Read(problem)));
    read.chain([("not UTF-8", TextProblem::NotUtf8(3, 0xFC))])
        .collect()
}

values! {
    write_problems(or): WriteProblem {
        "unwritable" => WriteProblem::Unwritable(_) = WriteProblem::Unwritable(ErrorKind::StorageFull),
        "no folder" => WriteProblem::NoFolder = WriteProblem::NoFolder,
        "exists" => WriteProblem::Exists = WriteProblem::Exists,
        "link on the way" => WriteProblem::Link = WriteProblem::Link,
        "changed meanwhile" => WriteProblem::Changed = WriteProblem::Changed,
        "another run writes" => WriteProblem::Busy = WriteProblem::Busy,
        "half replaced" => WriteProblem::Half(..) = WriteProblem::Half(ErrorKind::StorageFull, or("peering.seed.age")),
        "not a file to replace" => WriteProblem::NotAFile = WriteProblem::NotAFile,
    }
}

values! {
    unissued(or): Unissued {
        "no account" => Unissued::NoAccount { .. } = Unissued::NoAccount { namespace: or("liqo-tenant-rome"), name: or("rome-controlplane") },
        "other secret" => Unissued::OtherSecret { .. } = Unissued::OtherSecret { namespace: or("liqo-tenant-rome"), name: or("rome-controlplane-token") },
        "no token" => Unissued::NoToken { .. } = Unissued::NoToken { namespace: or("liqo-tenant-rome"), name: or("rome-controlplane-token"), seconds: 20 },
        "denied" => Unissued::Denied { .. } = Unissued::Denied { name: or("argocd-peering-x7k2p"), reason: or("not on a Friday") },
        "failed" => Unissued::Failed { .. } = Unissued::Failed { name: or("argocd-peering-x7k2p"), reason: or("SignerValidationFailure") },
        "no certificate" => Unissued::NoCertificate { .. } = Unissued::NoCertificate { name: or("argocd-peering-x7k2p"), seconds: 20 },
        "other key" => Unissued::OtherKey { .. } = Unissued::OtherKey { name: or("argocd-peering-x7k2p") },
        "too powerful" => Unissued::TooPowerful { .. } = Unissued::TooPowerful { user: or("rome"), may: "`get secrets --namespace=kube-system`".into() },
    }
}

values! {
    program_problems(or): ProgramProblem {
        "missing" => ProgramProblem::Missing = ProgramProblem::Missing,
        "unstartable" => ProgramProblem::Unstartable(_) = ProgramProblem::Unstartable(ErrorKind::PermissionDenied),
        "timed out" => ProgramProblem::TimedOut = ProgramProblem::TimedOut,
        "too large" => ProgramProblem::TooLarge = ProgramProblem::TooLarge,
        "over budget" => ProgramProblem::OverBudget(_) = ProgramProblem::OverBudget(Bound::Values),
        "failed" => ProgramProblem::Failed(_) = ProgramProblem::Failed(or("error: context \"milan\" does not exist")),
        "unexpected" => ProgramProblem::Unexpected(_) = ProgramProblem::Unexpected("UTF-8"),
    }
}

/// The errors without further kinds.
fn custody_errors(or: &impl Fn(&str) -> String) -> Vec<(&'static str, CustodyError)> {
    let name = || or("peering.seed.age");
    let [consumer, provider] = [Role::Consumer, Role::Provider];
    let refused = |side, term, [asked, allowed]: [&str; 2]| CustodyError::Destination {
        name: name(),
        side,
        term,
        asked: or(asked),
        allowed: or(allowed),
    };
    let elsewhere = ["elsewhere", "\"liqo-tenant-rome=milan\""];
    named! {
        "" => CustodyError::Sealing { name: or("milan.kubeconfig"), cap: 131_072 },
        "" => refused(consumer, Term::Delivery, ["Secret", "\"SealedSecret\""]),
        "namespace" => refused(provider, Term::Namespaces, elsewhere),
        "" => CustodyError::CertificateMissing { name: name(), cluster: "rome".parse().expect("an ID") },
        "" => CustodyError::UnexpectedKey { side: consumer, derived: PUBLIC_KEY.into() },
        "" => CustodyError::OwnKey { side: provider },
        "" => CustodyError::SeedElsewhere { side: provider },
        "" => CustodyError::Randomness(NoRandomness),
    }
}

values! {
    identity_problems(or): IdentityProblem {
        "not given" => IdentityProblem::NotGiven = IdentityProblem::NotGiven,
        "not kept" => IdentityProblem::NotKept = IdentityProblem::NotKept,
        "file" => IdentityProblem::File { .. } =
            IdentityProblem::File { name: or("identity.txt"), problem: ReadProblem::Missing.into() },
        "not a file" => IdentityProblem::NotAFile { .. } = IdentityProblem::NotAFile { name: or("identity.txt") },
        "world writable" => IdentityProblem::WorldWritable { .. } = IdentityProblem::WorldWritable { name: or("identity.txt") },
        "line" => IdentityProblem::Line { .. } = IdentityProblem::Line {
            name: or("identity.txt"),
            line: 3,
            reason: "a recipient; an identity begins with AGE-SECRET-KEY-1",
        },
        "empty" => IdentityProblem::Empty { .. } = IdentityProblem::Empty { name: or("identity.txt") },
        "inside" => IdentityProblem::Inside = IdentityProblem::Inside,
    }
}

values! {
    payload_problems(or): PayloadProblem {
        "plaintext" => PayloadProblem::Plaintext(_) = PayloadProblem::Plaintext("kubeconfig"),
        "document" => PayloadProblem::Document = PayloadProblem::Document,
        "empty" => PayloadProblem::Empty = PayloadProblem::Empty,
        "not age" => PayloadProblem::NotAge = PayloadProblem::NotAge,
        "damaged" => PayloadProblem::Damaged = PayloadProblem::Damaged,
        "lfs pointer" => PayloadProblem::LfsPointer = PayloadProblem::LfsPointer,
        "other recipient" => PayloadProblem::OtherRecipient = PayloadProblem::OtherRecipient,
        "not for the kept one" => PayloadProblem::NotForKept(_) = PayloadProblem::NotForKept(or("identity.txt")),
        "not tried" => PayloadProblem::NotTried(_) = PayloadProblem::NotTried("line 1 of it".into()),
        "git-crypt" => PayloadProblem::GitCrypt = PayloadProblem::GitCrypt,
        "conflict" => PayloadProblem::Conflict = PayloadProblem::Conflict,
        "other format" => PayloadProblem::OtherFormat(_) = PayloadProblem::OtherFormat("SOPS"),
        "other kind" => PayloadProblem::OtherKind(_) = PayloadProblem::OtherKind("SSH keys"),
        "passphrase" => PayloadProblem::Passphrase = PayloadProblem::Passphrase,
        "recipients" => PayloadProblem::Recipients = PayloadProblem::Recipients,
        "unbound" => PayloadProblem::Unbound = PayloadProblem::Unbound,
        "malformed" => PayloadProblem::Malformed = PayloadProblem::Malformed,
        "terms" => PayloadProblem::Terms = PayloadProblem::Terms,
        "version" => PayloadProblem::Version(_) = PayloadProblem::Version(2),
        "kind" => PayloadProblem::Kind { .. } = PayloadProblem::Kind { expected: PayloadKind::Seed, found: PayloadKind::Kubeconfig },
        "seed" => PayloadProblem::Seed(_) = PayloadProblem::Seed(SeedProblem),
    }
}

values! {
    policy_problems(_or): PolicyProblem {
        "file" => PolicyProblem::File(_) = PolicyProblem::File(ReadProblem::Missing.into()),
        "world writable" => PolicyProblem::WorldWritable = PolicyProblem::WorldWritable,
        "inside" => PolicyProblem::Inside = PolicyProblem::Inside,
        "line" => PolicyProblem::Line { .. } = PolicyProblem::Line { line: 3, reason: "no such field" },
        "other" => PolicyProblem::Other = PolicyProblem::Other,
        "term" => PolicyProblem::Term { .. } =
            PolicyProblem::Term { entry: 1, term: Term::Paths, rule: "a folder without `..`" },
    }
}

values! {
    import_problems(_or): ImportProblem {
        "not base64" => ImportProblem::NotBase64 = ImportProblem::NotBase64,
        "length" => ImportProblem::Length(_) = ImportProblem::Length(31),
        "repetitive" => ImportProblem::Repetitive(_) = ImportProblem::Repetitive(1),
        "printable" => ImportProblem::Printable = ImportProblem::Printable,
    }
}

values! {
    rotation_problems(_or): RotationProblem {
        "no keys" => RotationProblem::NoKeys = RotationProblem::NoKeys,
        "no seed" => RotationProblem::NoSeed = RotationProblem::NoSeed,
        "last generation" => RotationProblem::LastGeneration(_) = RotationProblem::LastGeneration(Role::Consumer),
        "layout" => RotationProblem::Layout = RotationProblem::Layout,
    }
}

values! {
    kubeconfig_problems(or): KubeconfigProblem {
        "malformed" => KubeconfigProblem::Malformed = KubeconfigProblem::Malformed,
        "empty kubeconfig" => KubeconfigProblem::Empty = KubeconfigProblem::Empty,
        "kubeconfig in a Secret" => KubeconfigProblem::Secret = KubeconfigProblem::Secret,
        "duplicate" => KubeconfigProblem::Duplicate(_) = KubeconfigProblem::Duplicate("users"),
        "token file" => KubeconfigProblem::TokenFile = KubeconfigProblem::TokenFile,
        "omitted" => KubeconfigProblem::Omitted(_) = KubeconfigProblem::Omitted("token"),
        "placeholder" => KubeconfigProblem::Placeholder(_) = KubeconfigProblem::Placeholder("token"),
        "minutes" => KubeconfigProblem::Minutes(_) = KubeconfigProblem::Minutes("ends in 14 minutes".to_owned()),
        "encoded token" => KubeconfigProblem::EncodedToken = KubeconfigProblem::EncodedToken,
        "pem line" => KubeconfigProblem::PemLine(_) = KubeconfigProblem::PemLine("client-key-data"),
        "encrypted key" => KubeconfigProblem::EncryptedKey(_) = KubeconfigProblem::EncryptedKey("client-key-data"),
        "pair" => KubeconfigProblem::Pair = KubeconfigProblem::Pair,
        "other kind" => KubeconfigProblem::OtherKind(_) = KubeconfigProblem::OtherKind("`Peering`"),
        "expired" => KubeconfigProblem::Expired(_) = KubeconfigProblem::Expired("2024-01-01".to_owned()),
        "not yet" => KubeconfigProblem::NotYet(_) = KubeconfigProblem::NotYet("2034-01-01".to_owned()),
        "authority" => KubeconfigProblem::Authority(_) = KubeconfigProblem::Authority("expired on 2024-01-01".to_owned()),
        "other user" => KubeconfigProblem::OtherUser { .. } =
            KubeconfigProblem::OtherUser { user: or("rome"), kind: "User", subject: or("milan") },
        "dangling" => KubeconfigProblem::Dangling(_) = KubeconfigProblem::Dangling("current-context"),
        "plugin" => KubeconfigProblem::Plugin(_) = KubeconfigProblem::Plugin("exec"),
        "file path" => KubeconfigProblem::FilePath(_) = KubeconfigProblem::FilePath("client-key"),
        "no credential" => KubeconfigProblem::NoCredential = KubeconfigProblem::NoCredential,
        "server" => KubeconfigProblem::Server = KubeconfigProblem::Server,
        "port" => KubeconfigProblem::Port(_) = KubeconfigProblem::Port("server"),
        "server user" => KubeconfigProblem::ServerUser = KubeconfigProblem::ServerUser,
        "loopback" => KubeconfigProblem::Loopback = KubeconfigProblem::Loopback,
        "token" => KubeconfigProblem::Token = KubeconfigProblem::Token,
        "impersonation" => KubeconfigProblem::Impersonation = KubeconfigProblem::Impersonation,
        "two methods" => KubeconfigProblem::TwoMethods = KubeconfigProblem::TwoMethods,
        "half certificate" => KubeconfigProblem::HalfCertificate = KubeconfigProblem::HalfCertificate,
        "pem" => KubeconfigProblem::Pem(_) = KubeconfigProblem::Pem("client-key-data"),
        "insecure with authority" => KubeconfigProblem::InsecureWithAuthority = KubeconfigProblem::InsecureWithAuthority,
        "insecure" => KubeconfigProblem::Insecure = KubeconfigProblem::Insecure,
        "insecure proxy" => KubeconfigProblem::InsecureProxy = KubeconfigProblem::InsecureProxy,
        "proxy url" => KubeconfigProblem::ProxyUrl = KubeconfigProblem::ProxyUrl,
        "proxy" => KubeconfigProblem::Proxy = KubeconfigProblem::Proxy,
    }
}

values! {
    parameter_problems(or): ParameterProblem {
        "role missing" => ParameterProblem::RoleMissing = ParameterProblem::RoleMissing,
        "role unknown" => ParameterProblem::RoleUnknown(..) = ParameterProblem::RoleUnknown("the plugin parameter `role`", or("`consummer`")),
        "role type" => ParameterProblem::Type(..) = ParameterProblem::Type("role", "an `array`"),
        "other cluster" => ParameterProblem::OtherCluster(..) = ParameterProblem::OtherCluster(or("`turin`"), "provider", or("`milan`")),
        "unnamed" => ParameterProblem::Unnamed = ParameterProblem::Unnamed,
        "duplicate" => ParameterProblem::Duplicate(_) = ParameterProblem::Duplicate(or("`role`")),
        "unknown" => ParameterProblem::Unknown(_) = ParameterProblem::Unknown(or("`side`")),
        "malformed" => ParameterProblem::Malformed = ParameterProblem::Malformed,
    }
}
