//! What the library says: the only place where its paths are written, so that a module that moves changes this file.

use std::ffi::OsString;
use std::fs;
use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Parser as _;

use super::checkout::{copy_of, quickstart};
use super::put;
pub(crate) use argocd_peering::testing::schema_text as schema;
pub(crate) use argocd_peering::testing::{
    Bound, Bug, Check, Cli, Code, CustodyError, Diagnostic, Error, Form, Identities,
    IdentityProblem, ImportProblem, Judged, KeyPair, Keys, Kubeconfig, KubeconfigProblem, Look,
    Manifest, Material, NoRandomness, Opened, OwnKey, ParameterProblem, Payload, PayloadKind,
    PayloadProblem, Plan, Policy, PolicyProblem, PrivateKey, ProgramProblem, ReadProblem, Role,
    RotationProblem, Sealer, Secret, Seed, SeedProblem, StateError, Term, TextProblem, Unissued,
    Unread, UnreadDocument, Unwritten, WorkstationError, WriteProblem, answer, error_pages, harden,
    printed, schemas, wiped,
};

use argocd_peering::testing::{
    DOCUMENT, Elsewhere, Environment, Folder, Invalid, Member, Problems, Redacting, Severity,
    Source, Span, Streams, claims, emit, examine, parse_document, plan, render, report as findings,
    run,
};

/// A document's text, as it is read from a folder.
fn source(text: &str) -> Source {
    Source::new(DOCUMENT, text)
}

/// What is wrong with a document: all problems that `validate` finds, and those of either stream.
pub(crate) fn check(text: &str) -> Result<(), Error> {
    streams(text).map(|_| ())
}

/// The same of a file's bytes.
pub(crate) fn check_file(bytes: &[u8]) -> Result<(), Error> {
    let folder = crate::harness::machine::folder();
    put(folder.path().join(DOCUMENT), bytes);
    check(Folder::new(folder.path()).read_document()?.text())
}

/// What `validate` finds in a document, without making any stream.
pub(crate) fn problems(text: &str) -> Result<(), Error> {
    problems_of(DOCUMENT, text)
}

/// The same of a document with another name.
pub(crate) fn problems_of(name: &str, text: &str) -> Result<(), Error> {
    parse_document(&Source::new(name, text))
        .map(|_| ())
        .map_err(Error::from)
}

/// The consumer's and the provider's stream, without any identity.
pub(crate) fn streams(text: &str) -> Result<[String; 2], Error> {
    let [consumer, provider] = planned(text)?;
    for (plan, stream) in [&consumer, &provider] {
        emit::check_stream(stream, plan)?;
    }
    Ok([consumer.1, provider.1])
}

/// Both plans and their streams, of what anyone can read.
pub(crate) fn planned(text: &str) -> Result<[(Plan, String); 2], Error> {
    let peering = parse_document(&source(text))?;
    let planned = |role| -> Result<(Plan, String), Error> {
        let plan = plan(&peering, role, &Material::public(&peering, role), None)?;
        let stream = render(&plan)?.to_string();
        Ok((plan, stream))
    };
    Ok([planned(Role::Consumer)?, planned(Role::Provider)?])
}

/// Whether a stream passes as a plan's.
pub(crate) fn passes(stream: &str, plan: &Plan) -> bool {
    emit::check_stream(stream, plan).is_ok()
}

/// A private key that is no one's.
pub(crate) const PRIVATE_KEY: [u8; 32] = *b"a private key that is no one's!!";

/// What sealed files could have given for one side.
pub(crate) fn material(kubeconfig: &[u8]) -> Material {
    let key = |byte: u8| STANDARD.encode([byte; 32]).parse().expect("a public key");
    let own = OwnKey::Pair {
        private: PRIVATE_KEY.into(),
        public: key(9),
    };
    let keys = Some(Keys {
        own,
        peer: Some(key(8)),
    });
    Material {
        keys,
        credential: Some(kubeconfig.to_vec().into()),
    }
}

/// One side's stream, of what its sealed files gave.
pub(crate) fn delivered(
    text: &str,
    role: Role,
    material: &Material,
    sealer: Option<&Sealer>,
) -> Result<String, Error> {
    let plan = plan(&parse_document(&source(text))?, role, material, sealer)?;
    let stream = render(&plan)?;
    emit::check_stream(&stream, &plan)?;
    Ok(stream.to_string())
}

