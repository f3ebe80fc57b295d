//! Files that `render` wrote: a side's stream for an Argo CD without the plugin, or for Flux. The first line of each has two digests, of
//! its origin and of its text. So a run without an identity knows whether the file is still what the document gives.
//!
//! The digests prove nothing: anyone with push access can write both. So the text of a current file is compared as well; without an
//! identity, the values from sealed files are left out.

use crate::custody::{sealed_files_of, without_line_ends};
use crate::diagnostic::{Bug, Code, Invalid, Judged, Severity, counted, quoted};
use crate::input::file::{is_hidden, is_manifest, shown_path};
use crate::peering::delivery::Delivery;
use crate::peering::names::is_placeholder;
use crate::peering::networking::keys::KeySource;
use crate::peering::{Material, Peering, Role, Sides};
use crate::state::repo::Sealed;
use crate::state::repo::api_groups::{RENDERED, is_kustomization};
use crate::stream;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The beginning of a rendered file.
const WORDS: &str = "# argocd-peering render: ";

/// The most bytes of a rendered file that are read: more than a stream may have.
pub(crate) const CAP: u64 = 4 << 20;

/// A side's file, in its own folder: a directory source of Argo CD applies all files (argo-cd `docs/user-guide/directory.md`).
pub(crate) fn place(into: &Path, peering: &str, role: Role) -> PathBuf {
    into.join(peering).join(role.word()).join(RENDERED)
}

/// The peering and the role in the name of a folder.
pub(crate) fn side_of(folder: &Path) -> Option<(&str, Role)> {
    let role = Role::find(folder.file_name()?.to_str()?)?;
    Some((folder.parent()?.file_name()?.to_str()?, role))
}

fn below(stream: &str) -> String {
    format!("# Do not edit it: change peering.yaml, and render again.\n{stream}")
}

/// The digest of a text with normalised line ends: Git can check a file out with others.
fn digest_of(text: &str) -> String {
    format!("sha256:{:x}", Sha256::digest(text.replace("\r\n", "\n")))
}

/// The origin of a side's stream.
pub(crate) struct Origin {
    /// The digest of these files, and of the stream without values from sealed files.
    pub(crate) digest: String,
    /// The stream, with placeholders for values from sealed files.
    stream: Zeroizing<String>,
}

/// `None` if the side cannot be rendered: its stream has a Secret with data, or its seed is elsewhere.
///
/// # Errors
/// Only for a bug in a template.
pub(crate) fn origin(
    peering: &Peering,
    role: Role,
    sealed: &Sealed,
) -> Result<Option<Origin>, Bug> {
    let is_elsewhere = matches!(peering.key_source(role), Some(KeySource::Elsewhere(_)));
    let plan = stream::plan(peering, role, &Material::public(peering, role), None)?;
    if plan.shows_secrets()
        || (is_elsewhere && peering.clusters.of(role).delivery != Delivery::External)
    {
        return Ok(None);
    }
    let mut digest = Sha256::new();
    let stream = stream::render(&plan)?;
    add_part(&mut digest, stream.as_bytes());
    for file in sealed_files_of(peering, role) {
        let bytes = sealed
            .get(file.as_str())
            .and_then(|read| read.as_ref().ok());
        add_part(&mut digest, file.as_str().as_bytes());
        add_part(
            &mut digest,
            &without_line_ends(bytes.map_or(&[][..], Vec::as_slice)),
        );
    }
    Ok(Some(Origin {
        digest: format!("sha256:{:x}", digest.finalize()),
        stream,
    }))
}

/// Adds a part with its length first, so that no bytes can move from one part to the next.
fn add_part(digest: &mut Sha256, bytes: &[u8]) {
    digest.update(bytes.len().to_be_bytes());
    digest.update(bytes);
}

/// A rendered file.
pub(crate) struct Rendered {
    path: PathBuf,
    /// The path without links.
    place: PathBuf,
    /// The first line; `None` if it was edited.
    head: Option<Head>,
    is_edited: bool,
    /// The text below the first line, if the run keeps it.
    below: Option<String>,
}

struct Head {
    peering: String,
    role: Role,
    origin: String,
}

