//! Offered loads: single ones and ranges, in a list; or points that place themselves.

use super::values;
use anyhow::bail;
use std::fmt;
use std::str::FromStr;

/// Loads are whole numbers of these, so that sums of steps are exact.
const UNIT: f64 = 1e-9;

/// The step of a range that gives none.
const STEP: &str = "0.05";

pub const MOST_LOADS: usize = 10_000;

/// The word for loads that are not known beforehand.
const AUTO: &str = "auto";

/// Number of points of a curve under [`Points::Auto`] where nothing is said, and the range of it.
const AUTO_POINTS: u32 = 16;
const MOST_AUTO: std::ops::RangeInclusive<u32> = 8..=64;

/// Loads of the points of a curve.
#[derive(Clone, PartialEq, Debug)]
pub enum Points {
    /// At these: the same on every curve.
    At(Loads),
    /// Up to so many around the load at which the curve's network saturates.
    Auto(u32),
}

impl Points {
    /// Number of points on each curve, at most.
    pub fn most(&self) -> usize {
        match self {
            Self::At(loads) => loads.list().len(),
            Self::Auto(points) => *points as usize,
        }
    }

    /// The loads that are known before any run.
    ///
    /// # Errors
    /// There are none.
    pub fn listed(&self) -> anyhow::Result<&[f64]> {
        match self {
            Self::At(loads) => Ok(loads.list()),
            Self::Auto(_) => bail!(
                "--slurm writes down all runs before the first, and --load {AUTO} places points by what \
                 runs say; give the loads, such as those that the same sweep with --seeds 1 finds here"
            ),
        }
    }
}

impl FromStr for Points {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(rest) = text.trim().strip_prefix(AUTO) else {
            return text.parse().map(Self::At);
        };
        let count = match rest.strip_prefix(':') {
            None if rest.is_empty() => Some(AUTO_POINTS),
            count => count.and_then(|count| count.parse().ok()),
        };
        match count.filter(|count| MOST_AUTO.contains(count)) {
            Some(count) => Ok(Self::Auto(count)),
            None => Err(format!(
                "use {AUTO}, or with a number of points {AUTO}:{} to {AUTO}:{}; loads do not stand beside it",
                MOST_AUTO.start(),
                MOST_AUTO.end()
            )),
        }
    }
}

/// Loads in flits per terminal and cycle, 0 to 1, ascending, each once: `0.3`, `0.05..=1` (with 1),
/// `0.05..1` (without), `0.1..=0.5:0.02` with a step of its own, or several of these with commas.
#[derive(Clone, PartialEq, Debug)]
pub struct Loads(Vec<f64>);

impl Loads {
    /// The loads.
    pub fn list(&self) -> &[f64] {
        &self.0
    }
}

/// Words on the command line that give these loads one by one.
impl fmt::Display for Loads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(f64::to_string).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Loads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Vec::new();
        for part in text.split(',') {
            let more = units_of(part.trim())?;
            let count = all.len() + more.len();
            if count > MOST_LOADS {
                return Err(format!("these are {count} loads; use at most {MOST_LOADS}"));
            }
            all.extend(more);
        }
        all.sort_unstable();
        all.dedup();
        // Divided, not multiplied: the nearest number to the decimal one.
        Ok(Self(all.into_iter().map(|units| units as f64 / 1e9).collect()))
    }
}

/// The loads of one part of the list, in units.
fn units_of(part: &str) -> Result<Vec<u64>, String> {
    let Some((first, rest)) = part.split_once("..") else {
        return Ok(vec![load(part)?]);
    };
    let (last, step) = rest.split_once(':').unwrap_or((rest, STEP));
    let (with_last, last) = match last.strip_prefix('=') {
        Some(last) => (true, last),
        None => (false, last),
    };
    let (first, last) = (load(first)?, load(last)?);
    let step = match load(step) {
        Ok(step) if step > 0 => step,
        _ => return Err(format!("the step '{step}' is none; use one above 0, such as {STEP}")),
    };
    if first > last || first == last && !with_last {
        let (first, last) = (first as f64 / 1e9, last as f64 / 1e9);
        return Err(format!("the range is empty: {first} is not below {last}"));
    }
    let end = if with_last { last } else { last - 1 };
    let count = (end - first) / step + 1;
    match usize::try_from(count).ok().filter(|&count| count <= MOST_LOADS) {
        Some(_) => Ok((0..count).map(|i| first + i * step).collect()),
        None => Err(format!("these are {count} loads; use at most {MOST_LOADS}, or a larger step")),
    }
}

