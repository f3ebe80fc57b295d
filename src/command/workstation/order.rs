//! The order in which people expect names: `c2` before `c10`.

use std::cmp::Ordering;

/// Compares two names, numbers in them by their values. Names that are other ones are never equal.
pub(super) fn natural(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    while let (Some(first), Some(second)) = (left.chars().next(), right.chars().next()) {
        let order = if let (Some(one), Some(other)) = (number(left), number(right)) {
            (left, right) = (after(left, one), after(right, other));
            // without leading zeros the longer number is the larger one
            let [one, other] = [one, other].map(|it| it.trim_start_matches('0'));
            one.len().cmp(&other.len()).then_with(|| one.cmp(other))
        } else {
            (left, right) = (left.split_at(first.len_utf8()).1, right.split_at(second.len_utf8()).1);
            first.cmp(&second)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| one.cmp(other))
}

/// The digits that a text begins with.
fn number(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end).filter(|digits| !digits.is_empty())
}

fn after<'t>(text: &'t str, begin: &str) -> &'t str {
    text.get(begin.len()..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_are_compared_by_their_values() {
        let sorted = [
            "", "0", "00", "01", "1", "2", "10", "a", "b", "c", "c1", "c02x", "c2y", "c9-10", "c10", "c10-2",
            "c10-10", "d", "ü2", "ü10",
        ];
        for (index, one) in sorted.iter().enumerate() {
            for (place, other) in sorted.iter().enumerate() {
                assert_eq!(natural(one, other), index.cmp(&place), "{one} {other}");
            }
        }
        let long = "9".repeat(5_000);
        assert!(natural(&long, &format!("{long}0")).is_lt(), "of any length");
    }
}
