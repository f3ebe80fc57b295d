//! What the tests and the fuzz targets of this repository call. Not an API: it changes with the program.

use crate::command::keys;
use crate::command::workstation::{inspect, list};
use crate::report;

pub use crate::argocd::caller::{Caller, Environment};
pub use crate::argocd::parameters::{self, ParameterProblem};
pub use crate::cli::{Cli, run};

pub use crate::cli::process::{harden, wiped};
pub use crate::command::Streams;
pub use crate::command::error::workstation::{Unissued, WorkstationError, report};
pub use crate::command::error::{Error, pages as error_pages};
pub use crate::command::workstation::playground::answer;
pub use crate::custody::keys::{
    ImportProblem, KeyPair, NoRandomness, PrivateKey, Seed, SeedProblem,
};
pub use crate::custody::sealed_secret::{Certificate, Sealer};
pub use crate::custody::store::{Unwritten, WriteProblem};
pub use crate::custody::{
    Attempts, Error as CustodyError, Identities, IdentityProblem, Opened, Payload, PayloadKind,
    PayloadProblem, Policy, PolicyProblem, RotationProblem, Term, check_unopened, normal_path,
    normal_repo,
};
pub use crate::diagnostic::secrecy::{Redacting, forget, mask, mask_document, printed};
pub use crate::diagnostic::{
    Bug, Code, Diagnostic, Elsewhere, Invalid, Judged, Look, Problems, Severity, Source, Span,
};
pub use crate::input::file::{ReadProblem, TextProblem, Unread};
pub use crate::input::folder::{DOCUMENT, Folder, UnreadDocument};
pub use crate::judge::claims::{self, Member};
pub use crate::object::live::Check;
pub use crate::object::{Manifest, Secret};
pub use crate::peering::authentication::credential::kubeconfig::{Kubeconfig, KubeconfigProblem};
pub use crate::peering::networking::keys::{Keys, OwnKey};
pub use crate::peering::values::{Role, Sides};
pub use crate::peering::{Material, Peering, parse, schema_text};
pub use crate::report::{Form, Report};
pub use crate::rules::{examine, parse as parse_document, validate};
pub use crate::state::{Bound, ProgramProblem, StateError};
pub use crate::stream::{Plan, emit, plan, render};

/// The JSON Schemas of the output for programs.
///
/// The name of the file in `docs`, and its text.
pub fn schemas() -> Vec<(&'static str, String)> {
    let report = report::schema::<Report>("validate and doctor");
    let keys = report::schema::<keys::PublicPart>("keys");
    let list = report::schema::<list::Table>("list");
    let diff = report::schema::<crate::judge::change::Changes>("diff");
    let inspect = report::schema::<inspect::Inspected>("inspect");
    vec![
        ("report.schema.json", report),
        ("keys.schema.json", keys),
        ("list.schema.json", list),
        ("diff.schema.json", diff),
        ("inspect.schema.json", inspect),
    ]
}
