//! Clocks of a design, and what passes from one to another: nothing but through a synchroniser, or
//! into a register that waits until it is still.
//!
//! The rules are those of Cummings, "Clock Domain Crossing (CDC) Design & Verification Techniques
//! Using SystemVerilog", SNUG 2008: no logic between the clocks of a synchroniser, and the pointers of
//! a queue in Gray code. That of such pointers one bit changes at a time is not seen here: it is proven
//! of the queue.

mod flat;

use super::expr::Net;
use super::{CLOCK, Crossing, Design, NetKind};
use flat::{Flat, Node};
use std::collections::BTreeSet;

/// Most clocks of a design.
pub const MOST_CLOCKS: usize = 32;

/// Fault in the clocks of a design.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClockError {
    /// A clock that is no input of the top.
    #[error("{net} clocks something, and is no input of the top module")]
    Made {
        /// Hierarchical name of the net.
        net: String,
    },
    /// More than [`MOST_CLOCKS`].
    #[error("{count} clocks, and {MOST_CLOCKS} are the most")]
    Many {
        /// Number of clocks.
        count: usize,
    },
    /// A clock that something reads.
    #[error("{clock} is a clock, and {reader} depends on it")]
    Read {
        /// Input of the top module.
        clock: String,
        /// Hierarchical name of what depends on it.
        reader: String,
    },
    /// A path from one clock to another that goes through no synchroniser.
    #[error("{to}, of {clock}, takes on {net}, which depends on registers of {other}")]
    Crosses {
        /// Hierarchical name of the register or memory that takes it on.
        to: String,
        /// Clock of that.
        clock: String,
        /// Hierarchical name of what it takes on.
        net: String,
        /// Name of the other clock.
        other: String,
    },
    /// A synchroniser behind logic, which may glitch.
    #[error("{to} synchronises {net}, which is no register")]
    Logic {
        /// Hierarchical name of the synchroniser's register.
        to: String,
        /// Hierarchical name of what it takes on.
        net: String,
    },
    /// A port of the top that is of two clocks.
    #[error("port {port} is of {first} and of {second}")]
    Port {
        /// Name of the port.
        port: String,
        /// Name of one of its clocks.
        first: String,
        /// Name of another.
        second: String,
    },
}

/// Clocks of a design whose crossings are sound.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// Names of the clocks: inputs of the top that clock something, or its implicit clock.
    pub names: Vec<String>,
    /// Ports of the top, each with its clock, an index into `names`: an input that registers take on,
    /// an output that comes from registers or from such inputs.
    pub ports: Vec<(Net, usize)>,
    /// Bits that go from one clock to another through a synchroniser.
    pub synchronised: u32,
    /// Bits that are taken on once they are still.
    pub still: u32,
}

/// The clocks of a design, and whether nothing passes from one to another that may not.
///
/// # Errors
/// [`ClockError`] with the first fault.
pub fn clocks(design: &Design) -> Result<Clocks, ClockError> {
    Spread::new(design, Flat::new(design))?.clocks()
}

/// Clocks as bits of a set.
type Set = u32;

struct Spread<'a> {
    design: &'a Design,
    flat: Flat,
    /// Inputs of the top that clock something; `None` for its implicit clock.
    clocks: Vec<Option<Node>>,
}

impl<'a> Spread<'a> {
    fn new(design: &'a Design, flat: Flat) -> Result<Self, ClockError> {
        let ports = design.top().ports();
        let inputs: BTreeSet<Node> =
            ports.filter(|(_, i)| i.kind == NetKind::Input).map(|(net, _)| net.index).collect();
        let mut clocks = BTreeSet::new();
        for &(_, clock) in &flat.launches {
            let clock = clock.map(|node| flat.origin(node));
            if let Some(made) = clock.filter(|node| !inputs.contains(node)) {
                return Err(ClockError::Made { net: flat.nodes[made as usize].0.clone() });
            }
            clocks.insert(clock);
        }
        match clocks.len() {
            count if count > MOST_CLOCKS => Err(ClockError::Many { count }),
            _ => Ok(Self { design, flat, clocks: clocks.into_iter().collect() }),
        }
    }

    /// The bit of a clock.
    fn bit(&self, clock: Option<Node>) -> Set {
        let clock = clock.map(|node| self.flat.origin(node));
        let at = self.clocks.binary_search(&clock).expect("every clock was found");
        1 << at
    }

    fn name(&self, node: Node) -> String {
        self.flat.nodes[node as usize].0.clone()
    }

    fn clock_name(&self, at: u32) -> String {
        self.clocks[at as usize].map_or(CLOCK.to_owned(), |node| self.name(node))
    }

