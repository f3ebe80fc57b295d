//! The differences between two states of a repository, or between a stream and a cluster, and the effects of each change.

mod applications;
mod effects;
mod moved;
mod peering;
mod streams;

use crate::diagnostic::{Bug, Judged, Shown, counted, shown_name};
use crate::judge::comparison::{Mode, differences, shown_json};
use crate::object::live::{Effect, HeldSecret, Impact, Object};
use crate::peering::Role;
use crate::peering::names::is_placeholder;
use applications::ArgoChange;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub(crate) use applications::{ArgoChanges, changed_applications};
pub(crate) use effects::known_effect;
pub(crate) use moved::{MovedFolders, moved};
pub(crate) use peering::{Version, Versions, versions};
pub(crate) use streams::{of_live, other_owners};

/// What `diff` found.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Changes {
    /// How many peerings were compared.
    pub(crate) peerings: usize,
    /// The worst class of all changes.
    pub(crate) worst: Impact,
    /// The peerings that are not the same.
    pub(crate) changed: Vec<ChangedPeering>,
    /// What was compared, and what was not.
    #[serde(flatten)]
    pub(crate) judged: Judged,
}

/// A peering that is not the same.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Peering")]
pub(crate) struct ChangedPeering {
    /// The folder, from the one that is compared; empty for that one itself.
    pub(crate) folder: Shown,
    /// What is reported of the peering as a whole.
    pub(crate) notes: Vec<Consequence>,
    /// The objects that are not the same.
    pub(crate) objects: Vec<Change>,
    /// Whether it has a document: Applications can be in another folder.
    #[serde(skip)]
    pub(crate) is_peering: bool,
    /// How many of the notes, the last ones, are of files that were sealed again.
    #[serde(skip)]
    pub(crate) resealed: usize,
}

/// An object that is not the same on both sides of a comparison.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Object")]
pub(crate) struct Change {
    /// `consumer` or `provider`; left out for Argo CD's own objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<&'static str>,
    /// The cluster's ID; left out for Argo CD's own objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cluster: Option<Shown>,
    /// As in the manifest.
    pub(crate) api_version: Shown,
    /// As in the manifest.
    pub(crate) kind: Shown,
    /// `namespace/name`; `gw-keys-…` where the name follows from a key that is not known.
    pub(crate) name: Shown,
    /// What becomes of it.
    pub(crate) change: ChangeKind,
    /// Of a change, its fields; of an added object, those that give rights.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        default = "Vec::<FieldChange>::new"
    )]
    pub(crate) fields: Vec<FieldChange>,
    /// What it does to the clusters, each once.
    pub(crate) effects: Vec<Consequence>,
    /// Whether Argo CD asks before it deletes the object.
    pub(crate) asks: bool,
}

/// What becomes of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "What")]
pub(crate) enum ChangeKind {
    Added,
    Removed,
    Changed,
}

/// A part of an object that changes.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Field")]
pub(crate) struct FieldChange {
    /// The path of a field, or a file's name.
    pub(crate) path: Shown,
    /// What there is to report instead of values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<&'static str>,
    /// The old value; left out if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<Shown>,
    /// The new value; left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<Shown>,
}

/// What a change does: a few sentences, in Markdown. What comes from outside is in code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct Consequence {
    /// How much it takes from those who use the clusters.
    pub(crate) class: Impact,
    /// A few sentences.
    pub(crate) message: Shown,
}

impl Consequence {
    fn new(class: Impact, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into().into(),
        }
    }
}

/// The identity of an object in a cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Id {
    api_version: String,
    kind: String,
    namespace: String,
    name: String,
}

impl Id {
    fn new(object: &Object) -> Self {
        let [api_version, kind, namespace, name] = [
            "/apiVersion",
            "/kind",
            "/metadata/namespace",
            "/metadata/name",
        ]
        .map(|pointer| object.text(pointer).to_owned());
        Self {
            api_version,
            kind,
            namespace,
            name,
        }
    }

    /// `namespace/name`. The name of a key Secret follows from its key, which is not known.
    fn place(&self) -> String {
        let name = if is_placeholder(&self.name) {
            "gw-keys-…"
        } else {
            &self.name
        };
        let whole = if self.namespace.is_empty() {
            name.to_owned()
        } else {
            format!("{}/{name}", self.namespace)
        };
        shown_name(&whole)
    }
}

/// The cluster of an object; `None` for Argo CD's own objects.
pub(crate) type Side<'s> = Option<(Role, &'s str)>;

