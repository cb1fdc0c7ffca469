//! The routes of a run: the channels that each packet crosses, one after the other.

use super::Packet;
use crate::traffic::random::Random;
use std::iter::zip;
use turnpike_network::routing::walk::{RouteError, walk};
use turnpike_network::routing::{Draw, Output, Relation};
use turnpike_network::topology::Topology;

/// The routes of all packets. Channels have numbers: node times ports, plus port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Routes {
    /// The channels of all routes, packet by packet.
    links: Vec<u32>,
    /// Index at which each packet's channels begin, and the end of the last.
    bounds: Vec<usize>,
    /// Index at which the channels of each packet's second phase begin; their end where there are
    /// no phases.
    phases: Vec<usize>,
}

/// A part of each route: the whole, or one phase.
#[derive(Clone, Copy, Debug)]
pub struct Spans<'a> {
    links: &'a [u32],
    begin: &'a [usize],
    end: &'a [usize],
}

/// Number of channel numbers on a topology.
pub(super) fn links(topology: &dyn Topology) -> usize {
    topology.nodes() as usize * usize::from(topology.ports())
}

/// Draws of these packets, each by itself.
pub(super) fn independent(
    relation: &Relation,
    packets: &[Packet],
    random: &mut Random,
) -> Vec<Draw> {
    let draw = |_| match relation.is_randomised() {
        true => Draw(random.below(relation.draw_count())),
        false => Draw::NONE,
    };
    packets.iter().map(draw).collect()
}

impl Routes {
    /// The routes of these packets, each with its draw.
    ///
    /// # Errors
    /// A route that does not arrive.
    pub(super) fn of(
        topology: &dyn Topology,
        relation: &Relation,
        packets: &[Packet],
        draws: &[Draw],
    ) -> Result<Self, RouteError> {
        let ports = u32::from(topology.ports());
        let second = relation.second_phase();
        let (mut links, mut bounds, mut phases) = (Vec::new(), vec![0], Vec::new());
        for (packet, &draw) in zip(packets, draws) {
            let mut phase = None;
            walk(topology, relation, packet.source, packet.destination, draw, |step| {
                if let Output::Network(port) = step.hop.output {
                    if second.is_some_and(|vc| step.hop.vc >= vc) {
                        phase = phase.or(Some(links.len()));
                    }
                    links.push(step.node.0 * ports + u32::from(port.0));
                }
            })?;
            phases.push(phase.unwrap_or(links.len()));
            bounds.push(links.len());
        }
        Ok(Self { links, bounds, phases })
    }

    /// Routes of no packets.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        Self { links: Vec::new(), bounds: vec![0], phases: Vec::new() }
    }

    /// Whole routes.
    pub fn whole(&self) -> Spans<'_> {
        Spans {
            links: &self.links,
            begin: &self.bounds[..self.phases.len()],
            end: &self.bounds[1..],
        }
    }

    /// First phases of the routes.
    pub fn first(&self) -> Spans<'_> {
        Spans { end: &self.phases, ..self.whole() }
    }

    /// Second phases of the routes.
    pub fn second(&self) -> Spans<'_> {
        Spans { begin: &self.phases, ..self.whole() }
    }

    /// Index, among all channels, at which each packet's first phase ends.
    pub(super) fn phase_ends(&self) -> &[usize] {
        &self.phases
    }
}

impl<'a> Spans<'a> {
    /// Number of packets.
    pub fn packets(self) -> usize {
        self.begin.len()
    }

    /// The channels that a packet crosses.
    pub fn of(self, packet: usize) -> &'a [u32] {
        &self.links[self.begin[packet]..self.end[packet]]
    }

    /// Number of channels of a packet.
    pub fn length(self, packet: usize) -> usize {
        self.end[packet] - self.begin[packet]
    }

    /// Channels of all packets.
    pub fn hops(self) -> u64 {
        (0..self.packets()).map(|packet| self.length(packet) as u64).sum()
    }

    /// Index, among all channels, at which a packet's begin.
    pub(super) fn begin(self, packet: usize) -> usize {
        self.begin[packet]
    }

    /// Index, among all channels, at which a packet's end.
    pub(super) fn end(self, packet: usize) -> usize {
        self.end[packet]
    }

    /// The channel at this place among all.
    pub(super) fn at(self, place: usize) -> u32 {
        self.links[place]
    }
}
