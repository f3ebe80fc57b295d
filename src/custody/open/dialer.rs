//! The gateway that dials, for a person's own run: its private key and nothing else of its side.

use super::{Request, side_keys};
use crate::custody::Error;
use crate::custody::handshake::Dialer;
use crate::diagnostic::Bug;
use crate::peering::Peering;
use crate::peering::networking::Networking;
use crate::peering::networking::keys::KeySource;

impl Request<'_> {
    /// The gateway that dials, and for each file that was opened a line with its terms. No Secret is delivered, so of the terms
    /// only the clusters count.
    pub(crate) fn dialer(
        &self,
        peering: &Peering,
        networking: &Networking,
    ) -> Result<(Dialer, Vec<String>), Error> {
        let role = networking.server.location.peer();
        let KeySource::Seed(file, _) = networking.keys.of(role) else {
            return Err(Error::SeedElsewhere { side: role });
        };
        let mut opener = self.opener(peering, Some(role))?;
        let seed = opener.seed(file, None)?.seed;
        let keys = side_keys(&mut opener, peering, networking, role, (file, &seed))?;
        let dialer = Dialer::new(keys).ok_or_else(|| Bug::new("a seed without its keys"))?;
        Ok((dialer, opener.audit.into_values().collect()))
    }
}