/// What seals to a certificate.
pub(crate) fn sealer(pem: &str) -> Sealer {
    Sealer::new(Seed::new([7; 32]), pem.parse().expect("a certificate"))
}

/// What a command prints, by a function call: to standard output, and its notes. Nothing of a process is in it, so all
/// paths are to be absolute.
pub(crate) fn call<S: Into<OsString> + Clone>(
    arguments: impl IntoIterator<Item = S>,
) -> Result<(String, String), Error> {
    let arguments = [OsString::from("argocd-peering")]
        .into_iter()
        .chain(arguments.into_iter().map(Into::into));
    let cli = Cli::try_parse_from(arguments).unwrap_or_else(|usage| panic!("{usage}"));
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let sink: &mut dyn Write = &mut notes;
    let mut streams = Streams {
        out: &mut out,
        notes: Redacting::new(sink),
        terminal: false,
        out_is_terminal: false,
        out_is_lost: false,
    };
    run(&cli.command, &Environment::default(), &mut streams)?;
    drop(streams);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ok((text(out), text(notes)))
}

/// What contradicts each other among documents that are valid one by one: one error a conflict, as `validate` shows it.
/// Each document has a name.
pub(crate) fn conflicts(documents: &[(&str, &str)]) -> Vec<Error> {
    let folder = crate::harness::machine::folder();
    let paths = documents.iter().map(|(name, text)| {
        let path = folder.path().join(name);
        put(&path, text);
        path.into_os_string()
    });
    let paths: Vec<_> = [OsString::from("validate")]
        .into_iter()
        .chain(paths)
        .collect();
    match call(paths) {
        Ok(_) => Vec::new(),
        Err(Error::Workstation(WorkstationError::Invalid { errors, .. })) => {
            let notes = |error: &Error| matches!(error, Error::Document(it) if it.is_note());
            // the folder is another one at each run
            let last_part = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
            let errors = errors.into_iter().filter(|error| !notes(error));
            errors
                .map(|error| with_names(error, &last_part, &|_| true))
                .collect()
        }
        Err(other) => vec![other],
    }
}

/// What `validate --strict` finds in a repository with these files; what is a note is shown as one. Beside each document are the
/// sealed files that it names. A file `liqo/CLUSTER.yaml` has the values of a cluster's Liqo. Notes of other codes are left out.
pub(crate) fn repository(files: &[(&str, &str)], code: &str) -> Vec<Error> {
    let root = crate::harness::machine::folder();
    // what git takes for a repository (gitrepository-layout(5))
    for folder in ["objects", "refs/heads"] {
        fs::create_dir_all(root.path().join(".git").join(folder)).expect("a folder");
    }
    put(root.path().join(".git/HEAD"), "ref: refs/heads/main\n");
    for (name, text) in files {
        let path = root.path().join(name);
        if path.ends_with(DOCUMENT) {
            copy_of(&quickstart(), path.parent().expect("a folder"));
        }
        put(path, text);
    }
    let prefix = format!("{}/", root.path().display());
    let renamed = |name: &str| name.replace(&prefix, "");
    let is_of_code = |it: &Diagnostic| !it.code.is_note() || it.code.name() == code;
    let of_code = |error: Error| match with_names(error, &renamed, &is_of_code) {
        Error::Document(invalid) if invalid.problems.is_empty() => None,
        other => Some(other),
    };
    let arguments = [
        OsString::from("validate"),
        "--strict".into(),
        root.path().into(),
    ];
    match call(arguments) {
        Ok(_) => Vec::new(),
        Err(Error::Workstation(WorkstationError::Invalid { errors, .. })) => {
            errors.into_iter().filter_map(of_code).collect()
        }
        Err(other) => vec![other],
    }
}

/// The same error with other names of its documents, and with some of its problems.
fn with_names(
    error: Error,
    renamed: &impl Fn(&str) -> String,
    is_kept: &impl Fn(&Diagnostic) -> bool,
) -> Error {
    let named = |source: &Source| Source::new(&renamed(source.name()), source.text());
    let Error::Document(invalid) = error else {
        return error;
    };
    let mut problems = Problems::default();
    for problem in invalid.problems.iter().filter(|it| is_kept(it)) {
        let elsewhere = problem.elsewhere.iter().cloned();
        let elsewhere = elsewhere
            .map(|it| Elsewhere {
                source: named(&it.source),
                ..it
            })
            .collect();
        let level = if problem.code.is_note() {
            Severity::Note
        } else {
            problem.level
        };
        problems.push(Diagnostic {
            level,
            elsewhere,
            ..problem.clone()
        });
    }
    Invalid {
        problems,
        source: named(&invalid.source),
    }
    .into()
}

