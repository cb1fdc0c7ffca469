//! Values of options: what is wrong with one, and what would be right.

use super::traffic::RunLength;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use std::error::Error;
use std::ffi::OsStr;
use std::fmt::{self, Display};
use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;
use turnpike_network::routing::MAX_VCS;
use turnpike_sim_network::bus;
use turnpike_sim_network::traffic::pattern::find;
use turnpike_sim_network::traffic::{MOST_BURST, MOST_CYCLES, TrafficError};
use turnpike_sim_network::workload::{WorkloadError, kinds};

/// Parser of one of these values, which help and completions may list.
#[derive(Clone)]
pub struct OneOf<T: 'static>(pub &'static [T]);

impl<T> TypedValueParser for OneOf<T>
where
    T: FromStr + Display + Clone + Send + Sync + 'static,
    T::Err: Error + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        T::from_str.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|value| PossibleValue::new(value.to_string()))))
    }
}

/// A whole number; its range is the business of what it is for.
///
/// # Errors
/// What would be one.
pub fn whole(text: &str) -> Result<u32, String> {
    text.parse().map_err(|error| not_whole(&error, u32::MAX.into(), 4))
}

fn not_whole(error: &ParseIntError, most: u64, example: u32) -> String {
    match error.kind() {
        IntErrorKind::PosOverflow => format!("use a whole number up to {most}"),
        _ => format!("use a whole number, such as {example}"),
    }
}

/// A whole number that may be large.
///
/// # Errors
/// What would be one.
pub fn long(text: &str) -> Result<u64, String> {
    text.parse().map_err(|error| not_whole(&error, u64::MAX, 1000))
}

/// A number of cycles.
///
/// # Errors
/// What would be one, and the most there may be.
pub fn cycles(text: &str) -> Result<u64, String> {
    let value = long(text)?;
    match value <= MOST_CYCLES {
        true => Ok(value),
        false => Err(format!("use a whole number up to {MOST_CYCLES}")),
    }
}

/// A number of cycles, or `auto`.
///
/// # Errors
/// What would be one, and the most there may be.
pub fn length(text: &str) -> Result<RunLength, String> {
    match text {
        "auto" => Ok(RunLength::Auto),
        _ => cycles(text).map(RunLength::Cycles),
    }
}

/// A whole number from 1.
///
/// # Errors
/// What would be one.
pub fn positive(text: &str) -> Result<u32, String> {
    let value = text.parse().ok().filter(|&n| n > 0);
    value.ok_or_else(|| "use a whole number from 1, such as 4".to_owned())
}

/// An option of `sbatch`, as it stands in a script for it.
///
/// # Errors
/// What would be one; an option that Turnpike sets.
pub fn sbatch(text: &str) -> Result<String, String> {
    let name = text.split(['=', ' ']).next().unwrap_or_default();
    let is_short = |letter: char| text.starts_with(['-']) && text[1..].starts_with(letter);
    if !text.starts_with('-')
        || name.trim_matches('-').is_empty()
        || text.contains(char::is_control)
    {
        return Err("use an option as it stands in a script, such as --time=2:00:00".to_owned());
    }
    // Slurm would take them for more than one word, or for quotes.
    let value = text.trim_start_matches(|c: char| c != '=' && c != ' ');
    if value.trim_start_matches(' ').contains(char::is_whitespace)
        || text.contains(['"', '\'', '\\', '#'])
    {
        return Err(
            "leave out blanks within a value, quotes, backslashes and #: scripts for Slurm \
                    have no words with them"
                .to_owned(),
        );
    }
    if ["--array", "--dependency"].contains(&name) || is_short('a') || is_short('d') {
        return Err(format!(
            "leave {name} out: turnpike says which tasks there are, and what waits"
        ));
    }
    Ok(text.to_owned())
}

/// A number of runs.
///
/// # Errors
/// The range.
pub fn runs(text: &str) -> Result<u32, String> {
    let value = text.parse().ok().filter(|n| (1..=100_000).contains(n));
    value.ok_or_else(|| "use 1 to 100000".to_owned())
}

/// A number of seeds.
///
/// # Errors
/// The range.
pub fn seeds(text: &str) -> Result<u32, String> {
    let value = text.parse().ok().filter(|n| (1..=100).contains(n));
    value.ok_or_else(|| "use a whole number from 1 to 100".to_owned())
}

/// A number of placements, none among them.
///
/// # Errors
/// The range.
pub fn placements(text: &str) -> Result<u32, String> {
    let value = text.parse().ok().filter(|n| (0..=100).contains(n));
    value.ok_or_else(|| "use a whole number from 0 to 100".to_owned())
}

/// A share, from 0 to 1.
///
/// # Errors
/// What would be one.
pub fn share(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|x| (0.0..=1.0).contains(x));
    value.ok_or_else(|| "use a number from 0 to 1, such as 0.3".to_owned())
}

/// A number of virtual channels.
///
/// # Errors
/// The range.
pub fn vcs(text: &str) -> Result<u8, String> {
    let value = text.parse().ok().filter(|n| (1..=MAX_VCS).contains(n));
    value.ok_or_else(|| format!("use a whole number from 1 to {MAX_VCS}"))
}

