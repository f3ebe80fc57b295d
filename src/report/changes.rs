//! The outcome of a comparison, for a terminal.
//!
//! A hazard that many objects have is written once, with the number of objects; after that only its class is written.

mod markdown;

use super::{Report, paint};
use crate::diagnostic::secrecy::without_commands;
use crate::diagnostic::{Finding, Severity, Shown, counted, list_first, printed};
use crate::input::folder::DOCUMENT;
use crate::judge::change::{
    ChangeKind, ChangedPeering, Changes, Consequence, FieldChange, ObjectChange,
};
use crate::object::live::Impact;
use clap::builder::styling::{AnsiColor, Style};
pub(crate) use markdown::markdown;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The consequences that are not written yet, each with how many objects have it.
struct UnwrittenConsequences<'c>(BTreeMap<&'c Consequence, usize>);

impl<'c> UnwrittenConsequences<'c> {
    fn new(changes: &'c Changes) -> Self {
        let mut counts = BTreeMap::new();
        let objects = changes.changed.iter().flat_map(|it| &it.objects);
        for consequence in objects.flat_map(|it| &it.effects) {
            *counts.entry(consequence).or_default() += 1;
        }
        Self(counts)
    }

    /// What a change does, in Markdown.
    fn lines(&mut self, change: &ObjectChange) -> Vec<String> {
        let effects = change.effects.iter();
        let mut lines: Vec<String> = effects.filter_map(|it| self.line(it)).collect();
        if change.asks {
            lines.push("Argo CD asks before the deletion.".to_owned());
        }
        lines
    }

    fn line(&mut self, it: &Consequence) -> Option<String> {
        let head = match (it.class.label(), self.0.remove(it)) {
            (None, None) => return None,
            (Some(label), None) => return Some(format!("**{label}**, as above.")),
            (Some(label), Some(1)) => format!("**{label}.** "),
            (Some(label), Some(count)) => format!("**{label} ({count} changes).** "),
            (None, Some(_)) => String::new(),
        };
        Some(head + &it.message.masked())
    }
}

/// A note on a peering, with its class before it.
fn note_line(it: &Consequence) -> String {
    match it.class.label() {
        Some(label) => format!("**{label}.** {}", it.message.masked()),
        None => format!("note: {}", it.message.masked()),
    }
}

/// The outcome for a terminal, with or without colours.
pub(crate) fn text(changes: &Changes, is_coloured: bool) -> String {
    let mut unwritten = UnwrittenConsequences::new(changes);
    let indented = |words: &str, impact: Impact| {
        let words = paint(&without_markdown(words), style_of(impact), is_coloured);
        format!("  {words}\n")
    };
    let mut text = String::new();
    for peering in changes.changed.iter().filter(|it| !it.is_only_resealed()) {
        if !peering.folder.as_str().is_empty() {
            text += &(quote_name(peering.folder.masked()) + "\n");
        }
        for it in &peering.notes {
            text += &indented(&note_line(it), it.class);
        }
        for change in &peering.objects {
            let (sign, colour) = match change.change {
                ChangeKind::Added => ('+', AnsiColor::Green),
                ChangeKind::Removed => ('-', AnsiColor::Red),
                ChangeKind::Changed => ('~', AnsiColor::Yellow),
            };
            let (kind, name) = (change.kind.as_str(), change.name.masked());
            let head = format!("{sign} {}: {kind} {name}", side_name(change));
            text += &(paint(&head, colour.on_default(), is_coloured) + "\n");
            for field in &change.fields {
                text += &format!("    {}\n", field_line(field, str::to_owned));
            }
            for line in unwritten.lines(change) {
                text += &indented(&line, change.worst());
            }
        }
        text.push('\n');
    }
    let (folders, notes) = notes_if_only_resealed(changes);
    if !notes.is_empty() {
        let names: Vec<String> = folders.into_iter().map(quote_name).collect();
        if !names.is_empty() {
            text += &(list_first(names, FOLDERS) + "\n");
        }
        for it in notes {
            text += &indented(&note_line(it), it.class);
        }
        text.push('\n');
    }
    let last = changes.judged.line().map(|line| printed(&line) + "\n");
    without_commands(text) + &without_markdown(&summary(changes)) + "\n" + &last.unwrap_or_default()
}

/// The most folders that are named if only sealed files changed in them.
const FOLDERS: usize = 5;

fn style_of(impact: Impact) -> Style {
    match impact {
        Impact::Data | Impact::Traffic | Impact::Protection => AnsiColor::Red.on_default(),
        Impact::Rights | Impact::Attention => AnsiColor::Yellow.on_default(),
        Impact::Harmless => Style::new(),
    }
}

/// The folders of which only sealed files changed, and what that may do, written once for all.
fn notes_if_only_resealed(changes: &Changes) -> (Vec<String>, BTreeSet<&Consequence>) {
    let (mut folders, mut notes) = (Vec::new(), BTreeSet::new());
    for peering in &changes.changed {
        if peering.is_only_resealed() {
            folders.push(peering.folder.masked());
            notes.extend(&peering.notes);
        }
    }
    folders.retain(|it| !it.is_empty());
    (folders, notes)
}

