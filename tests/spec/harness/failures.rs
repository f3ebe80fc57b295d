//! Every way in which a run can fail, as values: each variant of each error type, so that a new one does not compile
//! before it has a screen.

use std::io::ErrorKind;

use super::library::{
    self, Denied, Error, FileProblem, IdentityProblem, ImportProblem, Kind, KubeconfigProblem,
    ParameterProblem, PayloadProblem, PolicyProblem, RotationProblem, SeedProblem, Term,
};

/// A failed run, and what is wrong in particular; nothing where its code says it. A public key is a public key.
pub(crate) struct Failure {
    pub(crate) what: String,
    pub(crate) error: Error,
}

/// The public key that `tests/vectors` derives from the test seed.
const PUBLIC_KEY: &str = "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=";

impl Failure {
    /// The code, or `code: in particular`.
    pub(crate) fn name(&self) -> String {
        let code = self.error.code();
        if self.what.is_empty() { code.to_owned() } else { format!("{code}: {}", self.what) }
    }
}

/// What is wrong with a file that is read.
const READ: [&str; 5] = ["missing", "unreadable", "not a file", "link", "too large"];

/// What is wrong with a file that is made.
const MADE: [&str; 3] = ["unwritable", "no folder", "exists"];

/// All of them.
pub(crate) fn all() -> Vec<Failure> {
    saying(None)
}

/// All of them; what comes from outside and may be repeated is this text, if one is given.
pub(crate) fn saying(said: Option<&str>) -> Vec<Failure> {
    let or = |usual: &str| said.unwrap_or(usual).to_owned();
    let mut failures = Vec::new();
    let mut add = |what: &str, error: Error| {
        failures.push(Failure { what: what.to_owned(), error });
    };
    add("", wrong_document(&or("peering.yaml")));
    add(
        "",
        Error::Invalid {
            errors: vec![wrong_document(&or("a/peering.yaml")), wrong_document(&or("b/peering.yaml"))],
            silent: false,
        },
    );
    for (what, problem) in file_problems(&or) {
        // which file can have which problem: the document is read as text, sealed files as bytes, other files are also made
        if READ.contains(&what) || what == "not UTF-8" {
            add(what, Error::DocumentFile { name: or("peering.yaml"), problem: problem.clone() });
        }
        if READ.contains(&what) {
            add(what, Error::SealedFile { name: or("peering.seed.age"), problem: problem.clone() });
        }
        if READ.contains(&what) || what == "not UTF-8" || MADE.contains(&what) {
            add(what, Error::File { name: or("milan.kubeconfig"), problem });
        }
    }
    for (what, problem) in identity_problems(&or) {
        add(what, Error::Identity(problem));
    }
    for (what, problem) in payload_problems(&or) {
        add(what, Error::Payload { name: or("peering.seed.age"), problem });
    }
    for (what, denied) in denials(&or) {
        add(what, Error::Denied { name: or("peering.seed.age"), denied });
    }
    for (what, problem) in policy_problems(&or) {
        add(what, Error::Policy(problem));
    }
    for (what, problem) in import_problems(&or) {
        add(what, Error::Import(problem));
    }
    for (what, problem) in rotation_problems(&or) {
        add(what, Error::Rotation(problem));
    }
    add("", Error::Sealing { name: or("milan.kubeconfig"), cap: 131_072 });
    for (what, problem) in kubeconfig_problems(&or) {
        add(what, Error::Kubeconfig { name: or("kubeconfig.age"), problem });
    }
    for (what, problem) in parameter_problems(&or) {
        add(what, Error::Parameter(problem));
    }
    add("", Error::UnexpectedKey { side: "consumer", derived: PUBLIC_KEY.into() });
    add("", Error::OwnKey { side: "provider" });
    add("", Error::SeedElsewhere { side: "provider" });
    add("", Error::Hydration);
    add(
        "",
        Error::Flag {
            flag: "--clusters",
            reason: or("two cluster IDs with a comma between them, such as `rome,milan`"),
        },
    );
    add("", Error::Output(ErrorKind::StorageFull));
    add("", Error::Randomness);
    add("", Error::Bug(or("the stream does not read back")));
    failures
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
    file_problems(_or): FileProblem {
        "missing" => FileProblem::Missing = FileProblem::Missing,
        "unreadable" => FileProblem::Unreadable(_) = FileProblem::Unreadable(ErrorKind::PermissionDenied),
        "not a file" => FileProblem::NotAFile = FileProblem::NotAFile,
        "link" => FileProblem::Link = FileProblem::Link,
        "too large" => FileProblem::TooLarge { .. } = FileProblem::TooLarge { cap: 64 * 1024 },
        "not UTF-8" => FileProblem::NotUtf8(_) = FileProblem::NotUtf8(82),
        "unwritable" => FileProblem::Unwritable(_) = FileProblem::Unwritable(ErrorKind::StorageFull),
        "no folder" => FileProblem::NoFolder = FileProblem::NoFolder,
        "exists" => FileProblem::Exists = FileProblem::Exists,
        "world writable" => FileProblem::WorldWritable = FileProblem::WorldWritable,
    }
}

