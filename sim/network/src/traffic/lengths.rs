//! Lengths of packets: one for all, or several, each with the share of the packets that have it.

use super::random::Random;
use super::{MOST_FLITS, TrafficError, shares};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Most lengths of one distribution.
pub const MOST_LENGTHS: usize = 64;

/// A length, and how many of the packets have it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LengthShare {
    /// The length in flits.
    pub flits: u32,
    /// The share of the packets, above 0 and up to 1.
    pub share: f64,
}

/// The lengths of packets, ascending. As text `4`, or `1:0.8,5:0.2`: lengths with their shares. Kept as
/// that number or that text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Kept", into = "Kept")]
pub struct Lengths {
    list: Vec<LengthShare>,
    /// By length: where its part of the 2^32 words ends.
    ends: Vec<u64>,
}

/// Lengths that cannot be.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum LengthsError {
    /// No length at all, or none from 1.
    #[error(
        "'{0}' is no length of packets; use a whole number from 1, such as 4, or lengths with the \
         shares of the packets that have them, such as 1:0.8,5:0.2"
    )]
    Length(String),
    /// A share that is none.
    #[error(
        "length {flits} has the share '{share}'; use a number above 0 and up to 1, such as 0.8"
    )]
    Share {
        /// Length whose share it is.
        flits: u32,
        /// Text that stands there.
        share: String,
    },
    /// A length without a share, beside others.
    #[error("length {0} has no share; give each of several lengths one, such as 1:0.8,5:0.2")]
    NoShare(u32),
    /// A length that stands there again.
    #[error("length {0} stands there twice; give it once, with the sum of the shares")]
    Twice(u32),
    /// Shares of more or fewer packets than there are.
    #[error("the shares sum to {}, not to 1", shares::rounded(*.0))]
    Sum(f64),
    /// More than are told apart.
    #[error("these are {0} lengths; use at most {most}", most = MOST_LENGTHS)]
    Many(usize),
}

impl Lengths {
    /// One length for all packets.
    pub fn one(flits: u32) -> Self {
        Self { list: vec![LengthShare { flits, share: 1.0 }], ends: vec![1 << 32] }
    }

    /// Several, in any order. Their range is the business of [`Lengths::check`].
    ///
    /// # Errors
    /// [`LengthsError`] says what is wrong with them.
    pub fn new(mut list: Vec<LengthShare>) -> Result<Self, LengthsError> {
        if list.len() > MOST_LENGTHS {
            return Err(LengthsError::Many(list.len()));
        }
        list.sort_by_key(|length| length.flits);
        for (at, &LengthShare { flits, share }) in list.iter().enumerate() {
            if !shares::is_share(share) {
                return Err(LengthsError::Share { flits, share: share.to_string() });
            }
            if at > 0 && list[at - 1].flits == flits {
                return Err(LengthsError::Twice(flits));
            }
        }
        if let Some(sum) = shares::wrong_sum(list.iter().map(|length| length.share)) {
            return Err(LengthsError::Sum(sum));
        }
        let mut below = 0.0;
        let mut ends: Vec<u64> = list
            .iter()
            .map(|length| {
                below += length.share;
                super::random::threshold(below)
            })
            .collect();
        // The last has what is left.
        ends.iter_mut().last().into_iter().for_each(|end| *end = 1 << 32);
        Ok(Self { list, ends })
    }

    /// Each length with its share, ascending.
    pub fn list(&self) -> &[LengthShare] {
        &self.list
    }

    /// The length of all packets, where they have one.
    pub fn only(&self) -> Option<u32> {
        match self.list[..] {
            [LengthShare { flits, .. }] => Some(flits),
            _ => None,
        }
    }

    /// The lengths where they are several.
    pub fn several(&self) -> Option<&Self> {
        Some(self).filter(|lengths| lengths.list.len() > 1)
    }

    /// Flits of a packet in the mean: of what is drawn, to the nearest 2^-32 of each share.
    pub fn mean(&self) -> f64 {
        let mut below = 0;
        let of = |(length, &end): (&LengthShare, &u64)| {
            let words = end - std::mem::replace(&mut below, end);
            f64::from(length.flits) * words as f64
        };
        self.list.iter().zip(&self.ends).map(of).sum::<f64>() / (1u64 << 32) as f64
    }

    /// Whether each is in its range.
    ///
    /// # Errors
    /// [`TrafficError::Flits`] names one that is not.
    pub fn check(&self) -> Result<(), TrafficError> {
        let is_wrong = |length: &&LengthShare| !(1..=MOST_FLITS).contains(&length.flits);
        match self.list.iter().find(is_wrong) {
            Some(length) => Err(TrafficError::Flits(length.flits)),
            None => Ok(()),
        }
    }

    /// The length of a packet. One for all takes nothing from the stream, several one word of it.
    #[inline]
    pub(super) fn draw(&self, random: &mut Random) -> u32 {
        match self.list[..] {
            [LengthShare { flits, .. }] => flits,
            _ => {
                let word = u64::from(random.word());
                self.list[self.ends.partition_point(|&end| end <= word)].flits
            }
        }
    }
}

