//! The differences between two states of a repository, or between a stream and a cluster, and the effects of each change.

mod applications;
mod effects;
mod moved;
mod peering;
mod states;
mod streams;

use crate::diagnostic::{Judged, Shown, shown_name};
use crate::judge::comparison::{Mode, differences, shown_json};
use crate::object::live::{Effect, Impact, Object};
use crate::peering::Role;
use crate::peering::names::is_placeholder;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

pub(crate) use applications::{ArgoChanges, changed_applications};
pub(crate) use effects::known_effect;
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
    pub(crate) objects: Vec<ObjectChange>,
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
pub(crate) struct ObjectChange {
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

/// The identity of an object in a cluster: its version, its kind, its namespace and its name.
type ObjectKey = [String; 4];

fn object_key(object: &Object) -> ObjectKey {
    let group = object.text("/apiVersion");
    [group, object.kind(), object.namespace(), object.name()].map(ToOwned::to_owned)
}

/// The cluster of an object; `None` for Argo CD's own objects.
pub(crate) type ObjectSide<'s> = Option<(Role, &'s str)>;

impl ObjectChange {
    fn new(
        side: ObjectSide<'_>,
        object: &Object,
        change: ChangeKind,
        effects: Vec<Consequence>,
    ) -> Self {
        let [api_version, kind, namespace, name] = object_key(object);
        let slash = if namespace.is_empty() { "" } else { "/" };
        // the name of a key Secret follows from its key, which is not known
        let is_known = !is_placeholder(&name);
        let name = if is_known { &name } else { "gw-keys-…" };
        Self {
            role: side.map(|(role, _)| role.word()),
            cluster: side.map(|(_, cluster)| shown_name(cluster).into()),
            name: shown_name(&format!("{namespace}{slash}{name}")).into(),
            api_version: api_version.into(),
            kind: kind.into(),
            change,
            fields: Vec::new(),
            effects,
            asks: false,
        }
    }

    /// An object that only the new state has. Of its fields, those that give rights are shown, a gateway's endpoint, and the labels and
    /// annotations by which controllers can act.
    fn added(side: ObjectSide<'_>, object: &Object) -> Self {
        let bare = effects::bare(object);
        let (mut effects, mut fields) = (vec![effects::of_change(object, "+", "")], Vec::new());
        for (effect, field) in field_changes(&bare, object, Mode::States) {
            let path = field.path.as_str();
            if effect.impact == Impact::Rights || path.starts_with("metadata") {
                effects.push(effect);
                fields.push(field);
            } else if path.starts_with("spec.endpoint") {
                // the address of a gateway, which nothing used before
                fields.push(field);
            }
        }
        Self {
            fields,
            ..Self::new(side, object, ChangeKind::Added, consequences(&effects))
        }
    }

    /// An object that only the old state has.
    fn removed(side: ObjectSide<'_>, object: &Object, is_drained: bool) -> Self {
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
        side: ObjectSide<'_>,
        object: &Object,
        found: Vec<(&'static Effect, FieldChange)>,
    ) -> Option<Self> {
        let (effects, fields): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let effects = consequences(&effects);
        if effects.is_empty() {
            return None;
        }
        Some(Self {
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
fn field_changes(
    before: &Object,
    object: &Object,
    mode: Mode,
) -> Vec<(&'static Effect, FieldChange)> {
    let mut changes = Vec::new();
    for it in differences(&before.value, &object.value, mode) {
        let effect = effects::of_change(object, &it.path, &it.new_text());
        let [from, to] = [it.from, it.to].map(|value| value.map(shown_json));
        let is_hidden = |text: &String| text.len() > 2 && text.trim_matches(['*', '…']).is_empty();
        let mut change = FieldChange {
            path: it.place().into(),
            note: None,
            from: None,
            to: None,
        };
        if from.iter().chain(&to).any(is_hidden) {
            change.note = Some("changes; its value is not shown");
        } else {
            (change.from, change.to) = (from.map(Into::into), to.map(Into::into));
        }
        changes.push((effect, change));
    }
    changes
}

/// The texts of effects, each once, and then what all of them leave alone.
fn consequences(effects: &[&'static Effect]) -> Vec<Consequence> {
    let mut all: Vec<Consequence> = Vec::new();
    for effect in effects {
        let consequence = Consequence::new(effect.impact, effect.words);
        if !all.contains(&consequence) {
            all.push(consequence);
        }
    }
    // next to a hazard, "nothing happens" for another field would read as its opposite
    let worst = worst(&all);
    all.retain(|it| worst == Impact::Harmless || it.class > Impact::Harmless);
    let is_hazard = |it: &&&Effect| it.impact > Impact::Harmless;
    let mut hazards = effects.iter().filter(is_hazard);
    let keeps = hazards.next().map_or("", |first| first.keeps);
    if !keeps.is_empty() && hazards.all(|it| it.keeps == keeps) {
        all.push(Consequence::new(Impact::Harmless, keeps));
    }
    all
}

fn worst(all: &[Consequence]) -> Impact {
    let worst = all.iter().map(|it| it.class).max();
    worst.unwrap_or(Impact::Harmless)
}

impl ChangedPeering {
    /// The changed objects of a folder.
    fn objects(folder: &Path, objects: Vec<ObjectChange>, is_peering: bool) -> Self {
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
        let of_objects = self.objects.iter().flat_map(|it| &it.effects);
        of_objects.chain(&self.notes)
    }
}

impl Changes {
    /// The changes of one peering compared with its live clusters.
    pub(crate) fn of_objects(
        objects: Vec<ObjectChange>,
        notes: Vec<Consequence>,
        judged: Judged,
    ) -> Self {
        let mut changed = ChangedPeering::objects(Path::new(""), objects, true);
        changed.notes = notes;
        let is_same = changed.objects.is_empty() && changed.notes.is_empty();
        Self::new(1, Vec::from_iter((!is_same).then_some(changed)), judged)
    }

    fn new(peerings: usize, changed: Vec<ChangedPeering>, judged: Judged) -> Self {
        let all = changed.iter().flat_map(ChangedPeering::consequences);
        Self {
            peerings,
            worst: all.map(|it| it.class).max().unwrap_or(Impact::Harmless),
            changed,
            judged,
        }
    }
}
