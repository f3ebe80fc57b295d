//! `healthcheck`: checks whether Argo CD's server in the sidecar answers, and whether the operator's files can be used.

use crate::command::{Error, Result, Streams};
use crate::custody::{self, Identities, Policy};
use crate::diagnostic::shown_file_name;
use clap::Args;
use std::io::{self, ErrorKind, Read as _, Write as _};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// Check that the sidecar answers Argo CD: for the probes of its container, and after an installation
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering healthcheck \\
    --identity-file /etc/argocd-peering/identity/identity.txt

Probes leave the files out: the repo-server goes on without an identity.")]
pub struct Healthcheck {
    /// Where argocd-cmp-server listens
    #[arg(
        long,
        value_name = "FILE",
        default_value = "/home/argocd/cmp-server/plugins/argocd-peering.sock"
    )]
    pub socket: PathBuf,
    /// Also check that this identity file can be used
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// Also check that this policy file can be used
    #[arg(long, value_name = "FILE")]
    pub policy_file: Option<PathBuf>,
}

/// The first bytes of an HTTP/2 client, with an empty SETTINGS frame (RFC 9113, section 3.4). gRPC is HTTP/2.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// Checks the socket first: without a server nothing else matters.
pub(crate) fn healthcheck(arguments: &Healthcheck, streams: &mut Streams<'_>) -> Result {
    let socket = &arguments.socket;
    if let Err(error) = await_settings(socket) {
        let problem = match error.kind() {
            // Linux's error for a timeout of a socket
            ErrorKind::WouldBlock => ErrorKind::TimedOut,
            kind => kind,
        };
        let name = shown_file_name(socket);
        return Err(Error::Sidecar { name, problem });
    }
    if let Some(path) = &arguments.identity_file {
        Identities::of_sidecar(path).map_err(custody::Error::from)?;
    }
    if let Some(path) = &arguments.policy_file {
        Policy::load(path).map_err(custody::Error::from)?;
    }
    streams.print("healthy\n")
}

/// Waits for the server's SETTINGS frame, which it sends to every client first: the kernel accepts a connection also if the server hangs.
/// No call of the plugin starts.
fn await_settings(socket: &Path) -> io::Result<()> {
    let mut server = connect(socket)?;
    server.write_all(PREFACE)?;
    // a frame's header: three bytes of length, and its type (RFC 9113, section 4.1)
    let mut header = [0; 9];
    server.read_exact(&mut header)?;
    if matches!(header, [_, _, _, 4, ..]) {
        Ok(())
    } else {
        Err(ErrorKind::InvalidData.into())
    }
}

#[cfg(unix)]
fn connect(socket: &Path) -> io::Result<UnixStream> {
    /// A busy node needs less time than this; a probe gives up after ten seconds.
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(3);
    let server = UnixStream::connect(socket)?;
    server.set_read_timeout(Some(PATIENCE))?;
    server.set_write_timeout(Some(PATIENCE))?;
    Ok(server)
}

#[cfg(not(unix))]
fn connect(_: &Path) -> io::Result<io::Empty> {
    Err(ErrorKind::Unsupported.into())
}
