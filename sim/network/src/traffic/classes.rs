//! Several classes of traffic at once: each has a pattern, a share of the load and lengths of packets.

use super::{
    Bernoulli, Ends, Lengths, Release, Traffic, TrafficConfig, TrafficDescription, TrafficError,
    shares,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnpike_base::hash::hash;

pub const MOST_CLASSES: usize = 16;

/// Longest name of a class.
pub const LONGEST_NAME: usize = 32;

/// Marks the seeds of classes among what is drawn from one.
const CLASS: u64 = 5;

/// A class of traffic.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Class {
    /// Name of the class.
    pub name: String,
    /// Share of the offered load, in flits, above 0 and up to 1.
    pub share: f64,
    /// A name of [`super::pattern::PATTERNS`].
    pub pattern: String,
    /// Flits per packet.
    pub packet_flits: Lengths,
}

/// Description of a class in reports: one that was asked for, or a message class of flows.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ClassDescription {
    /// Name of the class.
    pub name: String,
    /// Share of the class in the offered load.
    pub share: f64,
    /// Pattern of the class; `flows` of a message class.
    pub pattern: String,
    /// Load that the class offers, in flits per terminal and cycle; of flows with bandwidths, the part of
    /// the sum of these.
    pub offered_load: f64,
    /// Flits of a packet; absent where packets have several lengths.
    pub packet_flits: Option<u32>,
    /// Lengths of packets with their shares; absent where all packets have one length, and where flows
    /// have lengths of their own that differ.
    pub packet_lengths: Option<String>,
}

impl Class {
    /// Description of the class, where all classes offer `load`.
    pub fn description(&self, load: f64) -> ClassDescription {
        ClassDescription {
            name: self.name.clone(),
            share: self.share,
            pattern: self.pattern.clone(),
            offered_load: load * self.share,
            packet_flits: self.packet_flits.only(),
            packet_lengths: self.packet_flits.several().map(ToString::to_string),
        }
    }
}

/// Classes that cannot be.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum ClassesError {
    /// A name that is none.
    #[error(
        "class '{0}': use a name of up to {LONGEST_NAME} letters, digits, '_' and '-' that begins with a \
         letter"
    )]
    Name(String),
    /// A name that stands there again.
    #[error("class {0} stands there twice; give each class a name of its own")]
    Twice(String),
    /// A share that is none.
    #[error("class {name} has the share {share}; use a number above 0 and up to 1, such as 0.5")]
    Share {
        /// The class.
        name: String,
        /// Share that was given.
        share: f64,
    },
    /// Shares of more or less than the load.
    #[error("the shares of the classes sum to {}, not to 1", shares::rounded(*.0))]
    Sum(f64),
    /// More than are told apart.
    #[error("these are {0} classes; use at most {MOST_CLASSES}")]
    Many(usize),
}

/// Whether these classes can be one traffic; none can.
///
/// # Errors
/// What is wrong with them.
pub fn check(classes: &[Class]) -> Result<(), ClassesError> {
    if classes.len() > MOST_CLASSES {
        return Err(ClassesError::Many(classes.len()));
    }
    for (at, Class { name, share, .. }) in classes.iter().enumerate() {
        let is_of_names = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if !name.starts_with(|c: char| c.is_ascii_alphabetic())
            || name.len() > LONGEST_NAME
            || !name.chars().all(is_of_names)
        {
            return Err(ClassesError::Name(name.clone()));
        }
        if classes[..at].iter().any(|other| other.name == *name) {
            return Err(ClassesError::Twice(name.clone()));
        }
        if !shares::is_share(*share) {
            return Err(ClassesError::Share { name: name.clone(), share: *share });
        }
    }
    match shares::wrong_sum(classes.iter().map(|class| class.share)) {
        Some(sum) if !classes.is_empty() => Err(ClassesError::Sum(sum)),
        _ => Ok(()),
    }
}

/// The traffic of several classes, each drawn by itself. What a source releases in a cycle goes in the
/// order of the classes.
#[derive(Debug)]
pub struct Classes {
    config: TrafficConfig,
    traffic: Vec<Bernoulli>,
}

impl Classes {
    /// The classes of `config`, from these sources to these sinks. Each has a seed of its own, which follows
    /// from that of `config` and its place.
    ///
    /// # Errors
    /// [`TrafficError`] names what is wrong.
    pub fn new(ends: &Ends, config: &TrafficConfig) -> Result<Self, TrafficError> {
        check(&config.classes)?;
        let one = |(place, class): (u64, &Class)| {
            let config = TrafficConfig {
                pattern: class.pattern.clone(),
                load: config.load * class.share,
                packet_flits: class.packet_flits.clone(),
                seed: hash(config.seed, &[CLASS, place]),
                classes: Vec::new(),
                ..config.clone()
            };
            Bernoulli::new(ends.clone(), &config)
        };
        let traffic = (0..).zip(&config.classes).map(one).collect::<Result<_, _>>()?;
        Ok(Self { config: config.clone(), traffic })
    }
}

