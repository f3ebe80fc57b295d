//! Some of very many cases, so that nobody waits minutes for what most of them say again. `.ci/run all` takes them all.

use std::env;

/// No test has a multiple of it as forms of a case, so each form has its turn.
const STEP: usize = 5;

/// Takes each fifth case of a test, always the same ones; with `EVERY_CASE=1` it takes all.
pub(crate) struct Sample {
    step: usize,
    seen: usize,
}

impl Sample {
    /// Before the first case.
    pub(crate) fn new() -> Self {
        let step = match env::var("EVERY_CASE").as_deref() {
            Ok("1") => 1,
            Err(env::VarError::NotPresent) => STEP,
            other => panic!("EVERY_CASE is 1 or is not set, and not {other:?}"),
        };
        Self { step, seen: 0 }
    }

    /// Whether the next case is taken.
    pub(crate) fn takes(&mut self) -> bool {
        self.seen += 1;
        (self.seen - 1).is_multiple_of(self.step)
    }

    /// How many of so many cases are taken, for a test that counts them.
    pub(crate) fn share(&self, all: usize) -> usize {
        all / self.step
    }
}
