//! Asks again until the peering is sound, or cannot become so by itself.

use super::ask::of_clusters;
use super::findings::Findings;
use super::judged;
use super::reading::Reading;
use crate::command::Streams;
use crate::command::error::Error;
use crate::command::workstation::doctor::Doctor;
use crate::diagnostic::Severity;
use crate::peering::Peering;
use std::time::{Duration, Instant};

/// Between two readings. A reading of both clusters is some fifteen requests.
const PAUSE: Duration = Duration::from_secs(5);

/// Without `--wait` one reading; with it the last one: a sound peering, one with something that time does not mend, or what was found
/// when the time was over.
///
/// # Errors
/// When a cluster gives no answer.
pub(super) fn until_sound(
    arguments: &Doctor,
    peering: &Peering,
    streams: &mut Streams<'_>,
) -> Result<(Reading, Findings), Error> {
    let start = Instant::now();
    let most = arguments.wait.unwrap_or_default();
    let mut before = Vec::new();
    loop {
        // later commands are those that were shown
        let reading = of_clusters(arguments, peering, before.is_empty(), streams)?;
        let findings = judged(peering, &reading, &arguments.folder)?;
        let left = most.saturating_sub(start.elapsed());
        if findings.count(Severity::Error) == 0 || findings.need_a_hand() || left.is_zero() {
            return Ok((reading, findings));
        }
        let waiting = findings.failed();
        if waiting != before {
            streams.note(&format!("{:>4} s: not yet: {}", start.elapsed().as_secs(), waiting.join(", ")));
            before = waiting;
        }
        std::thread::sleep(PAUSE.min(left));
    }
}
