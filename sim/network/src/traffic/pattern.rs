//! Traffic patterns: who sends to whom. A new one is one function and one line in the list; a new
//! permutation a line in [`PERMUTATIONS`].
//!
//! Sources and sinks are numbered from 0, each in their order ([`Ends`]); on a whole cube, mesh or
//! ring these numbers are the addresses.

use super::ends::{Ends, Sender};
use super::random::{Random, threshold};
use super::{TrafficConfig, TrafficError};
use std::fmt;
use turnpike_analysis::patterns::{PERMUTATIONS, Permutation};
use turnpike_base::nearest::Nearest;

/// Pattern of destinations.
pub trait Pattern: fmt::Debug + Send {
    /// The sink of the next packet of a source, by its place. May be the source itself; `None`
    /// where it does not send.
    fn destination(&mut self, source: Sender, random: &mut Random) -> Option<u32>;

    /// Packets of all sources, each released by chance (of 2^32), source and sink by their places.
    /// The draws are those of one source after the other, in a loop for each pattern.
    fn draw(
        &mut self,
        sources: &[Sender],
        chance: u64,
        random: &mut Random,
        drawn: &mut Vec<(u32, u32)>,
    ) {
        random.trials(sources.len(), chance, |trial, random| {
            let source = sources[trial];
            if let Some(sink) = self.destination(source, random) {
                drawn.push((source.number, sink));
            }
        });
    }
}

/// One entry of the list of patterns.
#[derive(Clone, Copy)]
pub struct PatternKind {
    /// The name on the command line.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    build: Build,
}

#[derive(Clone, Copy)]
enum Build {
    Permutation(&'static Permutation),
    Own(fn(&Setup<'_>) -> Result<Box<dyn Pattern>, TrafficError>),
}

/// Every pattern there is: all permutations, between those that stand here.
pub const PATTERNS: &[PatternKind] = &{
    let mut all = [UNIFORM; 1 + PERMUTATIONS.len() + MORE.len()];
    let mut at = 1;
    // No iterator runs at compile time.
    while at < all.len() {
        all[at] = match at <= PERMUTATIONS.len() {
            true => PatternKind::of(&PERMUTATIONS[at - 1]),
            false => MORE[at - 1 - PERMUTATIONS.len()],
        };
        at += 1;
    }
    all
};

const UNIFORM: PatternKind = PatternKind {
    name: "uniform",
    summary: "every destination is equally likely",
    build: Build::Own(|s| Ok(Box::new(s.uniform()))),
};

const MORE: &[PatternKind] = &[
    PatternKind {
        name: "permutation",
        summary: "a random permutation of the nodes, drawn from the seed",
        build: Build::Own(|s| {
            Ok(Box::new(Fixed(permutation(s.paired("permutation")?, s.config.seed))))
        }),
    },
    PatternKind {
        name: "all-pairs",
        summary: "each node sends to every node in turn, the next node first",
        build: Build::Own(|s| {
            let step = vec![0; s.ends.sources.len()];
            Ok(Box::new(AllPairs { sinks: s.sinks(), to_itself: s.config.self_addressed, step }))
        }),
    },
    PatternKind {
        name: "hotspot",
        summary: "a share of the packets goes to few nodes, the rest is uniform",
        build: Build::Own(hotspot),
    },
];

/// The entry of that name.
///
/// # Errors
/// [`TrafficError::Unknown`] with the nearest name.
pub fn find(name: &str) -> Result<&'static PatternKind, TrafficError> {
    PATTERNS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<_> = PATTERNS.iter().map(|k| k.name).collect();
        let nearest = Nearest::of(name, names.iter().copied());
        TrafficError::Unknown { name: name.to_owned(), nearest, known: names.join(", ") }
    })
}

impl PatternKind {
    const fn of(permutation: &'static Permutation) -> Self {
        let Permutation { name, summary, .. } = *permutation;
        Self { name, summary, build: Build::Permutation(permutation) }
    }

    /// The pattern from these sources to these sinks.
    ///
    /// # Errors
    /// [`TrafficError`] where they have no such pattern.
    pub fn build(
        &self,
        ends: &Ends,
        config: &TrafficConfig,
    ) -> Result<Box<dyn Pattern>, TrafficError> {
        let setup = Setup { ends, config };
        match self.build {
            Build::Permutation(permutation) => {
                setup.paired(permutation.name)?;
                Ok(Box::new(Fixed(permutation.of(&ends.places)?)))
            }
            Build::Own(build) => build(&setup),
        }
    }
}

struct Setup<'a> {
    ends: &'a Ends,
    config: &'a TrafficConfig,
}

