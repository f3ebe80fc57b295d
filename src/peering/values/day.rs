//! A day of the calendar.

use crate::diagnostic::{Code, Rule};
use crate::document::scalar;
use std::time::Duration;
use x509_cert::der::DateTime;

/// The midnight that a day begins with, in UTC.
const MIDNIGHT: &str = "T00:00:00Z";

/// A day from 1970 to 9999, as `2026-11-25` (RFC 3339, section 5.6, `full-date`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(DateTime);

impl Day {
    /// The day, in UTC, of a time since 1970; none after 9999.
    #[allow(dead_code, reason = "for the workstation")]
    pub fn of_time(since_1970: Duration) -> Option<Self> {
        let time = DateTime::from_unix_duration(since_1970).ok()?;
        let day = DateTime::new(time.year(), time.month(), time.day(), 0, 0, 0);
        day.ok().map(Self)
    }

    fn parse(text: &str) -> Result<Self, Rule> {
        let Ok(day) = format!("{text}{MIDNIGHT}").parse() else {
            let rule = Rule::wrong_value(Code::InvalidText, text, "a day");
            return Err(rule.help("for example `2026-11-25`"));
        };
        Ok(Self(day))
    }
}

// without quotes, YAML 1.1 reads the same day (yaml.org/type/timestamp.html), so no reader understands another one
scalar!(Day, takes "a day", plain |_: &str| true, read Self::parse, shown |it| it.0.to_string().trim_end_matches(MIDNIGHT), schema {
    "type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
});

#[cfg(test)]
mod tests {
    use super::Day;
    use std::time::Duration;

    #[test]
    fn only_days_of_the_calendar() {
        for day in ["1970-01-01", "2024-02-29", "2026-11-25", "9999-12-31"] {
            assert_eq!(day.parse::<Day>().expect(day).to_string(), day);
        }
        for none in [
            "",
            "2026-11",
            "2026-11-25T00:00:00Z",
            "2026-11-25 ",
            "26-11-25",
            "2026-1-5",
            "2026-13-01",
            "2026-02-29",
            "2026-04-31",
            "2026-00-10",
            "2026-01-00",
            "1969-12-31",
            "10000-01-01",
            "+026-01-01",
            "2026-01-01-01",
            "today",
        ] {
            assert!(none.parse::<Day>().is_err(), "{none}");
        }
        let one: Day = "2026-01-31".parse().expect("a day");
        let next: Day = "2026-02-01".parse().expect("a day");
        assert!(one < next);
        assert_eq!(Day::of_time(Duration::from_secs(1_769_903_999)), Some(one));
        assert_eq!(Day::of_time(Duration::from_secs(1_769_904_000)), Some(next));
    }
}
