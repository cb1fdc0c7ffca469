//! The question: flows between terminals, and what a switch may be.

use std::collections::{BTreeMap, BTreeSet};

/// The most terminals of a question.
pub const MOST_TERMINALS: usize = 64;
/// The fewest ports of a switch: with two inputs or two outputs it joins or splits, and with one of each more it
/// does both.
pub const FEWEST_PORTS: u32 = 3;
/// The most ports of a switch.
pub const MOST_PORTS: u32 = 64;

/// Flow between two terminals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flow {
    /// Number of the terminal that sends.
    pub from: usize,
    /// Number of the terminal that receives.
    pub to: usize,
    /// Billionths of a flit per cycle.
    pub load: u64,
    /// Number of its message class; 0 where there are none.
    pub class: u8,
    /// The most channels of its route; `u32::MAX` where any number will do.
    pub most_channels: u32,
}

/// Terminals between which there are flows, which take one route.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Number of the terminal that sends.
    pub from: usize,
    /// Number of the terminal that receives.
    pub to: usize,
    /// Billionths of a flit per cycle, of all its flows.
    pub load: u64,
    /// Message classes of its flows, each with its billionths of a flit per cycle.
    pub classes: Vec<(u8, u64)>,
    /// The most channels of its route.
    pub most_channels: u32,
}

/// Terminals, their flows, and what a switch may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    terminals: usize,
    pairs: Vec<Pair>,
    ports: u32,
    most_load: u64,
    /// Whether both ends of a terminal are at one switch.
    is_together: bool,
}

/// A question that cannot be put.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum GrowingError {
    /// More than is searched.
    #[error(
        "{0} terminals are more than the {MOST_TERMINALS} for which networks are grown; give those that talk to each \
         other most a network of their own"
    )]
    Terminals(usize),
    /// A switch that is too small, or too large.
    #[error("a switch of {0} ports is out of range; use {FEWEST_PORTS} to {MOST_PORTS}")]
    Ports(u32),
}

impl Question {
    /// The question of these flows between so many terminals. A switch has at most so many inputs, and as many
    /// outputs, those of terminals among them; a channel between switches carries at most `most_load` billionths of a flit per
    /// cycle.
    ///
    /// # Errors
    /// [`GrowingError`].
    pub fn new(
        terminals: usize,
        flows: &[Flow],
        ports: u32,
        most_load: u64,
    ) -> Result<Self, GrowingError> {
        if terminals > MOST_TERMINALS {
            return Err(GrowingError::Terminals(terminals));
        }
        if !(FEWEST_PORTS..=MOST_PORTS).contains(&ports) {
            return Err(GrowingError::Ports(ports));
        }
        let mut pairs: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
        for &Flow { from, to, load, class, most_channels } in flows {
            let new = || Pair { from, to, load: 0, classes: Vec::new(), most_channels };
            let pair = pairs.entry((from, to)).or_insert_with(new);
            pair.load += load;
            pair.most_channels = pair.most_channels.min(most_channels);
            match pair.classes.iter_mut().find(|(known, _)| *known == class) {
                Some((_, sum)) => *sum += load,
                None => pair.classes.push((class, load)),
            }
        }
        let pairs = pairs.into_values().collect();
        Ok(Self { terminals, pairs, ports, most_load, is_together: false })
    }

    /// Number of terminals.
    pub fn terminals(&self) -> usize {
        self.terminals
    }

    /// Pairs with flows, by source, then destination.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The most inputs of a switch, and the most outputs.
    pub fn ports(&self) -> u32 {
        self.ports
    }

    /// Billionths of a flit per cycle that a channel carries at most.
    pub fn most_load(&self) -> u64 {
        self.most_load
    }

    /// The question with smaller switches.
    #[must_use]
    pub fn with_ports(&self, ports: u32) -> Self {
        Self { ports: ports.clamp(FEWEST_PORTS, self.ports), ..self.clone() }
    }

    /// Whether both ends of a terminal are at one switch.
    pub fn is_together(&self) -> bool {
        self.is_together
    }

    /// The question with both ends of a terminal at one switch.
    #[must_use]
    pub fn together(self) -> Self {
        Self { is_together: true, ..self }
    }

    /// The question with less load on a channel.
    #[must_use]
    pub fn with_load(&self, most_load: u64) -> Self {
        Self { most_load, ..self.clone() }
    }

    /// Streams of packets that enter at a terminal (0) or leave it (1): one for each message class.
    pub fn streams(&self, terminal: usize, end: usize) -> u32 {
        let ends = |pair: &&Pair| [pair.from, pair.to][end] == terminal;
        let classes = self.pairs.iter().filter(ends).flat_map(|pair| &pair.classes);
        classes.map(|(class, _)| class).collect::<BTreeSet<_>>().len() as u32
    }

    /// The load of all pairs together.
    pub fn load(&self) -> u64 {
        self.pairs.iter().map(|pair| pair.load).sum()
    }

    /// The largest load of a stream to or from a terminal: no network relieves it.
    pub fn busiest(&self) -> u64 {
        let mut loads: BTreeMap<(usize, usize, u8), u64> = BTreeMap::new();
        for pair in &self.pairs {
            for &(class, load) in &pair.classes {
                *loads.entry((pair.from, 0, class)).or_default() += load;
                *loads.entry((pair.to, 1, class)).or_default() += load;
            }
        }
        loads.into_values().max().unwrap_or(0)
    }

    /// The load of the pair that has most: a route is not split.
    pub fn loudest(&self) -> u64 {
        self.pairs.iter().map(|pair| pair.load).max().unwrap_or(0)
    }

    /// Pairs whose flows alone load a channel with more than it may carry: they take none.
    pub fn too_loud(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| pair.load > self.most_load)
    }
}
