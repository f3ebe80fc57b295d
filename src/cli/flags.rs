//! The flags that several commands have.

use clap::Args;
use std::path::PathBuf;

/// The terms and the recipients of a new sealed file.
#[derive(Debug, Args)]
pub struct SealFlags {
    /// The two cluster IDs it may be used for; repeatable
    #[arg(long, value_name = "ID,ID", required = true)]
    pub clusters: Vec<String>,
    /// For which uses inside Argo CD.
    #[command(flatten)]
    pub uses: UseFlags,
    /// Who can open it.
    #[command(flatten)]
    pub recipients: RecipientFlags,
}

/// Terms that replace those of a sealed file, and its recipients.
#[derive(Debug, Args)]
pub struct ResealFlags {
    /// The two cluster IDs it may be used for; repeatable
    #[arg(long, value_name = "ID,ID")]
    pub clusters: Vec<String>,
    /// For which uses inside Argo CD.
    #[command(flatten)]
    pub uses: UseFlags,
    /// Who can open it.
    #[command(flatten)]
    pub recipients: RecipientFlags,
}

/// For which uses a sealed file may be opened inside Argo CD.
#[derive(Debug, Args)]
pub struct UseFlags {
    /// An Argo CD project whose Applications may use it; repeatable
    #[arg(long = "project", value_name = "NAME")]
    pub projects: Vec<String>,
    /// A repository from which it may be used; repeatable
    #[arg(long = "repo", value_name = "URL")]
    pub repos: Vec<String>,
    /// A folder of the repository in which it may be used; repeatable
    #[arg(long = "path", value_name = "FOLDER")]
    pub paths: Vec<String>,
}

/// Who can open a sealed file.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub struct RecipientFlags {
    /// An age recipient that can open it; repeatable
    #[arg(long = "recipient", value_name = "age1…")]
    pub recipients: Vec<String>,
    /// A file with one age recipient on each line; repeatable
    #[arg(long = "recipients-file", value_name = "FILE")]
    pub recipients_files: Vec<PathBuf>,
}