impl Setup<'_> {
    fn sinks(&self) -> u32 {
        self.ends.sinks.len() as u32
    }

    fn uniform(&self) -> Uniform {
        Uniform { sinks: self.sinks(), to_itself: self.config.self_addressed }
    }

    /// Number of sources, where there are as many sinks: one for each.
    fn paired(&self, pattern: &'static str) -> Result<u32, TrafficError> {
        let (sources, sinks) = (self.ends.sources.len() as u32, self.sinks());
        match sources == sinks {
            true => Ok(sources),
            false => Err(TrafficError::Unpaired { pattern, sources, sinks }),
        }
    }
}

/// A permutation of so many, drawn from a seed: by a stream of its own, so that it does not depend on
/// how packets are drawn.
pub fn permutation(count: u32, seed: u64) -> Vec<u32> {
    let mut to: Vec<u32> = (0..count).collect();
    Random::new(seed ^ u64::from_be_bytes(*b"permute!")).shuffle(&mut to);
    to
}

fn hotspot(setup: &Setup<'_>) -> Result<Box<dyn Pattern>, TrafficError> {
    let TrafficConfig { hotspots, hotspot_share, .. } = setup.config;
    let share = *hotspot_share;
    if hotspots.is_empty() {
        return Err(TrafficError::NoHotspot);
    }
    let sink = |&terminal: &u32| {
        let last = setup.ends.terminals - 1;
        setup.ends.sink(terminal).ok_or(TrafficError::Hotspot { terminal, last })
    };
    let sinks = hotspots.iter().map(sink).collect::<Result<Vec<u32>, _>>()?;
    if !(0.0..=1.0).contains(&share) {
        return Err(TrafficError::Share(share));
    }
    Ok(Box::new(Hotspot { sinks, share: threshold(share), rest: setup.uniform() }))
}

#[derive(Debug)]
struct Uniform {
    sinks: u32,
    to_itself: bool,
}

impl Pattern for Uniform {
    #[inline(always)]
    fn destination(&mut self, source: Sender, random: &mut Random) -> Option<u32> {
        let Some(itself) = source.itself.filter(|_| !self.to_itself) else {
            return Some(random.below(self.sinks));
        };
        // Drawn from the others alone, not drawn again: one draw for each packet.
        let other = random.below(self.sinks - 1);
        (self.sinks > 1).then(|| other + u32::from(other >= itself))
    }
}

#[derive(Debug)]
struct Fixed(Vec<u32>);

impl Pattern for Fixed {
    fn destination(&mut self, source: Sender, _random: &mut Random) -> Option<u32> {
        self.0.get(source.number as usize).copied()
    }
}

#[derive(Debug)]
struct AllPairs {
    sinks: u32,
    to_itself: bool,
    step: Vec<u32>,
}

impl Pattern for AllPairs {
    fn destination(&mut self, source: Sender, _random: &mut Random) -> Option<u32> {
        let leaves_out = !self.to_itself && source.itself.is_some();
        let steps = self.sinks - u32::from(leaves_out);
        let step = self.step.get_mut(source.number as usize)?;
        // A lone terminal has nobody else to send to.
        *step = step.checked_rem(steps)? + 1;
        Some((source.itself.unwrap_or(source.number) + *step) % self.sinks)
    }
}

#[derive(Debug)]
struct Hotspot {
    sinks: Vec<u32>,
    share: u64,
    rest: Uniform,
}