impl Change {
    fn new(side: Side<'_>, object: &Object, change: ChangeKind, effects: Vec<Consequence>) -> Self {
        let id = Id::new(object);
        Self {
            role: side.map(|(role, _)| role.word()),
            cluster: side.map(|(_, cluster)| shown_name(cluster).into()),
            name: id.place().into(),
            api_version: id.api_version.into(),
            kind: id.kind.into(),
            change,
            fields: Vec::new(),
            effects,
            asks: false,
        }
    }

    /// An object that only the new state has. Of its fields, those that give rights are shown, and the labels and annotations by which
    /// controllers can act.
    fn added(side: Side<'_>, object: &Object) -> Self {
        let bare = effects::bare(object);
        let found = field_changes(&bare, object, Mode::States).filter(|(effect, field)| {
            effect.impact == Impact::Rights || field.path.as_str().starts_with("metadata")
        });
        let (of_fields, fields): (Vec<_>, Vec<_>) = found.unzip();
        let effects = [vec![effects::of_change(object, "+", "")], of_fields].concat();
        Self {
            fields,
            ..Self::new(side, object, ChangeKind::Added, consequences(&effects))
        }
    }

    /// An object that only the old state has.
    fn removed(side: Side<'_>, object: &Object, is_drained: bool) -> Self {
        let options = object.text("/metadata/annotations/argocd.argoproj.io~1sync-options");
        let effects = consequences(&[effects::of_removal(object, is_drained)]);
        let asks = options.contains("Prune=confirm");
        Self {
            asks,
            ..Self::new(side, object, ChangeKind::Removed, effects)
        }
    }

    /// An object with changes, if there are any.
    fn changed(
        side: Side<'_>,
        object: &Object,
        found: Vec<(&'static Effect, FieldChange)>,
    ) -> Option<Self> {
        let (effects, fields): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let effects = consequences(&effects);
        (!effects.is_empty()).then(|| Self {
            fields,
            ..Self::new(side, object, ChangeKind::Changed, effects)
        })
    }

    /// The worst class of its effects.
    pub(crate) fn worst(&self) -> Impact {
        worst(&self.effects)
    }
}

/// The fields of an object that differ from before: the effect of each change, and how it is shown.
fn field_changes<'o>(
    before: &'o Object,
    object: &'o Object,
    mode: Mode,
) -> impl Iterator<Item = (&'static Effect, FieldChange)> {
    differences(&before.value, &object.value, mode)
        .into_iter()
        .map(|it| {
            let to = it.to.map(|to| {
                to.as_str()
                    .map_or_else(|| to.to_string(), ToOwned::to_owned)
            });
            let effect = effects::of_change(object, &it.path, &to.unwrap_or_default());
            let [from, to] =
                [it.from, it.to].map(|value| value.map(|value| shown_json(value).into()));
            (
                effect,
                FieldChange {
                    path: it.place().into(),
                    note: None,
                    from,
                    to,
                },
            )
        })
}