/// Documents of a fleet, each of which is valid alone.
fn members(documents: &[String]) -> Vec<Member> {
    let member = |(index, text): (usize, &String)| match parse_document(&source(text)) {
        Ok(peering) => Member::new(index, &source(text), &peering),
        Err(invalid) => panic!("{}\n{text}", Error::from(invalid).brief()),
    };
    documents.iter().enumerate().map(member).collect()
}

/// Of each document that contradicts another, how many contradictions are kept, and how many only counted.
pub(crate) fn contradictions(documents: &[String]) -> Vec<(usize, usize)> {
    claims::conflicts(&members(documents))
        .values()
        .map(|it| (it.iter().count(), it.len() - it.iter().count()))
        .collect()
}

/// A conflict between documents: its code, its message, and the words that it points at, first those of the later document.
pub(crate) fn conflicting_words(
    documents: &[String],
) -> Vec<(&'static str, String, String, String)> {
    let conflicts = claims::conflicts(&members(documents));
    let words = |text: &str, span: Span| {
        let words = text.get(span.start..span.end);
        words.expect("a place").to_owned()
    };
    let mut all = Vec::new();
    for (number, problems) in &conflicts {
        for it in problems.iter() {
            let own = documents[*number].as_str();
            let others = it.elsewhere.iter();
            let others = others.map(|other| (other.source.text(), other.label.span));
            let first = it.secondary.iter().map(|label| (own, label.span));
            let (text, span) = first.chain(others).next().expect("the first place");
            all.push((
                it.code.name(),
                it.message.clone(),
                words(own, it.primary.span),
                words(text, span),
            ));
        }
    }
    all
}

/// The notes of one code on a document that is valid, with no file beside it.
pub(crate) fn notes(text: &str, code: &str) -> Result<(), Error> {
    check(text)?;
    let Some(mut notes) = examine(&source(text)).problems else {
        return Ok(());
    };
    notes.problems.retain(|it| it.code.name() == code);
    if notes.problems.is_empty() {
        Ok(())
    } else {
        Err(notes.into())
    }
}

/// All problems of a document that is wrong.
pub(crate) fn diagnostics(error: Error) -> Vec<Diagnostic> {
    match error {
        Error::Document(invalid) => invalid.problems.iter().cloned().collect(),
        other => panic!("{other}"),
    }
}

/// The code of the first thing that is wrong.
pub(crate) fn first_code(error: &Error) -> &'static str {
    match error {
        Error::Document(invalid) => invalid
            .problems
            .iter()
            .next()
            .expect("a problem")
            .code
            .name(),
        Error::Workstation(WorkstationError::Invalid { errors, .. }) => {
            first_code(errors.first().expect("an error"))
        }
        other => other.code(),
    }
}

/// The JSON report of these errors, as `validate --format json` prints it.
pub(crate) fn report(error: Error) -> serde_json::Value {
    let errors = match error {
        Error::Workstation(WorkstationError::Invalid { errors, .. }) => errors,
        other => vec![other],
    };
    serde_json::from_str(&print(&errors, Judged::default(), Form::Json)).expect("JSON")
}

/// The report of these errors in one of its forms.
pub(crate) fn print(errors: &[Error], judged: Judged, form: Form) -> String {
    findings(1, errors, judged).print(form).expect("JSON")
}

/// Everything that is ever printed of an error: in a pipe, on a narrow terminal, by Argo CD, as JSON.
pub(crate) fn everything(error: &Error) -> String {
    let forms = [Form::Json, Form::Github];
    let findings: String = forms
        .into_iter()
        .map(|form| print(std::slice::from_ref(error), Judged::default(), form))
        .collect();
    let screens = [Look::PLAIN, Look::terminal(None), Look::terminal(Some(40))]
        .map(|look| error.screen(look));
    // standard error masks on its way out
    format!(
        "{}{findings}",
        printed(&(screens.concat() + &error.brief()))
    )
}
