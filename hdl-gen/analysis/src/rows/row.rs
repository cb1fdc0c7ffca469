//! One row, walked in full: what its routes say of every row of its dimension.

use crate::deadlock::{self, ChannelNumber, DeadlockVerdict};
use crate::states::every_step;
use crate::symmetry::Symmetry;
use crate::turns::{SwitchTurns, Turn, Turns};
use std::collections::BTreeMap;
use turnpike_network::routing::rows::GridRow;
use turnpike_network::routing::walk::{RouteError, Step};
use turnpike_network::routing::{Header, Input, Output, Vc};
use turnpike_network::topology::entering::Entering;
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// Mark, in place of a port, of a packet that leaves the row at a place, in the table of hops by
/// place and destination.
const ENDS: u8 = 2;

/// Analysis of the routes of a row. Places are its nodes.
#[derive(Debug)]
pub(super) struct RowAnalysis {
    /// The turns at each place, with the first routes that take them.
    pub switches: Vec<SwitchTurns>,
    /// The class of each place: places of a class have the same turns and header bits.
    pub class_of: Vec<usize>,
    /// The first place of each class.
    pub first_of: Vec<usize>,
    /// Numbers of its channels that ascend along every route.
    pub numbers: Vec<ChannelNumber>,
    /// Steps of each class: one for each queue, header and hop that there are at some place of it.
    pub steps: Vec<Vec<Step>>,
    /// Channels on the longest route.
    pub longest: u32,
    /// Distances of all pairs, in all.
    pub total: u64,
    /// By place, how many others are so many channels away.
    pub away: Vec<Vec<u64>>,
    /// By channel (place, then port), how many pairs use it as their first channel, second, and so on.
    pub loads: Vec<Vec<u64>>,
    /// Loads of the pairs at the largest distance.
    pub farthest: Vec<Vec<u64>>,
}

impl RowAnalysis {
    /// `None` where a route is no shortest path, or more than place and destination decide it, or
    /// there can be deadlock.
    pub fn of(row: &GridRow) -> Result<Option<Self>, RouteError> {
        let (topology, relation) = (&row.topology, &row.relation);
        let (symmetry, side) = (Symmetry::none(topology), topology.nodes() as usize);
        let mut onward: Vec<Option<u8>> = vec![None; side * side];
        let mut oblivious = true;
        let visit = |destination: Terminal, step: &Step| {
            let to = match step.hop.output {
                Output::Network(port) => port.0,
                Output::Eject(_) => ENDS,
            };
            let known = &mut onward[destination.0 as usize * side + step.node.0 as usize];
            oblivious &= *known.get_or_insert(to) == to;
        };
        let (switches, _) = Turns::switches(topology, relation, &symmetry, visit)?;
        let onward: Option<Vec<u8>> = onward.into_iter().collect();
        let Some(onward) = onward.filter(|_| oblivious) else { return Ok(None) };
        let entering = Entering::of(topology);
        let turns = Turns::of_classes(switches.clone(), (0..side as u32).collect());
        let verdict = deadlock::decide(topology, &entering, &turns, &symmetry, |_| true);
        let DeadlockVerdict::Free(certificate) = verdict else { return Ok(None) };
        let (class_of, first_of) = classes(&switches);
        let Some(ways) = Ways::of(topology, &onward) else { return Ok(None) };
        let mut kept: Vec<BTreeMap<_, Step>> = vec![BTreeMap::new(); first_of.len()];
        every_step(topology, relation, &symmetry, |_, _, _, step| {
            let key = (step.input, step.vc, step.header, step.hop.output, step.hop.vc);
            kept[class_of[step.node.0 as usize]].entry(key).or_insert(*step);
        })?;
        Ok(Some(Self {
            switches,
            class_of,
            first_of,
            numbers: certificate.numbers,
            steps: kept.into_iter().map(|steps| steps.into_values().collect()).collect(),
            longest: ways.longest,
            total: ways.total,
            away: ways.away,
            loads: ways.loads,
            farthest: ways.farthest,
        }))
    }

    /// Number of places.
    pub fn side(&self) -> usize {
        self.switches.len()
    }

    /// Number of pairs that use a channel, in all.
    pub fn load(&self, channel: usize) -> u64 {
        self.loads[channel].iter().sum()
    }