/// The texts of effects, each once, and then what all of them leave alone.
fn consequences(effects: &[&'static Effect]) -> Vec<Consequence> {
    let mut all: Vec<Consequence> = Vec::new();
    for effect in effects {
        let it = Consequence::new(effect.impact, effect.words);
        if !all.contains(&it) {
            all.push(it);
        }
    }
    // next to a hazard, "nothing happens" for another field would read as its opposite
    let worst = worst(&all);
    all.retain(|it| worst == Impact::Harmless || it.class > Impact::Harmless);
    let mut hazards = effects
        .iter()
        .filter(|it| worst == Impact::Harmless || it.impact > Impact::Harmless);
    let keeps = hazards.next().map_or("", |first| first.keeps);
    if !keeps.is_empty() && hazards.all(|it| it.keeps == keeps) {
        all.push(Consequence::new(Impact::Harmless, keeps));
    }
    all
}

fn worst(all: &[Consequence]) -> Impact {
    all.iter()
        .map(|it| it.class)
        .max()
        .unwrap_or(Impact::Harmless)
}

impl ChangedPeering {
    /// The changed objects of a folder.
    fn objects(folder: &Path, objects: Vec<Change>, is_peering: bool) -> Self {
        let folder = shown_name(&folder.display().to_string()).into();
        Self {
            folder,
            notes: Vec::new(),
            objects,
            is_peering,
            resealed: 0,
        }
    }

    /// Whether sealed files are all that changed.
    pub(crate) const fn is_only_resealed(&self) -> bool {
        self.objects.is_empty() && self.notes.len() == self.resealed
    }

    /// The consequences of its changes.
    pub(crate) fn consequences(&self) -> impl Iterator<Item = &Consequence> {
        self.objects
            .iter()
            .flat_map(|it| &it.effects)
            .chain(&self.notes)
    }
}

impl Changes {
    /// The changes of one peering compared with its live clusters.
    pub(crate) fn of_objects(
        objects: Vec<Change>,
        notes: Vec<Consequence>,
        judged: Judged,
    ) -> Self {
        let is_same = objects.is_empty() && notes.is_empty();
        let changed = (!is_same).then(|| ChangedPeering {
            notes,
            ..ChangedPeering::objects(Path::new(""), objects, true)
        });
        Self::new(1, changed.into_iter().collect(), judged)
    }

    fn new(peerings: usize, changed: Vec<ChangedPeering>, judged: Judged) -> Self {
        let classes = changed
            .iter()
            .flat_map(ChangedPeering::consequences)
            .map(|it| it.class);
        Self {
            peerings,
            worst: classes.max().unwrap_or(Impact::Harmless),
            changed,
            judged,
        }
    }

    /// The changes of the peerings between two states, and of Argo CD's objects below the same folder.
    ///
    /// # Errors
    /// Only for a bug.
    pub(crate) fn between_versions(
        mut old: Versions,
        new: BTreeMap<PathBuf, Version>,
        mut moved: MovedFolders,
        of_argo_cd: ArgoChanges,
        folder: &Path,
        mut judged: Judged,
    ) -> Result<Self, Bug> {
        let mut states = Vec::new();
        for (place, after) in new {
            let from = moved.remove(&place);
            let before = old.remove(from.as_ref().unwrap_or(&place));
            states.push(States {
                place,
                from,
                old: before,
                new: Some(after),
            });
        }
        states.extend(old.into_iter().map(|(place, it)| States {
            place,
            from: None,
            old: Some(it),
            new: None,
        }));
        states.sort_by(|one, other| one.place.cmp(&other.place));
        let peerings: BTreeSet<PathBuf> =
            states.iter().map(|states| states.place.clone()).collect();
        let mut changed = BTreeMap::new();
        let mut resealed = 0;
        for state in states {
            let place = state.place.clone();
            if let Some(it) = state.changed(folder)? {
                resealed += it.resealed;
                changed.insert(place, it);
            }
        }
        for (place, ArgoChange { objects, notes }) in of_argo_cd {
            let is_peering = peerings.contains(&place);
            let it = changed.entry(place.clone());
            let it = it.or_insert_with(|| ChangedPeering::objects(&place, Vec::new(), is_peering));
            it.objects.extend(objects);
            // the notes about sealed files stay the last ones
            it.notes.splice(0..0, notes);
        }
        judged.add("peering", peerings.len());
        if resealed > 0 {
            let what = format!("the secrets of {}", counted(resealed, "sealed file"));
            judged.pass_over("sealed file", what, "no identity opens both states of them");
        }
        Ok(Self::new(
            peerings.len(),
            changed.into_values().collect(),
            judged,
        ))
    }
}

/// One peering in both states.
struct States {
    place: PathBuf,
    /// Its old folder, if it moved.
    from: Option<PathBuf>,
    old: Option<peering::VersionResult>,
    new: Option<Version>,
}

/// Joins two paths, without a `/` after the folder itself.
fn place_below(folder: &Path, place: &Path) -> PathBuf {
    if place.as_os_str().is_empty() {
        folder.to_owned()
    } else {
        folder.join(place)
    }
}

impl States {
    /// The changes of the peering below a folder, if there are any.
    fn changed(self, folder: &Path) -> Result<Option<ChangedPeering>, Bug> {
        let Self {
            place,
            from,
            old,
            new,
        } = self;
        if let (Some(Ok(old)), Some(new), None) = (&old, &new, &from) {
            // most peerings of a fleet end here
            if old.source.text() == new.source.text() && old.sealed == new.sealed {
                return Ok(None);
            }
        }
        let here = place_below(folder, &place);
        let mut notes = peering::of_versions(old.as_ref(), new.as_ref(), from.as_deref(), &here);
        let old = old.and_then(Result::ok);
        let (mut objects, mut resealed) = (Vec::new(), BTreeMap::<String, HeldSecret>::new());
        for role in Role::BOTH {
            objects.extend(streams::compare(
                old.as_ref(),
                new.as_ref(),
                role,
                &mut resealed,
            )?);
        }
        for (file, holds) in &resealed {
            let is_read = new.iter().any(|new| new.sealed.contains_key(file));
            notes.push(peering::resealed(file, *holds, is_read));
        }
        let of_place = ChangedPeering::objects(&place, objects, true);
        let changed = ChangedPeering {
            notes,
            resealed: resealed.len(),
            ..of_place
        };
        Ok((!changed.objects.is_empty() || !changed.notes.is_empty()).then_some(changed))
    }
}