    fn clocks(&self) -> Result<Clocks, ClockError> {
        self.are_not_read()?;
        let sampled = self.sampled();
        let mut ports = Vec::new();
        let mut start = vec![0; self.flat.nodes.len()];
        for &(node, clock) in &self.flat.launches {
            start[node as usize] = self.bit(clock);
        }
        let is = |kind| move |(_, info): &(Net, &crate::NetInfo)| info.kind == kind;
        for (net, info) in self.design.top().ports().filter(is(NetKind::Input)) {
            let set = sampled[net.index as usize];
            ports.extend(self.only(set, &info.name)?.map(|clock| (net, clock as usize)));
            start[net.index as usize] = set;
        }
        let launched = spread(start, &self.flat.followers);
        for (net, info) in self.design.top().ports().filter(is(NetKind::Output)) {
            let clock = self.only(launched[net.index as usize], &info.name)?;
            ports.extend(clock.map(|clock| (net, clock as usize)));
        }
        let mut clocks = Clocks {
            names: (0..self.clocks.len() as u32).map(|at| self.clock_name(at)).collect(),
            ports,
            ..Clocks::default()
        };
        self.crossings(&launched, &mut clocks)?;
        Ok(clocks)
    }

    /// Whether nothing depends on a clock as a value.
    fn are_not_read(&self) -> Result<(), ClockError> {
        let is_clock = |node: &Node| {
            let origin = self.flat.origin(*node);
            self.clocks.binary_search(&Some(origin)).is_ok()
        };
        let read = |from: Node, to: Node| {
            let clock = self.name(self.flat.origin(from));
            Err(ClockError::Read { clock, reader: self.name(to) })
        };
        for (from, followers) in (0..).zip(&self.flat.followers) {
            if is_clock(&from)
                && let Some(&to) = followers.iter().find(|&to| !is_clock(to))
            {
                return read(from, to);
            }
        }
        match self.flat.sinks.iter().find(|sink| is_clock(&sink.from)) {
            Some(sink) => read(sink.from, sink.to),
            None => Ok(()),
        }
    }

    /// By node: the clocks of what takes it on, but for synchronisers, and registers that wait.
    fn sampled(&self) -> Vec<Set> {
        let mut start = vec![0; self.flat.nodes.len()];
        for sink in self.flat.sinks.iter().filter(|sink| sink.crossing.is_none()) {
            start[sink.from as usize] |= self.bit(sink.clock);
        }
        let mut before = vec![Vec::new(); self.flat.nodes.len()];
        for (from, followers) in (0..).zip(&self.flat.followers) {
            followers.iter().for_each(|&to| before[to as usize].push(from));
        }
        spread(start, &before)
    }

    /// The only clock of a port, if it has any.
    fn only(&self, set: Set, port: &str) -> Result<Option<u32>, ClockError> {
        match set.count_ones() {
            0 => Ok(None),
            1 => Ok(Some(set.trailing_zeros())),
            _ => Err(ClockError::Port {
                port: port.to_owned(),
                first: self.clock_name(set.trailing_zeros()),
                second: self.clock_name((set & (set - 1)).trailing_zeros()),
            }),
        }
    }

    /// Whether all that goes from one clock to another may, and its bits.
    fn crossings(&self, launched: &[Set], found: &mut Clocks) -> Result<(), ClockError> {
        let registers: BTreeSet<Node> = self.flat.launches.iter().map(|&(node, _)| node).collect();
        for sink in &self.flat.sinks {
            let own = self.bit(sink.clock);
            let others = launched[sink.from as usize] & !own;
            if others == 0 {
                continue;
            }
            match sink.crossing {
                None => {
                    return Err(ClockError::Crosses {
                        to: self.name(sink.to),
                        clock: self.clock_name(own.trailing_zeros()),
                        net: self.name(sink.from),
                        other: self.clock_name(others.trailing_zeros()),
                    });
                }
                Some(Crossing::Synchroniser) => {
                    let net = self.flat.origin(sink.from);
                    if !registers.contains(&net) {
                        return Err(ClockError::Logic {
                            to: self.name(sink.to),
                            net: self.name(net),
                        });
                    }
                    found.synchronised += self.flat.nodes[sink.to as usize].1;
                }
                Some(Crossing::Still) => found.still += self.flat.nodes[sink.to as usize].1,
            }
        }
        Ok(())
    }
}

/// Adds the set of each node to those of all that come after it.
fn spread(mut sets: Vec<Set>, after: &[Vec<Node>]) -> Vec<Set> {
    let mut waiting: Vec<Node> =
        (0..).zip(&sets).filter(|(_, set)| **set != 0).map(|(node, _)| node).collect();
    while let Some(node) = waiting.pop() {
        let set = sets[node as usize];
        for &next in &after[node as usize] {
            let old = &mut sets[next as usize];
            if *old | set != *old {
                *old |= set;
                waiting.push(next);
            }
        }
    }
    sets
}

#[cfg(test)]
mod tests;
