//! What is right, wrong, or not judged in states. Each rule is here once, for every command.

pub(crate) mod applications;
pub(crate) mod change;
pub mod claims;
pub(crate) mod comparison;

use crate::diagnostic::Judged;
use crate::state::StateError;
use std::collections::BTreeSet;

/// A judge of states `S`: its name, the parts that it examines, and its function. The function gets these parts and nothing else, as
/// istioctl's analyzers declare their inputs (istio `pkg/config/analysis/analyzer.go`, Metadata).
pub(crate) struct Judge<S, F> {
    pub(crate) name: &'static str,
    /// The names of the parts, each with the function that counts it.
    pub(crate) inputs: Vec<(&'static str, Count<S>)>,
    pub(crate) find: Find<S, F>,
}

/// The result of a judge; `None` if the state does not have a part.
pub(crate) type Find<S, F> = fn(&S) -> Option<Result<Vec<F>, StateError>>;

/// Adds how much of a part is judged, and what is not judged and why.
pub(crate) type Count<S> = fn(&S, &mut Judged);

/// The names of judges, each with the names of its parts.
pub type Declared = Vec<(&'static str, Vec<&'static str>)>;

/// A part of a state `S`.
pub(crate) trait Part<S> {
    const NAME: &'static str;

    /// The part of a state; `None` if the state does not have it.
    fn of(state: &S) -> Option<&Self>;

    /// As [`Count`].
    fn count(_: &S, _: &mut Judged) {}
}

/// The result of a judge's function. Some judges fail, if there is more to compare than a run may.
pub(crate) trait Answer<F> {
    fn answer(self) -> Result<Vec<F>, StateError>;
}

impl<F, G: Into<F>> Answer<F> for Vec<G> {
    fn answer(self) -> Result<Vec<F>, StateError> {
        Ok(self.into_iter().map(Into::into).collect())
    }
}

impl<F, G: Into<F>> Answer<F> for Result<Vec<G>, StateError> {
    fn answer(self) -> Result<Vec<F>, StateError> {
        self?.answer()
    }
}

/// A list of judges: the name of each, its function, and the parts that the function takes.
macro_rules! judges {
    ($($name:literal = $find:path: $($part:ty),+;)+) => {
        [$($crate::judge::Judge {
            name: $name,
            inputs: vec![$((<$part as $crate::judge::Part<_>>::NAME, <$part as $crate::judge::Part<_>>::count)),+],
            find: |state| {
                Some($crate::judge::Answer::answer($find($(<$part as $crate::judge::Part<_>>::of(state)?),+)))
            },
        }),+]
    };
}

/// The parts of a state: the type of each, its name, its place in the state, and how it is counted.
macro_rules! parts {
    ($state:ident<$s:lifetime>: $($part:ty = $name:literal, $it:ident => $value:expr $(, $count:path)?;)+) => {
        $(impl<$s> $crate::judge::Part<$state<$s>> for $part {
            const NAME: &'static str = $name;

            fn of<'part>($it: &'part $state<$s>) -> Option<&'part Self> {
                $value
            }

            $(fn count(state: &$state<$s>, judged: &mut $crate::diagnostic::Judged) {
                $count(state, judged);
            })?
        })+
    };
}
pub(crate) use {judges, parts};

/// The findings of the judges, in order, and how much there was to judge. A judge whose part is missing finds nothing, and the part counts
/// as not judged.
///
/// # Errors
/// When there is more to compare than a run may.
pub(crate) fn run<S, F>(all: &[Judge<S, F>], state: &S) -> Result<(Vec<F>, Judged), StateError> {
    let (mut found, mut judged, mut counted) = (Vec::new(), Judged::default(), BTreeSet::new());
    for judge in all {
        found.extend((judge.find)(state).transpose()?.unwrap_or_default());
        for (_, count) in judge
            .inputs
            .iter()
            .filter(|(name, _)| counted.insert(*name))
        {
            count(state, &mut judged);
        }
    }
    Ok((found, judged))
}

/// The names and parts that judges declare.
pub(crate) fn declared<S, F>(judges: &[Judge<S, F>]) -> Declared {
    judges
        .iter()
        .map(|it| (it.name, it.inputs.iter().map(|(name, _)| *name).collect()))
        .collect()
}
