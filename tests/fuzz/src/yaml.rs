//! Streams and documents as libyaml reads them, by the rules of YAML 1.1.

use libyaml_safer::{Document, NodeData, Parser, ScalarStyle};
use std::collections::BTreeSet;

/// What is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Yaml {
    /// A text in quotes, or a block.
    Text(String),
    /// A text without quotes.
    Plain(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// What is at the end of a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |here, key| match here {
            Self::Map(entries) => entries
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            _ => None,
        })
    }

    pub fn text(&self, path: &[&str]) -> Option<&str> {
        match self.at(path)? {
            Self::Text(text) | Self::Plain(text) => Some(text),
            _ => None,
        }
    }

    pub fn texts(&self, path: &[&str]) -> Vec<&str> {
        match self.at(path) {
            Some(Self::List(items)) => items.iter().filter_map(|item| item.text(&[])).collect(),
            _ => Vec::new(),
        }
    }
}

/// All documents of a text.
///
/// # Errors
/// What the reader says.
pub fn documents(text: &str) -> Result<Vec<Yaml>, String> {
    let mut input = text.as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut input);
    let mut documents = Vec::new();
    loop {
        let mut document = Document::load(&mut parser).map_err(|error| error.to_string())?;
        if document.get_root_node().is_none() {
            return Ok(documents);
        }
        documents.push(node(&document, 1)?);
    }
}

fn node(document: &Document, index: i32) -> Result<Yaml, String> {
    let found = document.get_node(index).ok_or("a node that is not there")?;
    match &found.data {
        NodeData::Scalar {
            value,
            style: ScalarStyle::Plain,
        } => Ok(Yaml::Plain(value.clone())),
        NodeData::Scalar { value, .. } => Ok(Yaml::Text(value.clone())),
        NodeData::Sequence { items, .. } => items
            .iter()
            .map(|item| node(document, *item))
            .collect::<Result<_, _>>()
            .map(Yaml::List),
        NodeData::Mapping { pairs, .. } => {
            let mut seen = BTreeSet::new();
            let mut entries = Vec::new();
            for pair in pairs {
                let (Yaml::Text(key) | Yaml::Plain(key)) = node(document, pair.key)? else {
                    return Err("a key that is no scalar".to_owned());
                };
                if !seen.insert(key.clone()) {
                    return Err("a key stands twice".to_owned());
                }
                entries.push((key, node(document, pair.value)?));
            }
            Ok(Yaml::Map(entries))
        }
        _ => Err("an empty node".to_owned()),
    }
}
