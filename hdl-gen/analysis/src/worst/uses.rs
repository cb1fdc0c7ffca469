//! Pairs that use each channel, and how often over all draws. Where there are translations, only of
//! the channels that leave orbit representatives.

use super::WorstError;
use super::assignment::Pair;
use crate::symmetry::Symmetry;
use turnpike_network::routing::walk::{RouteError, walk};
use turnpike_network::routing::{Output, Relation};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// Most routes that are walked at a time.
const MOST_ROUTES: u64 = 1 << 28;
/// Most output ports times terminals: two tables of so many numbers.
const MOST_ENTRIES: u64 = 1 << 26;
/// Most pairs of one channel.
pub(super) const MOST_PAIRS: u64 = 1 << 24;

/// The routes of a network.
pub(super) struct Uses<'a> {
    topology: &'a dyn Topology,
    relation: &'a Relation,
    symmetry: &'a Symmetry,
    sources: Vec<Terminal>,
    sinks: Vec<Terminal>,
}

/// Bounds on a channel before an assignment is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    /// Index of the channel: [`Uses::place`].
    pub channel: usize,
    /// Number of pairs that use it.
    pub pairs: u64,
    /// Uses by all pairs, over all draws.
    pub uses: u64,
    /// No permutation uses it more often, over all draws.
    pub bound: u64,
}

impl<'a> Uses<'a> {
    /// Uses of the channels of this network.
    ///
    /// # Errors
    /// [`WorstError`] for more of anything than goes.
    pub fn new(
        topology: &'a dyn Topology,
        relation: &'a Relation,
        symmetry: &'a Symmetry,
    ) -> Result<Self, WorstError> {
        let sources = symmetry.sources(topology);
        let sinks: Vec<Terminal> = topology.sinks().collect();
        let this = Self { topology, relation, symmetry, sources, sinks };
        let draws = u64::from(relation.draw_count());
        let routes = this.sources.len() as u64 * this.sinks.len() as u64 * draws;
        // A route has no more steps than there are nodes and one: a weight fits.
        if routes > MOST_ROUTES || draws * (u64::from(topology.nodes()) + 1) > u32::MAX.into() {
            return Err(WorstError::Routes {
                sources: this.sources.len(),
                sinks: this.sinks.len(),
                draws: relation.draw_count(),
            });
        }
        let (ports, terminals) = (this.places(), topology.terminals());
        if ports as u64 * u64::from(terminals) > MOST_ENTRIES {
            return Err(WorstError::Ports { ports, terminals });
        }
        Ok(this)
    }

    /// Places of channels: every port of every site.
    fn places(&self) -> usize {
        self.symmetry.sites().len() * usize::from(self.topology.ports())
    }

    /// The node that a channel leaves, and by which port.
    pub fn place(&self, channel: usize) -> (Node, Port) {
        let ports = usize::from(self.topology.ports());
        let port = u8::try_from(channel % ports).expect("a port is a byte");
        (self.symmetry.sites()[channel / ports], Port(port))
    }

    /// Calls `visit` with each channel and each pair that uses it, once.
    fn each(&self, mut visit: impl FnMut(usize, Pair)) -> Result<(), RouteError> {
        let ports = usize::from(self.topology.ports());
        let mut counts = vec![0u32; self.topology.nodes() as usize * ports];
        let mut used = Vec::new();
        for &source in &self.sources {
            for &sink in &self.sinks {
                for draw in self.relation.draws() {
                    walk(self.topology, self.relation, source, sink, draw, |step| {
                        let Output::Network(port) = step.hop.output else { return };
                        let at = step.node.0 as usize * ports + usize::from(port.0);
                        if counts[at] == 0 {
                            used.push(at);
                        }
                        counts[at] += 1;
                    })?;
                }
                for at in used.drain(..) {
                    let node = Node((at / ports) as u32);
                    let weight = std::mem::take(&mut counts[at]);
                    let moved = |terminal| match self.symmetry.is_by_translation() {
                        true => self.topology.translate_terminal_back(terminal, node).0,
                        false => terminal.0,
                    };
                    let channel = self.symmetry.index(self.topology, node) * ports + at % ports;
                    visit(channel, Pair { source: moved(source), sink: moved(sink), weight });
                }
            }
        }
        Ok(())
    }

    /// Summaries of every channel that some pair uses.
    ///
    /// # Errors
    /// A route that does not arrive.
    pub fn summaries(&self) -> Result<Vec<Summary>, RouteError> {
        let terminals = self.topology.terminals() as usize;
        // The most that a channel can have of one source, and of one sink.
        let mut of_source = vec![0u32; self.places() * terminals];
        let mut of_sink = of_source.clone();
        let mut totals = vec![(0, 0); self.places()];
        self.each(|channel, Pair { source, sink, weight }| {
            for (table, terminal) in [(&mut of_source, source), (&mut of_sink, sink)] {
                let most = &mut table[channel * terminals + terminal as usize];
                *most = weight.max(*most);
            }
            let (pairs, uses) = &mut totals[channel];
            *pairs += 1;
            *uses += u64::from(weight);
        })?;
        let sum = |table: &[u32], channel: usize| -> u64 {
            let of_all = &table[channel * terminals..(channel + 1) * terminals];
            of_all.iter().map(|&most| u64::from(most)).sum()
        };
        let summary = |(channel, &(pairs, uses)): (usize, &(u64, u64))| Summary {
            channel,
            pairs,
            uses,
            bound: sum(&of_source, channel).min(sum(&of_sink, channel)),
        };
        let used = totals.iter().enumerate().filter(|(_, (pairs, _))| *pairs > 0);
        Ok(used.map(summary).collect())
    }

    /// The pairs of some channels, in their order.
    ///
    /// # Errors
    /// A route that does not arrive.
    pub fn pairs(&self, of: &[Summary]) -> Result<Vec<Vec<Pair>>, RouteError> {
        let mut at: Vec<Option<usize>> = vec![None; self.places()];
        of.iter().enumerate().for_each(|(i, summary)| at[summary.channel] = Some(i));
        let mut pairs: Vec<Vec<Pair>> =
            of.iter().map(|summary| Vec::with_capacity(summary.pairs as usize)).collect();
        self.each(|channel, pair| {
            if let Some(at) = at[channel] {
                pairs[at].push(pair);
            }
        })?;
        Ok(pairs)
    }
}
