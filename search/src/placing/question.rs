//! The question: terminals with flows between them, and the places that a network has for them.

use std::collections::BTreeMap;
use turnpike_base::numbers::gcd;

/// The most places of a question.
pub const MOST_PLACES: usize = 256;

/// Flow between two terminals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flow {
    /// Number of the terminal that sends.
    pub from: usize,
    /// Number of the terminal that receives.
    pub to: usize,
    /// Cost of each channel: the bandwidth in billionths of a flit per cycle.
    pub weight: u64,
    /// The most channels between the two; `u32::MAX` where any number will do.
    pub most_channels: u32,
}

/// Terminals, flows and places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// Number of channels of a shortest path from each place to each other; `u32::MAX` where there is none.
    channels: Vec<Vec<u32>>,
    /// The flows, one for each pair, weights in units.
    flows: Vec<Flow>,
    /// By terminal and place, whether the terminal may be there.
    allowed: Vec<Vec<bool>>,
    /// Unit of the weights: what divides all of them.
    unit: u64,
    /// By terminal, the numbers of its flows.
    of_terminal: Vec<Vec<usize>>,
    /// Cost of what must not be, in units: more than any placement costs otherwise.
    forbidden: i64,
}

/// A question that cannot be put.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlacingError {
    /// Fewer places than terminals.
    #[error("{terminals} terminals, and the network has {places} places")]
    Few {
        /// Number of terminals.
        terminals: usize,
        /// Number of places.
        places: usize,
    },
    /// More than is searched.
    #[error("{0} places are more than the {MOST_PLACES} that are searched")]
    Many(usize),
    /// Bandwidths whose sum is more than can be counted.
    #[error("bandwidths times channels come to more than 2^60; round the bandwidths")]
    Large,
}

impl Question {
    /// The question of these flows, on places with so many channels between them. Terminal i may be at
    /// place p where `allowed[i][p]`.
    ///
    /// # Errors
    /// [`PlacingError`].
    pub fn new(
        channels: Vec<Vec<u32>>,
        flows: &[Flow],
        allowed: Vec<Vec<bool>>,
    ) -> Result<Self, PlacingError> {
        let (terminals, places) = (allowed.len(), channels.len());
        if terminals > places {
            return Err(PlacingError::Few { terminals, places });
        }
        if places > MOST_PLACES {
            return Err(PlacingError::Many(places));
        }
        let mut merged: BTreeMap<(usize, usize), Flow> = BTreeMap::new();
        for flow in flows {
            let entry = merged.entry((flow.from, flow.to));
            let own = entry.or_insert(Flow { weight: 0, ..*flow });
            own.weight = own.weight.checked_add(flow.weight).ok_or(PlacingError::Large)?;
            own.most_channels = own.most_channels.min(flow.most_channels);
        }
        let unit = merged.values().fold(0, |unit, flow| gcd(unit, flow.weight));
        let unit = unit.max(1);
        let flows: Vec<Flow> =
            merged.into_values().map(|flow| Flow { weight: flow.weight / unit, ..flow }).collect();
        let reached = channels.iter().flatten().filter(|&&channels| channels != u32::MAX);
        let farthest = u128::from(reached.max().copied().unwrap_or(0));
        let most = flows.iter().map(|flow| u128::from(flow.weight) * farthest).sum::<u128>();
        // A bound sums twice what each terminal costs.
        let room = (1 << 60) / (4 * (flows.len() + terminals) as u128 + 4);
        if most >= room || most * u128::from(unit) >= 1 << 63 {
            return Err(PlacingError::Large);
        }
        let mut of_terminal = vec![Vec::new(); terminals];
        for (number, flow) in flows.iter().enumerate() {
            of_terminal[flow.from].push(number);
            if flow.to != flow.from {
                of_terminal[flow.to].push(number);
            }
        }
        Ok(Self { channels, flows, allowed, unit, of_terminal, forbidden: most as i64 + 1 })
    }

    /// Number of terminals.
    pub fn terminals(&self) -> usize {
        self.allowed.len()
    }

    /// Number of places.
    pub fn places(&self) -> usize {
        self.channels.len()
    }

    /// Number of pairs of terminals with a flow.
    pub fn pairs(&self) -> usize {
        self.flows.len()
    }

    /// Channels from one place to another.
    pub(super) fn channels(&self, from: usize, to: usize) -> u32 {
        self.channels[from][to]
    }

    /// The flows, one for each pair of terminals, weights in units.
    pub(super) fn flows(&self) -> &[Flow] {
        &self.flows
    }

    /// Flows of a terminal.
    pub(super) fn of_terminal(&self, terminal: usize) -> impl Iterator<Item = &Flow> {
        self.of_terminal[terminal].iter().map(|&number| &self.flows[number])
    }

    /// Whether a terminal may be at a place.
    pub(super) fn is_allowed(&self, terminal: usize, place: usize) -> bool {
        self.allowed[terminal][place]
    }

    /// Number of places where a terminal may be.
    pub(super) fn choices(&self, terminal: usize) -> usize {
        self.allowed[terminal].iter().filter(|allowed| **allowed).count()
    }

    /// Cost of what must not be, in units.
    pub(super) fn forbidden(&self) -> i64 {
        self.forbidden
    }

    /// Cost of a flow between two places, in units.
    pub(super) fn flow_cost(&self, flow: &Flow, from: usize, to: usize) -> i64 {
        let channels = self.channels[from][to];
        if channels == u32::MAX || channels > flow.most_channels {
            return self.forbidden;
        }
        flow.weight as i64 * i64::from(channels)
    }

    /// Cost of a placement in units, at least [`Question::forbidden`] where it answers the question not.
    pub(super) fn in_units(&self, places: &[usize]) -> i64 {
        let flows = self.flows.iter();
        let flows = flows.map(|flow| self.flow_cost(flow, places[flow.from], places[flow.to]));
        let wrong = (0..).zip(places).filter(|&(at, &place)| !self.allowed[at][place]).count();
        flows.sum::<i64>() + self.forbidden * wrong as i64
    }

    /// Cost of so many units: billionths of a flit per cycle, times channels.
    pub(super) fn of_units(&self, units: i64) -> u64 {
        units as u64 * self.unit
    }

    /// Cost of a placement: the sum over the flows of bandwidth (in billionths of a flit per cycle) times
    /// channels. `None` where a terminal is at a place where it must not be, two are at one, or a flow takes
    /// more channels than it may.
    pub fn cost(&self, places: &[usize]) -> Option<u64> {
        let mut own = places.to_vec();
        own.sort_unstable();
        own.dedup();
        let units = self.in_units(places);
        (own.len() == self.terminals() && units < self.forbidden).then(|| self.of_units(units))
    }
}