fn load(text: &str) -> Result<u64, String> {
    let wrong = |_| {
        format!(
            "'{text}' is no load from 0 to 1; use loads and ranges such as 0.3, 0.05..=1 or \
             0.1..=0.5:0.02, with commas between them, or {AUTO}"
        )
    };
    let load = values::load(text.trim()).map_err(wrong)?;
    Ok((load / UNIT).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loads(text: &str) -> Vec<f64> {
        text.parse::<Loads>().unwrap().0
    }

    fn error(text: &str) -> String {
        text.parse::<Loads>().unwrap_err()
    }

    #[test]
    fn lists_and_ranges() {
        assert_eq!(loads("0.3"), [0.3]);
        assert_eq!(loads("0.3, 0.1,0.3"), [0.1, 0.3]);
        assert_eq!(loads("0.1..=0.3:0.1"), [0.1, 0.2, 0.3]);
        assert_eq!(loads("0.1..0.3:0.1"), [0.1, 0.2]);
        assert_eq!(loads("0.1..=0.25:0.1"), [0.1, 0.2]);
        assert_eq!(loads("0.5..=0.5"), [0.5]);
        assert_eq!(loads("0,0.9..=1:0.1"), [0.0, 0.9, 1.0]);
        // No sum of steps is off: each is the number that its digits say.
        let all = loads("0.05..=1.0");
        assert_eq!(all.len(), 20);
        assert_eq!((all[2], all[6], all[19]), (0.15, 0.35, 1.0));
        assert_eq!(all, loads(&Loads(all.clone()).to_string()));
    }

    #[test]
    fn points_that_place_themselves() {
        let points = |text: &str| text.parse::<Points>();
        assert_eq!(points("auto"), Ok(Points::Auto(16)));
        assert_eq!(
            (points("auto:8"), points("auto:64")),
            (Ok(Points::Auto(8)), Ok(Points::Auto(64)))
        );
        assert_eq!(points("0.3"), Ok(Points::At(Loads(vec![0.3]))));
        for bad in [
            "auto:",
            "auto:7",
            "auto:65",
            "auto:x",
            "auto:-8",
            "auto,0.3",
            "automatic",
            "auto:8,0.3",
        ] {
            let error = points(bad).unwrap_err();
            assert!(error.contains("auto:8 to auto:64"), "{bad}: {error}");
        }
        assert!(points("0.3,auto").unwrap_err().contains("'auto' is no load"));
        assert!(points("Auto").unwrap_err().contains("or auto"));
    }

    #[test]
    fn wrong_ones_say_what_is_right() {
        for (text, expected) in [
            ("", "'' is no load"),
            ("0.1,,0.2", "'' is no load"),
            ("1.5", "'1.5' is no load from 0 to 1"),
            ("-0.1", "'-0.1' is no load"),
            ("nan", "'nan' is no load"),
            ("0.1..=2", "'2' is no load"),
            ("0.1..", "'' is no load"),
            ("0.1..=0.5:0", "the step '0' is none; use one above 0, such as 0.05"),
            ("0.1..=0.5:-1", "the step '-1' is none"),
            ("0.1..=0.5:", "the step '' is none"),
            ("0.5..=0.4", "the range is empty: 0.5 is not below 0.4"),
            ("0.5..0.5", "the range is empty"),
            ("0..=1:0.00001", "these are 100001 loads; use at most 10000"),
            ("0..=1:0.000000001", "these are 1000000001 loads"),
        ] {
            let error = error(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
        let many = ["0..=0.9:0.0001"; 2].join(",");
        assert!(error(&many).contains("these are 18002 loads"), "{}", error(&many));
    }
}