impl Pattern for Hotspot {
    fn destination(&mut self, source: Sender, random: &mut Random) -> Option<u32> {
        match random.chance(self.share) {
            true => match self.sinks[..] {
                [sink] => Some(sink),
                _ => self.sinks.get(random.below(self.sinks.len() as u32) as usize).copied(),
            },
            false => self.rest.destination(source, random),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::{Bernoulli, Traffic};
    use turnpike_analysis::patterns::Places;

    fn destinations(name: &str, nodes: u32) -> Vec<u32> {
        let config = TrafficConfig { self_addressed: true, ..TrafficConfig::default() };
        let mut pattern = find(name).unwrap().build(&Ends::all(nodes), &config).unwrap();
        let mut random = Random::new(0);
        Ends::all(nodes).senders().filter_map(|s| pattern.destination(s, &mut random)).collect()
    }

    fn sender(number: u32) -> Sender {
        Sender { number, itself: Some(number) }
    }

    #[test]
    fn patterns_on_bits() {
        assert_eq!(destinations("bit-complement", 4), [3, 2, 1, 0]);
        assert_eq!(destinations("bit-reversal", 8), [0, 4, 2, 6, 1, 5, 3, 7]);
        // Halves swapped; the middle one of three bits stays.
        assert_eq!(destinations("transpose", 4), [0, 2, 1, 3]);
        assert_eq!(destinations("transpose", 8), [0, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!(destinations("rotation", 8), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(destinations("shuffle", 8), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(destinations("transpose", 16)[0b0111], 0b1101);
        assert_eq!(destinations("transpose", 2), [0, 1]);
    }

    #[test]
    fn a_permutation_reaches_every_node_once() {
        let mut to = destinations("permutation", 100);
        assert_ne!(to, (0..100).collect::<Vec<_>>());
        to.sort_unstable();
        assert_eq!(to, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn all_pairs_takes_every_destination_in_turn() {
        let mut random = Random::new(0);
        for (to_itself, expected) in [(true, vec![3, 4, 0, 1, 2, 3]), (false, vec![3, 4, 0, 1, 3])]
        {
            let config = TrafficConfig { self_addressed: to_itself, ..TrafficConfig::default() };
            let mut all = find("all-pairs").unwrap().build(&Ends::all(5), &config).unwrap();
            let n = expected.len();
            let got: Vec<_> =
                (0..n).filter_map(|_| all.destination(sender(2), &mut random)).collect();
            assert_eq!(got, expected);
        }
    }

    #[test]
    fn uniform_without_itself_never_draws_itself() {
        let config = TrafficConfig { self_addressed: false, ..TrafficConfig::default() };
        let mut uniform = find("uniform").unwrap().build(&Ends::all(4), &config).unwrap();
        let mut random = Random::new(3);
        let mut counts = [0; 4];
        for _ in 0..3000 {
            counts[uniform.destination(sender(1), &mut random).unwrap() as usize] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!([0, 2, 3].iter().all(|&d| (900..1100).contains(&counts[d])), "{counts:?}");
    }

    /// Sources on one side and sinks on the other, or not as many: everyone who takes packets is
    /// drawn, and nobody else.
    #[test]
    fn only_sources_send_and_only_sinks_take() {
        let ends = Ends {
            terminals: 9,
            sources: vec![0, 1, 2, 3],
            sinks: vec![3, 5, 6, 8],
            places: Places::row(4),
            classes: Vec::new(),
            flows: None,
        };
        let few = Ends { sinks: vec![3, 5], ..ends.clone() };
        for (ends, paired) in [(ends, true), (few, false)] {
            for kind in PATTERNS {
                let hotspots = vec![5];
                let config = TrafficConfig { hotspots, load: 1.0, ..TrafficConfig::default() };
                for self_addressed in [true, false] {
                    let pattern = kind.name.to_owned();
                    let config = TrafficConfig { pattern, self_addressed, ..config.clone() };
                    let pairs = !["uniform", "all-pairs", "hotspot"].contains(&kind.name);
                    let traffic = Bernoulli::new(ends.clone(), &config);
                    if !paired && pairs {
                        let error = traffic.unwrap_err().to_string();
                        assert!(error.contains("4 sources and 2 sinks"), "{error}");
                        continue;
                    }
                    let (mut traffic, mut released) = (traffic.unwrap(), Vec::new());
                    (0..200).for_each(|cycle| traffic.release(cycle, &mut released));
                    let to: std::collections::BTreeSet<u32> =
                        released.iter().map(|release| release.destination).collect();
                    // Terminal 3 alone is both: what pairs it with itself is then left out.
                    assert!(to.iter().all(|to| ends.sinks.contains(to)), "{}", kind.name);
                    assert!(ends.sinks.iter().skip(1).all(|s| to.contains(s)), "{}", kind.name);
                    assert!(released.iter().all(|release| release.source < 4));
                    let itself = released.iter().any(|r| r.source == r.destination);
                    assert!(self_addressed || !itself, "{}", kind.name);
                    // Everyone sends in every cycle: the load is as asked for.
                    let silent = u64::from(!self_addressed && pairs);
                    assert!(released.len() as u64 >= 200 * (4 - silent), "{}", kind.name);
                }
            }
        }
    }

    #[test]
    fn wrong_names_and_numbers_say_what_is_right() {
        let text = find("unifrom").err().unwrap().to_string();
        assert!(text.contains("did you mean 'uniform'?"), "{text}");
        let config = TrafficConfig { hotspots: vec![3, 16], ..TrafficConfig::default() };
        let error = find("hotspot").unwrap().build(&Ends::all(16), &config).unwrap_err();
        assert_eq!(error, TrafficError::Hotspot { terminal: 16, last: 15 });
        let error = find("transpose").unwrap().build(&Ends::all(12), &config).unwrap_err();
        assert!(error.to_string().contains("power of two"), "{error}");
    }
}