impl Rendered {
    /// The rendered file; `None` if `render` did not write it.
    pub(crate) fn of(path: &Path, bytes: &[u8]) -> Option<Self> {
        let words = bytes.strip_prefix(WORDS.as_bytes())?;
        let text = String::from_utf8_lossy(words);
        let (first, below) = text.split_once('\n').unwrap_or((&text, ""));
        let (head, digest) = first.trim_end().split_once(", text ").unwrap_or_default();
        let is_edited = digest != digest_of(below);
        let (path, place, below) = (path.to_owned(), path.to_owned(), Some(below.to_owned()));
        Some(Self {
            path,
            place,
            head: Head::of(head),
            is_edited,
            below,
        })
    }

    /// Whether it is this side of this peering.
    pub(crate) fn is_of(&self, peering: &str, role: Role) -> bool {
        self.side() == Some((peering, role))
    }

    fn finding(&self, severity: Severity, message: String, help: &str) -> Invalid {
        Invalid::of_path(severity, Code::RenderedFile, &self.path, message, help)
    }

    /// The problem of a file that was edited.
    fn edited(&self) -> Option<Invalid> {
        let message = "this file was written by `generate`, and edited since".to_owned();
        let help =
            "change peering.yaml, and render again; of a file that is yours, remove the first line";
        let is_whole = self.head.is_some() && !self.is_edited;
        (!is_whole).then(|| self.finding(Severity::Error, message, help))
    }

    /// The problem of a file that differs from the stream that it comes from. A line with a placeholder may have any value.
    fn differing(&self, stream: &str) -> Option<Invalid> {
        let expected = below(stream);
        let [ours, own] = [&expected, self.below.as_ref()?].map(|it| it.lines().map(Some));
        let none = std::iter::repeat(None);
        let mut lines = ours
            .chain(none.clone())
            .zip(own.chain(none))
            .take_while(|it| *it != (None, None));
        let is_other =
            |(ours, own)| !matches!((ours, own), (Some(one), Some(other)) if is_line(one, other));
        // the first line is not part of the text
        let line = lines.position(is_other)? + 2;
        let name = quoted(&self.head.as_ref()?.peering);
        let message = format!(
            "line {line} differs from what {name} gives: the file was edited, and its digests were written anew"
        );
        Some(self.finding(
            Severity::Error,
            message,
            "change peering.yaml, and render again",
        ))
    }

    /// The peering and the side.
    pub(crate) fn side(&self) -> Option<(&str, Role)> {
        self.head.as_ref().map(|it| (it.peering.as_str(), it.role))
    }

    /// The folder above the peering's folder; `None` if the file is not at the place that its first line gives.
    pub(crate) fn into(&self) -> Option<&Path> {
        let Head { peering, role, .. } = self.head.as_ref()?;
        self.place
            .ends_with(place(Path::new(""), peering, *role))
            .then(|| self.place.ancestors().nth(3))?
    }

    /// The path of the other side's file.
    fn peer(&self) -> Option<PathBuf> {
        let Head { peering, role, .. } = self.head.as_ref()?;
        Some(place(self.into()?, peering, role.peer()))
    }

    /// The problem of a file in another place: a tool applies all files of a folder, whatever side they are for.
    fn misplaced(&self) -> Option<Invalid> {
        let Head { peering, role, .. } = self.head.as_ref().filter(|_| self.into().is_none())?;
        let right = shown_path(&place(Path::new(""), peering, *role));
        let message = format!("this is the stream of {right}, and in another place");
        let help = "remove it: `generate` writes each side's file where it belongs";
        Some(self.finding(Severity::Error, message, help))
    }
}

/// Whether a line equals the stream's, as far as that is known without an identity.
fn is_line(expected: &str, line: &str) -> bool {
    let Some((start, value)) = expected
        .strip_suffix('"')
        .and_then(|it| it.rsplit_once('"'))
    else {
        return expected == line;
    };
    let own = || {
        line.strip_suffix('"')?
            .strip_prefix(start)?
            .strip_prefix('"')
    };
    expected == line || (is_placeholder(value) && own().is_some_and(|it| !it.contains(['"', '\\'])))
}

fn has_placeholders(stream: &str) -> bool {
    stream
        .lines()
        .any(|line| line.rsplit('"').nth(1).is_some_and(is_placeholder))
}

impl Head {
    fn of(text: &str) -> Option<Self> {
        let (name, origin) = text.split_once(", from ")?;
        let (peering, role) = name.split_once(' ')?;
        Some(Self {
            peering: peering.to_owned(),
            role: Role::find(role)?,
            origin: origin.to_owned(),
        })
    }
}

/// The folders of rendered files, each with its document's folder and its role.
pub(crate) type RenderedFolders = BTreeMap<PathBuf, (PathBuf, Role)>;