/// The names of the relations of two phases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phases([String; 2]);

impl Phases {
    pub fn names(&self) -> [&str; 2] {
        self.0.each_ref().map(String::as_str)
    }
}

/// The relations of two phases: two names with a comma between them, or one for both.
///
/// # Errors
/// What would be some.
pub fn phases(text: &str) -> Result<Phases, String> {
    let names: Vec<&str> = text.split(',').collect();
    let names = match names[..] {
        [both] => [both; 2],
        [first, second] => [first, second],
        _ => ["", ""],
    };
    match names.iter().any(|name| name.is_empty()) {
        true => Err("use two relations with a comma between them, or one for both".to_owned()),
        false => Ok(Phases(names.map(str::to_owned))),
    }
}

/// Cycles of a burst, in the mean.
///
/// # Errors
/// The range.
pub fn burst(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|x| (1.0..=MOST_BURST).contains(x));
    value.ok_or_else(|| format!("use a number from 1 to {MOST_BURST}, such as 8"))
}

/// A share of a mean, above 0 and at most a half, as a number or in per cent.
///
/// # Errors
/// What would be one.
pub fn precision(text: &str) -> Result<f64, String> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim_end().parse().ok().map(|percent: f64| percent / 100.0),
        None => text.parse().ok(),
    };
    let share = share.filter(|share| (LEAST_PRECISION..=0.5).contains(share));
    share.ok_or_else(|| "use a share of the mean from 0.01% to 50%, such as 2%".to_owned())
}

/// The least share of a mean that may be asked for: an interval as narrow takes some 10^8 packets.
const LEAST_PRECISION: f64 = 1e-4;

/// The least load beside 0: one flit in the longest run.
pub const LEAST_LOAD: f64 = 1.0 / MOST_CYCLES as f64;

/// Flits offered per terminal and cycle, from 0 to 1: 0, or [`LEAST_LOAD`] at least.
///
/// # Errors
/// What would be one.
pub fn load(text: &str) -> Result<f64, String> {
    match share(text)? {
        load if load > 0.0 && load < LEAST_LOAD => {
            Err(format!("use 0, or a number from {LEAST_LOAD} to 1, such as 0.3"))
        }
        load => Ok(load),
    }
}

/// The name of a traffic pattern.
///
/// # Errors
/// The nearest name, and all there are.
pub fn traffic(text: &str) -> Result<String, TrafficError> {
    find(text).map(|kind| kind.name.to_owned())
}

/// The name of a workload.
///
/// # Errors
/// The nearest name, and all there are.
pub fn workload(text: &str) -> Result<String, WorkloadError> {
    let is_of_busses = bus::workload::WORKLOADS.iter().any(|(name, _)| *name == text);
    if is_of_busses {
        return Ok(text.to_owned());
    }
    kinds::find(text).map(|kind| kind.name.to_owned())
}

/// Whole numbers in a row: `4`, `2..=12` (with 12) or `2..12` (without).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The least.
    pub first: u32,
    /// The largest.
    pub last: u32,
}

impl Span {
    /// The numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + use<> {
        // Not `..=`: that has no exact size. The last is checked against a topology first.
        self.first..self.last + 1
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..={}", self.first, self.last)
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "use one number, such as 4, or a range, such as 2..=12".to_owned();
        let parse = |n: &str| n.trim().parse::<u32>().map_err(|_| wrong());
        let (first, last) = if let Some((first, last)) = text.split_once("..=") {
            (parse(first)?, parse(last)?)
        } else if let Some((first, end)) = text.split_once("..") {
            let end = parse(end)?;
            (parse(first)?, end.checked_sub(1).ok_or_else(wrong)?)
        } else {
            (parse(text)?, parse(text)?)
        };
        if first > last {
            return Err(format!("the range is empty: {first} is above {last}"));
        }
        if last == u32::MAX {
            return Err(wrong());
        }
        Ok(Self { first, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!((share("0"), share("1"), share("0.25")), (Ok(0.0), Ok(1.0), Ok(0.25)));
        for bad in ["", "x", "1.5", "-0.1", "NaN", "inf", "1,5"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn loads() {
        assert_eq!((load("0"), load("1"), load("0.25")), (Ok(0.0), Ok(1.0), Ok(0.25)));
        for bad in ["1e-300", "5e-324", "1.5", "x"] {
            assert!(load(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn spans() {
        let span = |text: &str| text.parse::<Span>().map(|s| s.iter().collect::<Vec<_>>());
        assert_eq!(span("4"), Ok(vec![4]));
        assert_eq!(span("2..=4"), Ok(vec![2, 3, 4]));
        assert_eq!(span("2..4"), Ok(vec![2, 3]));
        for bad in ["", "..", "2..", "..4", "a..=b", "4..=2", "4..4", "0..0", "-1", "2...4"] {
            assert!(span(bad).is_err(), "{bad}");
        }
        assert!(span("0..=4294967295").is_err());
    }
}