/// The role, and the cluster's ID if it is a different word.
fn side_name(change: &ObjectChange) -> String {
    let cluster = change.cluster.as_ref().map(Shown::masked);
    let cluster = cluster.unwrap_or_default();
    match change.role {
        None => "Argo CD".to_owned(),
        Some(role) if cluster == role => cluster,
        Some(role) => format!("{role} {cluster}"),
    }
}

/// One sentence about all changes.
fn summary(changes: &Changes) -> String {
    let peerings = counted(changes.peerings, "peering");
    let all = &changes.changed;
    if all.is_empty() {
        return format!("No object changes in {peerings}.");
    }
    let mut counts = Vec::new();
    for (kind, word) in [
        (ChangeKind::Changed, "changed"),
        (ChangeKind::Added, "added"),
        (ChangeKind::Removed, "removed"),
    ] {
        let objects = all.iter().flat_map(|it| &it.objects);
        let count = objects.filter(|it| it.change == kind).count();
        if count > 0 {
            counts.push(format!("{} {word}", counted(count, "object")));
        }
    }
    if counts.is_empty() {
        let mut what = "no object";
        if all.iter().any(|it| it.resealed > 0) {
            what = "sealed files only";
        }
        counts.push(what.to_owned());
    }
    let consequences = all.iter().flat_map(ChangedPeering::consequences);
    let classes: BTreeSet<Impact> = consequences.map(|it| it.class).collect();
    let labels = classes.into_iter().rev().filter_map(Impact::label);
    let labels: Vec<String> = labels.map(str::to_lowercase).collect();
    let count = all.iter().filter(|it| it.is_peering).count();
    let mut text = format!("Changes in {count} of {peerings}: {}.", counts.join(", "));
    if !labels.is_empty() {
        text += &format!(" This {}.", labels.join(", "));
    }
    text
}

/// The name of a folder on its own line. It is quoted if it could be read as another row, or as a command of a job's
/// log: `::error::`.
fn quote_name(name: String) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-*".contains(c);
    if name.chars().all(is_plain) && !name.starts_with('-') {
        name
    } else {
        Value::from(name).to_string()
    }
}

/// The change of a field; `code` marks text that comes from a document.
fn field_line(field: &FieldChange, code: fn(&str) -> String) -> String {
    let path = code(&field.path.masked());
    let values = [&field.from, &field.to].map(|it| Some(code(&it.as_ref()?.masked())));
    match (field.note, values) {
        (Some(note), [_, Some(to)]) => format!("{path} {note} {to}"),
        (note, [None, None]) => format!("{path} {}", note.unwrap_or_default()),
        (_, [Some(from), Some(to)]) => format!("{path}: {from} → {to}"),
        (_, [None, Some(to)]) => format!("{path}: added {to}"),
        (_, [Some(from), None]) => format!("{path}: removed {from}"),
    }
}

/// Removes the program's own Markdown, for a terminal.
fn without_markdown(words: &str) -> String {
    words.replace("**", "")
}

/// Each consequence of a peering that is worse than harmless, once, at its document. The worst come first.
pub(crate) fn annotations(changes: &Changes) -> Report {
    let mut findings: Vec<(Impact, Finding)> = Vec::new();
    for peering in &changes.changed {
        findings.extend(findings_of(peering));
    }
    findings.sort_by_key(|(class, _)| Reverse(*class));
    Report {
        peerings: changes.peerings,
        headline: None,
        findings: findings.into_iter().map(|(_, finding)| finding).collect(),
        more: 0,
        judged: changes.judged.clone(),
    }
}

fn findings_of(peering: &ChangedPeering) -> Vec<(Impact, Finding)> {
    let mut objects: BTreeMap<&Consequence, Vec<&ObjectChange>> = BTreeMap::new();
    for it in &peering.notes {
        objects.entry(it).or_default();
    }
    for change in &peering.objects {
        for it in &change.effects {
            objects.entry(it).or_default().push(change);
        }
    }
    let file = Path::new(peering.folder.as_str()).join(DOCUMENT);
    let file = file.display().to_string();
    let mut findings = Vec::new();
    for (it, changes) in objects {
        let level = match it.class {
            Impact::Harmless => continue,
            Impact::Attention => Severity::Note,
            _ => Severity::Warning,
        };
        let words = without_markdown(it.message.as_str());
        let mut finding = Finding::new(level, it.class.name(), words).beginning(&file);
        finding.object = first_object(&changes).map(Into::into);
        findings.push((it.class, finding));
    }
    findings
}

/// The first object, and how many more there are.
fn first_object(changes: &[&ObjectChange]) -> Option<String> {
    let [first, others @ ..] = changes else {
        return None;
    };
    let role = first.role.map(|role| format!("{role}: "));
    let (role, kind) = (role.unwrap_or_default(), first.kind.as_str());
    let mut text = format!("{role}{kind} {}", first.name.as_str());
    if !others.is_empty() {
        text += &format!(" and {} more", others.len());
    }
    Some(text)
}