/// The rendered files, and the other files of their folders.
#[derive(Default)]
pub(crate) struct RenderedFiles {
    files: Vec<Rendered>,
    /// The other manifests in folders with the name of a side, by folder without links.
    others: BTreeMap<PathBuf, Vec<PathBuf>>,
    /// The paths where a side's file is missing.
    absent: BTreeSet<PathBuf>,
    /// How many bytes of the files are kept.
    kept: usize,
}

/// The most bytes of rendered files that a run keeps.
const KEPT_MAX: usize = 64 << 20;

impl RenderedFiles {
    /// Adds a rendered file, or a file that may be in the folder of one.
    pub(crate) fn add(&mut self, name: &Path, place: &Path, bytes: &[u8]) {
        let folder = place.parent().unwrap_or(place);
        if let Some(file) = Rendered::of(name, bytes) {
            self.kept += bytes.len();
            let below = file.below.filter(|_| self.kept <= KEPT_MAX);
            self.files.push(Rendered {
                place: place.to_owned(),
                below,
                ..file
            });
        } else if is_manifest(name)
            && !is_hidden(name)
            && !is_kustomization(name)
            && folder
                .file_name()
                .and_then(OsStr::to_str)
                .and_then(Role::find)
                .is_some()
        {
            self.others
                .entry(folder.to_owned())
                .or_default()
                .push(name.to_owned());
        }
    }

    /// Searches the other side's file for each file.
    pub(crate) fn look_for_peers(&mut self, exists: impl Fn(&Path) -> bool) {
        self.absent = self
            .files
            .iter()
            .filter_map(Rendered::peer)
            .filter(|peer| !exists(peer))
            .collect();
    }

    /// The peerings with rendered files.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        self.files
            .iter()
            .filter_map(|file| Some(file.head.as_ref()?.peering.clone()))
            .collect()
    }

    /// The folders of the rendered files, each with the folder of its document, found by the peering's name, and its side.
    pub(crate) fn folders(&self, documents: &BTreeMap<&str, &Path>) -> RenderedFolders {
        let folders = self.files.iter().filter_map(|file| {
            let Head { peering, role, .. } = file.head.as_ref()?;
            let document = documents.get(peering.as_str())?.to_path_buf();
            Some((file.place.parent()?.to_owned(), (document, *role)))
        });
        folders.collect()
    }

    /// The problem of another manifest in the folder of a rendered file: both are applied together.
    fn stray(&self, file: &Rendered) -> Option<Invalid> {
        file.into()?;
        let other = self.others.get(file.place.parent()?)?.first()?;
        let message = format!(
            "what applies this folder also applies {}",
            shown_path(other)
        );
        let help = "a folder of `render` has one file: move the other to a folder of its own";
        Some(file.finding(Severity::Note, message, help))
    }

    /// The problem of a missing file for the other side.
    fn missing(&self, file: &Rendered, head: &Head) -> Option<Invalid> {
        let peer = file.peer()?;
        let others = self.others.get(peer.parent()?).into_iter().flatten();
        let is_other = others
            .map(|it| it.file_name())
            .any(|it| it == peer.file_name());
        let (what, help) = if self.absent.contains(&peer) {
            ("is missing", "`generate` writes it")
        } else if is_other {
            (
                "has no first line of `render`",
                "`render` does not replace it: remove it, and render again; if it is yours, move it to a folder of its own",
            )
        } else {
            return None;
        };
        let name = shown_path(&place(
            file.path.ancestors().nth(3)?,
            &head.peering,
            head.role.peer(),
        ));
        let message = format!("the {} is rendered here, and {name} {what}", head.role);
        Some(file.finding(Severity::Note, message, help))
    }
}

/// The origins of both sides' rendered files.
pub(crate) type Origins = Sides<Option<Origin>>;

/// # Errors
/// Only for a bug in a template.
pub(crate) fn origins(peering: &Peering, sealed: &Sealed) -> Result<Origins, Bug> {
    Sides::try_make(|role| origin(peering, role, sealed))
}

/// The documents of rendered files, by the names of their peerings, each with its number.
pub(crate) type ByName<'s> = BTreeMap<&'s str, (usize, &'s Origins)>;

/// The rendered files of a run, with the documents that they come from.
pub(crate) struct RenderedOf<'s> {
    files: &'s RenderedFiles,
    documents: ByName<'s>,
    current: Vec<Current<'s>>,
}

