//! The peerings of two states, each compared with what it was.

use super::applications::ArgoChange;
use super::peering::{self, VersionResult};
use super::{ArgoChanges, ChangedPeering, Changes, Version, Versions, moved, streams};
use crate::diagnostic::{Bug, Judged, counted};
use crate::object::live::HeldSecret;
use crate::peering::Role;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

impl Changes {
    /// The changes of the peerings between two states, and of Argo CD's objects below the same folder.
    ///
    /// # Errors
    /// Only for a bug.
    pub(crate) fn between_versions(
        mut old: Versions,
        new: BTreeMap<PathBuf, Version>,
        of_argo_cd: ArgoChanges,
        folder: &Path,
        mut judged: Judged,
    ) -> Result<Self, Bug> {
        let mut moved = moved::moved_folders(&old, &new);
        let mut states = BTreeMap::new();
        for (place, after) in new {
            let from = moved.remove(&place);
            let old = old.remove(from.as_ref().unwrap_or(&place));
            let new = Some(after);
            states.insert(place, PeeringStates { from, old, new });
        }
        for (place, before) in old {
            let (old, new) = (Some(before), None);
            let from = None;
            states.insert(place, PeeringStates { from, old, new });
        }
        let peerings: BTreeSet<PathBuf> = states.keys().cloned().collect();
        let mut changed = BTreeMap::new();
        for (place, states) in states {
            let of_place = states.compare(&place, folder)?;
            changed.extend(of_place.map(|it| (place, it)));
        }
        let resealed = changed.values().map(|it| it.resealed).sum();
        for (place, ArgoChange { objects, notes }) in of_argo_cd {
            let is_peering = peerings.contains(&place);
            let none = ChangedPeering::objects(&place, Vec::new(), is_peering);
            let it = changed.entry(place).or_insert(none);
            it.objects.extend(objects);
            // the notes about sealed files stay the last ones
            it.notes.splice(0..0, notes);
        }
        judged.add("peering", peerings.len());
        if resealed > 0 {
            let what = format!("the secrets of {}", counted(resealed, "sealed file"));
            judged.pass_over("sealed file", what, "no identity opens both states of them");
        }
        let changed = changed.into_values().collect();
        Ok(Self::new(peerings.len(), changed, judged))
    }
}

/// One peering in both states.
struct PeeringStates {
    /// Its old folder, if it moved.
    from: Option<PathBuf>,
    old: Option<VersionResult>,
    new: Option<Version>,
}

impl PeeringStates {
    /// The changes of the peering at a place below a folder, if there are any.
    fn compare(self, place: &Path, folder: &Path) -> Result<Option<ChangedPeering>, Bug> {
        let Self { from, old, new } = self;
        if let (Some(Ok(old)), Some(new), None) = (&old, &new, &from) {
            // most peerings of a fleet end here
            if old.source.text() == new.source.text() && old.sealed == new.sealed {
                return Ok(None);
            }
        }
        let here: PathBuf = folder.components().chain(place.components()).collect();
        let mut notes = peering::of_versions(old.as_ref(), new.as_ref(), from.as_deref(), &here);
        let (old, new) = (old.and_then(Result::ok), new.as_ref());
        let (mut objects, mut resealed) = (Vec::new(), BTreeMap::<String, HeldSecret>::new());
        for role in Role::BOTH {
            objects.extend(streams::compare(old.as_ref(), new, role, &mut resealed)?);
        }
        for (file, holds) in &resealed {
            let is_read = new.is_some_and(|new| new.sealed.contains_key(file));
            notes.push(peering::resealed(file, *holds, is_read));
        }
        let changed = ChangedPeering {
            notes,
            resealed: resealed.len(),
            ..ChangedPeering::objects(place, objects, true)
        };
        let is_same = changed.objects.is_empty() && changed.notes.is_empty();
        Ok((!is_same).then_some(changed))
    }
}