values! {
    identity_problems(or): IdentityProblem {
        "not given" => IdentityProblem::NotGiven = IdentityProblem::NotGiven,
        "world writable" => IdentityProblem::File { problem: FileProblem::WorldWritable, .. } =
            IdentityProblem::File { name: or("identity.txt"), problem: FileProblem::WorldWritable },
        "file" => IdentityProblem::File { .. } =
            IdentityProblem::File { name: or("identity.txt"), problem: FileProblem::Missing },
        "line" => IdentityProblem::Line { .. } = IdentityProblem::Line {
            name: or("identity.txt"),
            line: 3,
            reason: "a recipient, the public half; the identity begins with AGE-SECRET-KEY-1",
        },
        "empty" => IdentityProblem::Empty(_) = IdentityProblem::Empty(or("identity.txt")),
        "inside" => IdentityProblem::Inside = IdentityProblem::Inside,
    }
}

values! {
    payload_problems(_or): PayloadProblem {
        "not age" => PayloadProblem::NotAge = PayloadProblem::NotAge,
        "damaged" => PayloadProblem::Damaged = PayloadProblem::Damaged,
        "other recipient" => PayloadProblem::OtherRecipient = PayloadProblem::OtherRecipient,
        "other kind" => PayloadProblem::OtherKind(_) = PayloadProblem::OtherKind("SSH keys"),
        "passphrase" => PayloadProblem::Passphrase = PayloadProblem::Passphrase,
        "recipients" => PayloadProblem::Recipients = PayloadProblem::Recipients,
        "unbound seed" => PayloadProblem::Unbound(Kind::Seed) = PayloadProblem::Unbound(Kind::Seed),
        "unbound kubeconfig" => PayloadProblem::Unbound(Kind::Kubeconfig) = PayloadProblem::Unbound(Kind::Kubeconfig),
        "malformed" => PayloadProblem::Malformed = PayloadProblem::Malformed,
        "version" => PayloadProblem::Version(_) = PayloadProblem::Version(2),
        "kind" => PayloadProblem::Kind { .. } = PayloadProblem::Kind { expected: "seed", found: "kubeconfig" },
        "seed" => PayloadProblem::Seed(_) = PayloadProblem::Seed(SeedProblem),
    }
}

values! {
    denials(or): Denied {
        "absent" => Denied::Absent { .. } = Denied::Absent { term: Term::Projects },
        "unsaid" => Denied::Unsaid { .. } = Denied::Unsaid { term: Term::Projects },
        "policy" => Denied::Policy { .. } =
            Denied::Policy { clusters: or("milan/rome"), caller: or("project=a repo=b path=c") },
        "other" => Denied::Other { .. } = Denied::Other { term: Term::Repos, found: or("`https://git.example.org/mallory/peerings`") },
    }
}

values! {
    policy_problems(_or): PolicyProblem {
        "world writable" => PolicyProblem::File(FileProblem::WorldWritable) =
            PolicyProblem::File(FileProblem::WorldWritable),
        "file" => PolicyProblem::File(_) = PolicyProblem::File(FileProblem::Missing),
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
        "last generation" => RotationProblem::LastGeneration(_) = RotationProblem::LastGeneration("consumer"),
        "layout" => RotationProblem::Layout = RotationProblem::Layout,
        "uncommitted" => RotationProblem::Uncommitted = RotationProblem::Uncommitted,
        "no git" => RotationProblem::NoGit(_) = RotationProblem::NoGit("this is no Git repository"),
    }
}

values! {
    kubeconfig_problems(_or): KubeconfigProblem {
        "malformed" => KubeconfigProblem::Malformed = KubeconfigProblem::Malformed,
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
        "role type" => ParameterProblem::RoleType(_) = ParameterProblem::RoleType("an `array`"),
        "duplicate" => ParameterProblem::Duplicate(_) = ParameterProblem::Duplicate(or("`role`")),
        "unknown" => ParameterProblem::Unknown(_) = ParameterProblem::Unknown(or("`side`")),
        "malformed" => ParameterProblem::Malformed = ParameterProblem::Malformed,
    }
}