/// A file that should equal the present stream of a side.
struct Current<'s> {
    file: &'s Rendered,
    /// The number of the document, and the role.
    side: (usize, Role),
    origin: &'s Origin,
}

impl<'s> RenderedOf<'s> {
    pub(crate) fn new(files: &'s RenderedFiles, documents: ByName<'s>) -> Self {
        let current = files.files.iter().filter_map(|file| {
            let head = file.head.as_ref().filter(|_| !file.is_edited)?;
            let (index, origins) = documents.get(head.peering.as_str())?;
            let origin = origins
                .of(head.role)
                .as_ref()
                .filter(|it| it.digest == head.origin)?;
            Some(Current {
                file,
                side: (*index, head.role),
                origin,
            })
        });
        Self {
            files,
            current: current.collect(),
            documents,
        }
    }

    /// The problems of a side's files, compared with the whole stream.
    #[cfg(feature = "workstation")]
    pub(crate) fn check_opened<E>(
        &self,
        side: (usize, Role),
        stream: impl FnOnce() -> Result<Zeroizing<String>, E>,
    ) -> Result<Vec<Invalid>, E> {
        let mut files = self.current.iter().filter(|it| it.side == side).peekable();
        let whole = if files.peek().is_some() {
            stream()?
        } else {
            return Ok(Vec::new());
        };
        let found = files.filter(|it| it.file.differing(&it.origin.stream).is_none());
        Ok(found.filter_map(|it| it.file.differing(&whole)).collect())
    }

    /// How many rendered files are judged, and which are not. `is_left` tells whether the sealed files of a side are not opened.
    pub(crate) fn count(&self, is_left: impl Fn((usize, Role)) -> bool, judged: &mut Judged) {
        let of_sealed = self
            .current
            .iter()
            .filter(|it| has_placeholders(&it.origin.stream));
        let left = of_sealed.filter(|it| is_left(it.side)).count();
        if left > 0 {
            let what = format!(
                "what sealed files give of {}",
                counted(left, "rendered file")
            );
            judged.pass_over("value", what, "no identity is given that opens these");
        }
        for file in &self.files.files {
            let reason = match &file.head {
                Some(_) if file.below.is_none() => {
                    format!("all rendered files have more than {} MiB", KEPT_MAX >> 20)
                }
                Some(head) if self.documents.contains_key(head.peering.as_str()) => {
                    judged.add("rendered file", 1);
                    continue;
                }
                _ if file.edited().is_some() => continue,
                _ => "its peering.yaml is not below the paths, or is wrong".to_owned(),
            };
            judged.leave_out("rendered file", shown_path(&file.path), reason);
        }
    }

    /// The problems of rendered files, each with the number of its document, if it is known.
    pub(crate) fn check(&self) -> Vec<(Option<usize>, Invalid)> {
        let mut found = Vec::new();
        for file in &self.files.files {
            let head = file.head.as_ref();
            let known =
                head.and_then(|head| Some((head, self.documents.get(head.peering.as_str())?)));
            let stale = || known.and_then(|(head, (_, origins))| stale(file, head, origins));
            let own = file.edited().or_else(|| file.misplaced()).or_else(stale);
            let has_peer =
                known.filter(|(head, (_, origins))| origins.of(head.role.peer()).is_some());
            let missing = has_peer.and_then(|(head, _)| self.files.missing(file, head));
            let index = known.map(|(_, (index, _))| *index);
            found.extend(
                [own, missing, self.files.stray(file)]
                    .into_iter()
                    .flatten()
                    .map(|it| (index, it)),
            );
        }
        for Current {
            file,
            side: (index, _),
            origin,
        } in &self.current
        {
            found.extend(file.differing(&origin.stream).map(|it| (Some(*index), it)));
        }
        found
    }
}

/// The note on an outdated file: a workflow may be about to render it.
fn stale(file: &Rendered, head: &Head, origins: &Origins) -> Option<Invalid> {
    let name = quoted(&head.peering);
    let (message, help) = match origins.of(head.role) {
        Some(origin) if origin.digest == head.origin => return None,
        Some(_) => (
            format!(
                "this is not what {name} gives now: its peering.yaml or a sealed file has changed, or the program"
            ),
            "`generate` writes it again",
        ),
        None => (
            format!("the {} of {name} cannot be rendered any more", head.role),
            "remove this file once another source applies that side; a side is rendered with `delivery: SealedSecret` or `External`",
        ),
    };
    Some(file.finding(Severity::Note, message, help))
}
