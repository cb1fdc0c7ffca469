//! Traffic patterns: who sends to whom. A new one is one function and one line in the list.
//!
//! Addresses are the nodes' numbers; patterns on bits take an address of b bits, bit 0 the
//! least significant, and need 2^b nodes.

use super::random::{Random, threshold};
use super::{TrafficConfig, TrafficError};
use std::fmt;
use turnpike_base::nearest::Nearest;

/// Who sends to whom.
pub trait Pattern: fmt::Debug + Send {
    /// The destination of the next packet of `source`. May be `source` itself; `None` where
    /// this node does not send.
    fn destination(&mut self, source: u32, random: &mut Random) -> Option<u32>;
}

/// One entry of the list of patterns.
pub struct PatternKind {
    /// The name on the command line.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    build: fn(&Setup<'_>) -> Result<Box<dyn Pattern>, TrafficError>,
}

/// Every pattern there is.
pub const PATTERNS: &[PatternKind] = &[
    PatternKind {
        name: "uniform",
        summary: "every destination is equally likely",
        build: |s| Ok(Box::new(Uniform { nodes: s.nodes, to_itself: s.config.self_addressed })),
    },
    PatternKind {
        name: "transpose",
        summary: "the address rotated by half its bits (rounded down)",
        build: |s| s.on_bits("transpose", |a, bits| rotate_left(a, bits / 2, bits)),
    },
    PatternKind {
        name: "bit-complement",
        summary: "every address bit inverted",
        build: |s| s.on_bits("bit-complement", |a, bits| a ^ mask(bits)),
    },
    PatternKind {
        name: "bit-reversal",
        summary: "the address bits in reverse order",
        build: |s| s.on_bits("bit-reversal", reverse),
    },
    PatternKind {
        name: "permutation",
        summary: "a random permutation of the nodes, drawn from the seed",
        build: |s| Ok(Box::new(Fixed(permutation(s)))),
    },
    PatternKind {
        name: "all-pairs",
        summary: "each node sends to every node in turn, the next node first",
        build: |s| {
            let to_itself = s.config.self_addressed;
            Ok(Box::new(AllPairs { nodes: s.nodes, to_itself, step: vec![0; s.nodes as usize] }))
        },
    },
    PatternKind {
        name: "hotspot",
        summary: "a share of the packets goes to few nodes, the rest is uniform",
        build: hotspot,
    },
];

/// The entry of that name.
///
/// # Errors
/// [`TrafficError::Unknown`] with the nearest name.
pub fn find(name: &str) -> Result<&'static PatternKind, TrafficError> {
    PATTERNS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let mut names: Vec<_> = PATTERNS.iter().map(|k| k.name).collect();
        let nearest = Nearest::of(name, names.iter().copied());
        names.push("a trace file");
        TrafficError::Unknown { name: name.to_owned(), nearest, known: names.join(", ") }
    })
}

impl PatternKind {
    /// The pattern over `nodes` nodes.
    ///
    /// # Errors
    /// [`TrafficError`] where it has no such pattern.
    pub fn build(
        &self,
        nodes: u32,
        config: &TrafficConfig,
    ) -> Result<Box<dyn Pattern>, TrafficError> {
        (self.build)(&Setup { nodes, config })
    }
}

struct Setup<'a> {
    nodes: u32,
    config: &'a TrafficConfig,
}

impl Setup<'_> {
    fn on_bits(
        &self,
        pattern: &'static str,
        map: fn(u32, u32) -> u32,
    ) -> Result<Box<dyn Pattern>, TrafficError> {
        if !self.nodes.is_power_of_two() {
            return Err(TrafficError::NotPowerOfTwo { pattern, nodes: self.nodes });
        }
        let bits = self.nodes.ilog2();
        Ok(Box::new(Fixed((0..self.nodes).map(|a| map(a, bits)).collect())))
    }
}

fn mask(bits: u32) -> u32 {
    ((1u64 << bits) - 1) as u32
}

fn rotate_left(address: u32, by: u32, bits: u32) -> u32 {
    if by == 0 { address } else { (address << by | address >> (bits - by)) & mask(bits) }
}

fn reverse(address: u32, bits: u32) -> u32 {
    if bits == 0 { address } else { address.reverse_bits() >> (32 - bits) }
}

/// A permutation of its own stream, so that it does not depend on how packets are drawn.
fn permutation(setup: &Setup<'_>) -> Vec<u32> {
    let mut to: Vec<u32> = (0..setup.nodes).collect();
    Random::new(setup.config.seed ^ u64::from_be_bytes(*b"permute!")).shuffle(&mut to);
    to
}

