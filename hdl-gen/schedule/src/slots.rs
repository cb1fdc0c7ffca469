//! Schedules: an h-relation in exactly h slots, each a partial permutation.
//!
//! Sources and sinks are the nodes of a graph, words its edges, and a colouring of the edges gives
//! each word its slot ([`crate::colouring`]). A source sends one word in a slot, so that h is the
//! least there can be. Settings are made slot by slot when asked for: those of all slots together
//! may be more than memory holds.

use crate::colouring::{Colouring, Edge, colour};
use crate::demand::Demand;
use crate::network::Network;
use crate::permutation::{Connection, OtherTerminals, PartialPermutation};
use crate::rearrange::{RearrangeError, rearrange};
use crate::settings::Settings;

/// Schedule: the slot of every word of a demand.
#[derive(Debug, Clone)]
pub struct Schedule {
    network: Network,
    /// By transfer of the demand.
    connections: Vec<Connection>,
    slots: Colouring,
}

/// Reason that there is no schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SlotsError {
    /// A demand between other terminals.
    #[error(transparent)]
    Terminals(#[from] OtherTerminals),
    /// A network that not every permutation passes.
    #[error(transparent)]
    Rearrange(#[from] RearrangeError),
    /// A slot that the schedule does not have.
    #[error("there is no slot {slot}; there are {slots}, counted from 0")]
    Slot {
        /// The slot asked for.
        slot: u32,
        /// Number of slots.
        slots: u32,
    },
}

impl Schedule {
    /// The schedule of a demand on a Beneš network, reduced or not, or a Clos network of m at
    /// least n. It has [`Demand::h`] slots. Time is O(W log W) and space O(W) for W words.
    ///
    /// # Errors
    /// [`SlotsError::Terminals`], [`SlotsError::Rearrange`].
    pub fn new(network: &Network, demand: &Demand) -> Result<Self, SlotsError> {
        OtherTerminals::check(network, demand.terminals())?;
        RearrangeError::check(network)?;
        let transfers = demand.transfers().iter();
        let edges = transfers.map(|t| Edge { left: t.source, right: t.sink, copies: t.words });
        let edges: Vec<Edge> = edges.collect();
        let terminals = demand.terminals();
        let slots = colour(terminals, terminals, &edges).expect("the demand is within the bounds");
        let ends = |edge: &Edge| Connection { source: edge.left, sink: edge.right };
        Ok(Self { network: network.clone(), connections: edges.iter().map(ends).collect(), slots })
    }

    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Number of slots: the demand's h.
    pub fn slots(&self) -> u32 {
        self.slots.colours()
    }

    /// The connections of a slot, by ascending source, each for one word; none where there is no
    /// such slot.
    pub fn connections(&self, slot: u32) -> impl Iterator<Item = Connection> {
        self.slots.class(slot).iter().map(|&index| self.connections[index as usize])
    }

    /// The connections of a slot as a partial permutation.
    ///
    /// # Errors
    /// [`SlotsError::Slot`] where there is no such slot.
    pub fn permutation(&self, slot: u32) -> Result<PartialPermutation, SlotsError> {
        let slots = self.slots();
        if slot >= slots {
            return Err(SlotsError::Slot { slot, slots });
        }
        let of = PartialPermutation::new(self.network.terminals(), self.connections(slot));
        Ok(of.expect("words of one colour do not meet"))
    }

    /// The settings of a slot.
    ///
    /// # Errors
    /// [`SlotsError::Slot`] where there is no such slot.
    pub fn settings(&self, slot: u32) -> Result<Settings, SlotsError> {
        Ok(rearrange(&self.network, &self.permutation(slot)?)?)
    }
}