    /// Whether there is this channel.
    pub fn has_channel(&self, channel: usize) -> bool {
        !self.loads[channel].is_empty()
    }

    /// Number of others that are as far away as any in this row.
    pub fn at_the_far_end(&self, place: usize) -> u64 {
        self.away[place].get(self.longest as usize).copied().unwrap_or(0)
    }

    /// The header bits that are ever set in packets that begin in this row.
    pub fn begins(&self) -> Header {
        self.switches[0].header_masks.get(&(Input::INJECT, Vc(0))).copied().unwrap_or(0)
    }

    /// The header bits of this row that a packet that comes to a place, and has not begun in the
    /// row, still needs.
    pub fn needed(&self, place: usize) -> Header {
        self.switches[place].stored.get(&(Input::INJECT, Vc(0))).copied().unwrap_or(0)
    }

    /// Header bits that are needed at any place.
    pub fn needed_anywhere(&self) -> Header {
        (0..self.side()).fold(0, |mask, place| mask | self.needed(place))
    }
}

/// The class of each place, and the first place of each class.
fn classes(switches: &[SwitchTurns]) -> (Vec<usize>, Vec<usize>) {
    let (mut known, mut first_of) = (BTreeMap::new(), Vec::new());
    let class = |(place, switch): (usize, &SwitchTurns)| {
        let turns: Vec<Turn> = switch.turns.keys().copied().collect();
        *known.entry((turns, switch.stored.clone())).or_insert_with(|| {
            first_of.push(place);
            first_of.len() - 1
        })
    };
    let class_of = switches.iter().enumerate().map(class).collect();
    (class_of, first_of)
}

/// Loads of pairs on the channels.
struct Ways {
    longest: u32,
    total: u64,
    away: Vec<Vec<u64>>,
    loads: Vec<Vec<u64>>,
    farthest: Vec<Vec<u64>>,
}

impl Ways {
    /// Loads of the pairs, from the port by which packets leave each place on their way to each
    /// destination; `None` where a route is longer than the distance.
    fn of(topology: &dyn Topology, onward: &[u8]) -> Option<Self> {
        let side = topology.nodes() as usize;
        let places: Vec<Vec<usize>> =
            topology.all_nodes().map(|node| ends(topology, node)).collect();
        let distances: Vec<Vec<u32>> =
            topology.all_nodes().map(|node| topology.distances(node)).collect();
        let longest = *distances.iter().flatten().max()?;
        let of_channels = || -> Vec<Vec<u64>> {
            let there = places.iter().flatten().map(|&end| end < side);
            there.map(|there| vec![0; if there { longest as usize } else { 0 }]).collect()
        };
        let (mut loads, mut farthest) = (of_channels(), of_channels());
        let mut used = vec![0u64; 2 * side];
        for (source, distance) in distances.iter().enumerate() {
            used.fill(0);
            for destination in 0..side {
                let (mut at, mut steps) = (source, 0);
                loop {
                    let port = onward[destination * side + at];
                    if port == ENDS {
                        break;
                    }
                    if steps == distance[destination] {
                        return None;
                    }
                    let channel = 2 * at + usize::from(port);
                    used[channel] += 1;
                    if distance[destination] == longest {
                        farthest[channel][steps as usize] += 1;
                    }
                    at = places[at][usize::from(port)];
                    steps += 1;
                }
            }
            // On a shortest path a channel is as far from the source as its place is.
            for (channel, pairs) in used.iter().enumerate().filter(|(_, pairs)| **pairs > 0) {
                loads[channel][distance[channel / 2] as usize] += pairs;
            }
        }
        let mut away = vec![vec![0; longest as usize + 1]; side];
        for distance in &distances {
            distance.iter().zip(&mut away).for_each(|(&far, away)| away[far as usize] += 1);
        }
        let total = distances.iter().flatten().map(|&distance| u64::from(distance)).sum();
        Some(Self { longest, total, away, loads, farthest })
    }
}

/// Ends of the channels of a place, by port; no place where there is none.
fn ends(topology: &dyn Topology, node: Node) -> Vec<usize> {
    let end = |port| topology.channel(node, Port(port));
    (0..2).map(|port| end(port).map_or(usize::MAX, |(to, _)| to.0 as usize)).collect()
}