impl Traffic for Classes {
    fn nodes(&self) -> u32 {
        self.traffic.first().map_or(0, Bernoulli::nodes)
    }

    fn release(&mut self, cycle: u64, into: &mut Vec<Release>) {
        let before = into.len();
        for (class, traffic) in (0..).zip(&mut self.traffic) {
            let first = into.len();
            traffic.release(cycle, into);
            into[first..].iter_mut().for_each(|release| release.class = class);
        }
        // Stable: classes stay in their order.
        into[before..].sort_by_key(|release| release.source);
    }

    fn is_exhausted(&self, cycle: u64) -> bool {
        self.traffic.iter().all(|traffic| traffic.is_exhausted(cycle))
    }

    fn hold(&mut self, terminal: u32, is_held: bool) -> bool {
        self.traffic.iter_mut().all(|traffic| traffic.hold(terminal, is_held))
    }

    fn classes(&self) -> Vec<ClassDescription> {
        self.config.classes.iter().map(|class| class.description(self.config.load)).collect()
    }

    fn description(&self) -> TrafficDescription {
        let of_all = self.config.lengths_of_all();
        TrafficDescription {
            pattern: self.config.pattern.clone(),
            offered_load: Some(self.config.load),
            packet_flits: of_all.and_then(Lengths::only),
            packet_lengths: of_all.and_then(Lengths::several).map(Lengths::to_string),
            burst_cycles: self.config.burst_cycles,
            seed: Some(self.config.seed),
            self_addressed: Some(self.config.self_addressed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str, share: f64) -> Class {
        let (name, pattern) = (name.to_owned(), "uniform".to_owned());
        Class { name, share, pattern, packet_flits: Lengths::one(1) }
    }

    #[test]
    fn wrong_ones_say_what_is_right() {
        let many: Vec<Class> = (0..17).map(|n| class(&format!("c{n}"), 1.0 / 17.0)).collect();
        for (classes, expected) in [
            (vec![class("", 1.0)], "class '': use a name"),
            (vec![class("a b", 1.0)], "class 'a b': use a name"),
            (vec![class("1a", 1.0)], "begins with a letter"),
            (vec![class(&"a".repeat(33), 1.0)], "up to 32 letters"),
            (vec![class("a", 0.5), class("a", 0.5)], "class a stands there twice"),
            (
                vec![class("a", 0.0), class("b", 1.0)],
                "class a has the share 0; use a number above 0",
            ),
            (vec![class("a", f64::NAN)], "class a has the share NaN"),
            (vec![class("a", 0.7), class("b", 0.2)], "sum to 0.9, not to 1"),
            (many, "these are 17 classes; use at most 16"),
        ] {
            let config = TrafficConfig { classes, ..TrafficConfig::default() };
            let error = Classes::new(&Ends::all(4), &config).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(check(&[class("a", 0.3333333), class("b", 0.6666667)]), Ok(()));
    }

    /// Sources ascend, classes ascend within one, and each class offers its share of the load in flits.
    #[test]
    fn classes_offer_their_shares() {
        let mut long = class("long", 0.75);
        long.packet_flits = Lengths::one(6);
        let classes = vec![class("short", 0.25), long];
        let config = TrafficConfig { classes, load: 0.4, ..TrafficConfig::default() };
        let mut traffic = Classes::new(&Ends::all(16), &config).unwrap();
        let (mut flits, mut released) = ([0u32; 2], Vec::new());
        for cycle in 0..20_000 {
            released.clear();
            traffic.release(cycle, &mut released);
            assert!(released.is_sorted_by_key(|release| (release.source, release.class)));
            for release in &released {
                assert_eq!(release.flits, [1, 6][usize::from(release.class)]);
                flits[usize::from(release.class)] += release.flits;
            }
        }
        for (flits, load) in flits.into_iter().zip([0.1, 0.3]) {
            let offered = f64::from(flits) / (16.0 * 20_000.0);
            assert!((offered - load).abs() < 0.005, "{offered}, not {load}");
        }
    }

    /// A class draws by its own seed: what the others are does not change it.
    #[test]
    fn a_class_does_not_depend_on_the_others() {
        let of_first = |second: Class| {
            let classes = vec![class("first", 0.5), second];
            let config = TrafficConfig { classes, ..TrafficConfig::default() };
            let mut traffic = Classes::new(&Ends::all(8), &config).unwrap();
            let mut released = Vec::new();
            (0..200).for_each(|cycle| traffic.release(cycle, &mut released));
            released.retain(|release| release.class == 0);
            released
        };
        let mut other = class("other", 0.5);
        other.pattern = "transpose".to_owned();
        assert_eq!(of_first(class("second", 0.5)), of_first(other));
    }
}
