//! Terms in the JSON of a sealed file, and the fields of an entry, which a policy has too.

use super::clusters::PeeringJson;
use super::{Certificates, EMPTY, EntryClusters, Term, Terms, TermsEntry};
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;

/// The fields of an entry.
#[derive(Default, Serialize)]
pub(in crate::custody) struct EntryFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    peerings: Option<Vec<PeeringJson>>,
    #[serde(flatten)]
    pub(in crate::custody) lists: BTreeMap<Term, Vec<String>>,
}

impl EntryFields {
    /// The clusters, if they are written.
    pub(in crate::custody) fn clusters(&self) -> Result<Option<EntryClusters>, &'static str> {
        let Some(peerings) = &self.peerings else {
            return Ok(None);
        };
        let peerings = peerings.iter().map(PeeringJson::clusters);
        match peerings.collect::<Option<Vec<_>>>() {
            Some(peerings) if !peerings.is_empty() => Ok(Some(EntryClusters::Peerings(peerings))),
            Some(_) => Err(EMPTY),
            None => Err("a peering has the IDs of two different clusters"),
        }
    }

    fn is_empty(&self) -> bool {
        self.peerings.is_none() && self.lists.is_empty()
    }

    /// The entry of a sealed file, or nothing if it is malformed.
    fn entry(&self) -> Option<TermsEntry> {
        let mut entry = TermsEntry::new(self.clusters().ok()??);
        for (term, written) in &self.lists {
            entry = entry.set_given(*term, written).ok()?;
        }
        entry.has_sides().then_some(entry)
    }
}

impl<'d> ReadFields<'d> for EntryFields {
    fn take<A: MapAccess<'d>>(&mut self, field: &str, map: &mut A) -> Result<(), A::Error> {
        match (field, Term::of_field(field)) {
            ("peerings", _) => self.peerings = Some(map.next_value()?),
            (_, Some(term)) => {
                let values: Vec<String> = map.next_value()?;
                self.lists.entry(term).or_default().extend(values);
            }
            (_, None) => return Err(A::Error::unknown_field(field, &[])),
        }
        Ok(())
    }
}

impl<'d> Deserialize<'d> for EntryFields {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsReader(PhantomData))
    }
}

/// One entry, or several in `allow`, and the certificates.
#[derive(Default, Serialize)]
pub(in crate::custody) struct TermsJson {
    #[serde(flatten)]
    entry: EntryFields,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allow: Vec<EntryFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificates: Option<CertificatesJson>,
}

impl<'d> ReadFields<'d> for TermsJson {
    fn take<A: MapAccess<'d>>(&mut self, field: &str, map: &mut A) -> Result<(), A::Error> {
        match field {
            "allow" => self.allow = map.next_value()?,
            "certificates" => self.certificates = Some(map.next_value()?),
            _ => self.entry.take(field, map)?,
        }
        Ok(())
    }
}

impl<'d> Deserialize<'d> for TermsJson {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsReader(PhantomData))
    }
}

impl From<&TermsEntry> for EntryFields {
    fn from(entry: &TermsEntry) -> Self {
        let peerings = match &entry.clusters {
            EntryClusters::Any => None,
            EntryClusters::Peerings(peerings) => {
                Some(peerings.iter().map(PeeringJson::new).collect())
            }
        };
        Self {
            peerings,
            lists: entry.lists.clone(),
        }
    }
}

impl Terms {
    /// The terms as JSON has them, or nothing if they are malformed.
    pub(in crate::custody) fn from_json(json: &TermsJson) -> Option<Self> {
        let entries = match json.allow.as_slice() {
            [] => std::slice::from_ref(&json.entry),
            entries if json.entry.is_empty() => entries,
            _ => return None,
        };
        let entries: Option<Vec<TermsEntry>> = entries.iter().map(EntryFields::entry).collect();
        let mut certificates = Certificates::new();
        if let Some(CertificatesJson(written)) = &json.certificates {
            for (id, pem) in written {
                certificates.insert(id.parse().ok()?, pem.parse().ok()?);
            }
        }
        Self::new(entries?).with_certificates(certificates).ok()
    }

    pub(in crate::custody) fn to_json(&self) -> TermsJson {
        let mut json = TermsJson::default();
        for (id, certificate) in &self.certificates {
            let pem = certificate.pem().to_owned();
            let all = json.certificates.get_or_insert_default();
            all.0.insert(id.to_string(), pem);
        }
        match self.entries.as_slice() {
            [entry] => json.entry = entry.into(),
            entries => json.allow = entries.iter().map(EntryFields::from).collect(),
        }
        json
    }
}

/// A value that is read from the fields of a map.
trait ReadFields<'d>: Default {
    /// Takes the value of a field. The error is an unknown field or a wrong value.
    fn take<A: MapAccess<'d>>(&mut self, field: &str, map: &mut A) -> Result<(), A::Error>;
}

/// Certificates in PEM, each by its cluster.
#[derive(Default, Serialize)]
struct CertificatesJson(BTreeMap<String, String>);

impl<'d> ReadFields<'d> for CertificatesJson {
    fn take<A: MapAccess<'d>>(&mut self, field: &str, map: &mut A) -> Result<(), A::Error> {
        self.0.insert(field.to_owned(), map.next_value()?);
        Ok(())
    }
}

impl<'d> Deserialize<'d> for CertificatesJson {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsReader(PhantomData))
    }
}

/// Reads a map. A duplicate field is refused: readers of JSON do not agree on which one counts.
struct FieldsReader<T>(PhantomData<T>);

impl<'d, T: ReadFields<'d>> Visitor<'d> for FieldsReader<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: MapAccess<'d>>(self, mut map: A) -> Result<T, A::Error> {
        let (mut read, mut seen) = (T::default(), BTreeSet::new());
        while let Some(field) = map.next_key::<String>()? {
            read.take(&field, &mut map)?;
            if !seen.insert(field) {
                return Err(A::Error::custom("a field is there twice"));
            }
        }
        Ok(read)
    }
}
