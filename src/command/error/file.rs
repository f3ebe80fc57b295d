//! What can be wrong with a file.

/// Why a file could not be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileProblem {
    /// Nothing is there.
    #[error("there is no such file")]
    Missing,
    /// The operating system refuses.
    #[error("it cannot be read: {0}")]
    Unreadable(std::io::ErrorKind),
    /// A folder, a FIFO, a device.
    #[error("it is not a regular file")]
    NotAFile,
    /// A symbolic link in a repository's folder.
    #[error("it is a symbolic link, and links in a repository are not followed")]
    Link,
    /// More than is read.
    #[error("it is larger than {cap} bytes, which is the most that is read")]
    TooLarge {
        /// The cap in bytes.
        cap: u64,
    },
    /// Not text.
    #[error("it is not UTF-8 text (first bad byte at offset {0})")]
    NotUtf8(usize),
    /// The operating system refuses.
    #[error("it cannot be written: {0}")]
    Unwritable(std::io::ErrorKind),
    /// It cannot be written where nothing is.
    #[error("the folder that it is to stand in is not there")]
    NoFolder,
    /// It is there already, and nothing is overwritten.
    #[error("it exists, and nothing is overwritten")]
    Exists,
    /// What the operator says could be changed by anybody in the pod.
    #[error("everybody may write to it")]
    WorldWritable,
}
