//! Some of very many generated cases, so that nobody waits minutes for what most of them say again. `.ci/run all` takes them all.

use std::env;

/// No test has a multiple of it as forms of a case, so each form has its turn.
const STEP: usize = 5;

/// Takes each fifth case of a test: those of the part that `EVERY_CASE_PART` names, 0 to 4, which `.ci/run` sets by the commit; without
/// it, part 0. With `EVERY_CASE=1` it takes all.
pub(crate) struct Sample {
    step: usize,
    seen: usize,
}

/// A variable that is a number below a bound, or is not set.
fn number(name: &str, bound: usize) -> Option<usize> {
    let value = env::var_os(name)?;
    let number = value
        .to_str()
        .and_then(|text| text.parse().ok())
        .filter(|number| *number < bound);
    Some(number.unwrap_or_else(|| {
        panic!(
            "{name} is a number below {bound}, and not {}",
            value.display()
        )
    }))
}

impl Sample {
    /// Before the first case.
    pub(crate) fn new() -> Self {
        if number("EVERY_CASE", 2) == Some(1) {
            return Self { step: 1, seen: 0 };
        }
        Self {
            step: STEP,
            seen: STEP - number("EVERY_CASE_PART", STEP).unwrap_or_default(),
        }
    }

    /// For slow cases that somebody wrote down one by one: `.ci/run` takes all of them.
    pub(crate) fn of_written() -> Self {
        if env::var_os("EVERY_CASE_PART").is_some() {
            Self { step: 1, seen: 0 }
        } else {
            Self::new()
        }
    }

    /// Those of all cases that are taken; of few cases the first one is.
    pub(crate) fn of<T>(mut self, cases: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        let cases: Vec<T> = cases.into_iter().collect();
        let few = cases.len() < STEP;
        let numbered = cases.into_iter().enumerate();
        numbered.filter_map(move |(at, case)| (self.takes() || few && at == 0).then_some(case))
    }

    /// Whether the next case is taken.
    pub(crate) fn takes(&mut self) -> bool {
        self.seen += 1;
        (self.seen - 1).is_multiple_of(self.step)
    }

    /// How many of so many cases are taken at least, for a test that counts them.
    pub(crate) fn share(&self, all: usize) -> usize {
        all / self.step
    }
}