fn hotspot(setup: &Setup<'_>) -> Result<Box<dyn Pattern>, TrafficError> {
    let TrafficConfig { hotspots, hotspot_share: share, self_addressed, .. } = setup.config;
    let (share, self_addressed) = (*share, *self_addressed);
    if hotspots.is_empty() {
        return Err(TrafficError::NoHotspot);
    }
    if let Some(&node) = hotspots.iter().find(|&&node| node >= setup.nodes) {
        return Err(TrafficError::Hotspot { node, last: setup.nodes - 1 });
    }
    if !(0.0..=1.0).contains(&share) {
        return Err(TrafficError::Share(share));
    }
    let rest = Uniform { nodes: setup.nodes, to_itself: self_addressed };
    Ok(Box::new(Hotspot { nodes: hotspots.clone(), share: threshold(share), rest }))
}

#[derive(Debug)]
struct Uniform {
    nodes: u32,
    to_itself: bool,
}

impl Pattern for Uniform {
    fn destination(&mut self, source: u32, random: &mut Random) -> Option<u32> {
        if self.to_itself {
            return Some(random.below(self.nodes));
        }
        // Drawn from the other nodes alone, not drawn again: one draw for each packet.
        let other = random.below(self.nodes - 1);
        (self.nodes > 1).then(|| other + u32::from(other >= source))
    }
}

#[derive(Debug)]
struct Fixed(Vec<u32>);

impl Pattern for Fixed {
    fn destination(&mut self, source: u32, _random: &mut Random) -> Option<u32> {
        self.0.get(source as usize).copied()
    }
}

#[derive(Debug)]
struct AllPairs {
    nodes: u32,
    to_itself: bool,
    step: Vec<u32>,
}

impl Pattern for AllPairs {
    fn destination(&mut self, source: u32, _random: &mut Random) -> Option<u32> {
        let steps = self.nodes - u32::from(!self.to_itself);
        let step = self.step.get_mut(source as usize)?;
        // A lone node has nobody else to send to.
        *step = step.checked_rem(steps)? + 1;
        Some((source + *step) % self.nodes)
    }
}

#[derive(Debug)]
struct Hotspot {
    nodes: Vec<u32>,
    share: u64,
    rest: Uniform,
}

impl Pattern for Hotspot {
    fn destination(&mut self, source: u32, random: &mut Random) -> Option<u32> {
        match random.chance(self.share) {
            true => match self.nodes[..] {
                [node] => Some(node),
                _ => self.nodes.get(random.below(self.nodes.len() as u32) as usize).copied(),
            },
            false => self.rest.destination(source, random),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn destinations(name: &str, nodes: u32) -> Vec<u32> {
        let config = TrafficConfig { self_addressed: true, ..TrafficConfig::default() };
        let mut pattern = find(name).unwrap().build(nodes, &config).unwrap();
        let mut random = Random::new(0);
        (0..nodes).filter_map(|s| pattern.destination(s, &mut random)).collect()
    }

    #[test]
    fn patterns_on_bits() {
        assert_eq!(destinations("bit-complement", 4), [3, 2, 1, 0]);
        assert_eq!(destinations("bit-reversal", 8), [0, 4, 2, 6, 1, 5, 3, 7]);
        // Even: halves swapped. Odd: rotated left by one of three bits.
        assert_eq!(destinations("transpose", 4), [0, 2, 1, 3]);
        assert_eq!(destinations("transpose", 8), [0, 2, 4, 6, 1, 3, 5, 7]);
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
            let mut all = find("all-pairs").unwrap().build(5, &config).unwrap();
            let n = expected.len();
            let got: Vec<_> = (0..n).filter_map(|_| all.destination(2, &mut random)).collect();
            assert_eq!(got, expected);
        }
    }

    #[test]
    fn uniform_without_itself_never_draws_itself() {
        let config = TrafficConfig { self_addressed: false, ..TrafficConfig::default() };
        let mut uniform = find("uniform").unwrap().build(4, &config).unwrap();
        let mut random = Random::new(3);
        let mut counts = [0; 4];
        for _ in 0..3000 {
            counts[uniform.destination(1, &mut random).unwrap() as usize] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!([0, 2, 3].iter().all(|&d| (900..1100).contains(&counts[d])), "{counts:?}");
    }

    #[test]
    fn wrong_names_and_numbers_say_what_is_right() {
        let text = find("unifrom").err().unwrap().to_string();
        assert!(text.contains("did you mean 'uniform'?"), "{text}");
        let config = TrafficConfig { hotspots: vec![3, 16], ..TrafficConfig::default() };
        let error = find("hotspot").unwrap().build(16, &config).unwrap_err();
        assert_eq!(error, TrafficError::Hotspot { node: 16, last: 15 });
        let error = find("transpose").unwrap().build(12, &config).unwrap_err();
        assert!(error.to_string().contains("power of two"), "{error}");
    }
}