impl From<u32> for Lengths {
    fn from(flits: u32) -> Self {
        Self::one(flits)
    }
}

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(flits) = self.only() {
            return write!(f, "{flits}");
        }
        let words = self.list.iter().map(|LengthShare { flits, share }| format!("{flits}:{share}"));
        f.write_str(&words.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Lengths {
    type Err = LengthsError;

    fn from_str(text: &str) -> Result<Self, LengthsError> {
        let parts: Vec<&str> = text.split(',').collect();
        let length = |part: &&str| {
            let (flits, share) = match part.split_once(':') {
                Some((flits, share)) => (flits, Some(share.trim())),
                None => (*part, None),
            };
            let wrong = || LengthsError::Length(flits.trim().to_owned());
            let flits = flits.trim().parse().ok().filter(|&n| n > 0).ok_or_else(wrong)?;
            let share = match share {
                None if parts.len() == 1 => 1.0,
                None => return Err(LengthsError::NoShare(flits)),
                Some(share) => {
                    let wrong = || LengthsError::Share { flits, share: share.to_owned() };
                    share.parse().map_err(|_| wrong())?
                }
            };
            Ok(LengthShare { flits, share })
        };
        Self::new(parts.iter().map(length).collect::<Result<_, _>>()?)
    }
}

/// Form in which lengths are kept.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Kept {
    One(u32),
    Several(String),
}

impl From<Lengths> for Kept {
    fn from(lengths: Lengths) -> Self {
        lengths.only().map_or_else(|| Self::Several(lengths.to_string()), Self::One)
    }
}

impl TryFrom<Kept> for Lengths {
    type Error = LengthsError;

    fn try_from(kept: Kept) -> Result<Self, LengthsError> {
        match kept {
            Kept::One(flits) => Ok(Self::one(flits)),
            Kept::Several(text) => text.parse(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lengths_are_read_in_any_order_and_written_in_one() {
        let lengths: Lengths = "5:0.2, 1:0.8".parse().unwrap();
        assert_eq!(lengths, "1:0.8,5:0.2".parse().unwrap());
        assert_eq!(lengths.to_string(), "1:0.8,5:0.2");
        assert_eq!((lengths.only(), "7".parse::<Lengths>().unwrap().only()), (None, Some(7)));
        assert!((lengths.mean() - 1.8).abs() < 1e-8);
        // One length is one length, however it is written.
        assert_eq!("7:1".parse::<Lengths>().unwrap(), Lengths::one(7));
        assert_eq!(Lengths::one(7).mean(), 7.0);
        // Thirds, as far as people write them.
        assert!("1:0.3333333,2:0.3333333,3:0.3333333".parse::<Lengths>().is_ok());
    }

    #[test]
    fn wrong_ones_say_what_is_right() {
        for (text, expected) in [
            ("", "'' is no length of packets; use a whole number from 1"),
            ("0", "'0' is no length"),
            ("x", "'x' is no length"),
            ("4294967296", "'4294967296' is no length"),
            ("0:0.5,1:0.5", "'0' is no length"),
            ("1:0.5,,2:0.5", "'' is no length"),
            ("1:0.8,5", "length 5 has no share"),
            ("1:,5:1", "length 1 has the share ''; use a number above 0"),
            ("1:x,5:1", "length 1 has the share 'x'"),
            ("1:0,5:1", "length 1 has the share '0'"),
            ("1:-0.5,5:1.5", "length 1 has the share '-0.5'"),
            ("1:nan,5:1", "length 1 has the share 'NaN'"),
            ("1:inf,5:1", "length 1 has the share 'inf'"),
            ("5:0.5,5:0.5", "length 5 stands there twice"),
            ("1:0.7,5:0.2", "the shares sum to 0.9, not to 1"),
            ("1:0.7,5:0.7", "the shares sum to 1.4, not to 1"),
        ] {
            let error = text.parse::<Lengths>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let many: Vec<String> = (1..=65).map(|n| format!("{n}:{}", 1.0 / 65.0)).collect();
        let error = many.join(",").parse::<Lengths>().unwrap_err().to_string();
        assert_eq!(error, "these are 65 lengths; use at most 64");
        let error = "1:0.5,1048577:0.5".parse::<Lengths>().unwrap().check().unwrap_err();
        assert_eq!(error, TrafficError::Flits(1_048_577));
    }

    /// The words of the stream that each length takes are its share of them, none left over.
    #[test]
    fn every_word_has_a_length() {
        let lengths: Lengths = "1:0.5,3:0.25,9:0.25".parse().unwrap();
        assert_eq!(lengths.ends, [1 << 31, 3 << 30, 1 << 32]);
        let mut random = Random::new(3);
        let mut counts = [0u32; 10];
        (0..40_000).for_each(|_| counts[lengths.draw(&mut random) as usize] += 1);
        for (flits, expected) in [(1, 20_000), (3, 10_000), (9, 10_000)] {
            assert!(counts[flits].abs_diff(expected) < 400, "{counts:?}");
        }
        assert_eq!(counts.iter().sum::<u32>(), 40_000);
    }

    proptest! {
        /// Lengths that are kept or written are read back, to the bit.
        #[test]
        fn what_is_written_is_read_back(
            weights in prop::collection::btree_map(1..MOST_FLITS, 1..1000u32, 1..20)
        ) {
            let sum = f64::from(weights.values().sum::<u32>());
            let share = |(&flits, &weight): (&u32, &u32)| {
                LengthShare { flits, share: f64::from(weight) / sum }
            };
            let lengths = Lengths::new(weights.iter().map(share).collect()).unwrap();
            prop_assert_eq!(&lengths, &lengths.to_string().parse().unwrap());
            let kept = serde_json::to_string(&lengths).unwrap();
            prop_assert_eq!(&lengths, &serde_json::from_str(&kept).unwrap());
            let mean: f64 = lengths.list().iter().map(|l| f64::from(l.flits) * l.share).sum();
            prop_assert!((lengths.mean() / mean - 1.0).abs() < 1e-3);
        }
    }
}
