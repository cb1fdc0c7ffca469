//! Pairs that use each channel, and how often over all draws. Where there are translations, only of
//! the channels that leave orbit representatives.

use super::WorstError;
use super::assignment::Pair;
use crate::expected::Expected;
use crate::symmetry::Symmetry;
use num_rational::Ratio;
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
    /// `None` where the fractions take numbers beyond 64 bits.
    uniform: Option<Uniform>,
}

/// Uniform traffic: each source sends to each of its destinations with equal odds.
struct Uniform {
    /// Packets to each destination, by the place of the source among the sources.
    packets: Vec<u64>,
    /// Packets of each source.
    whole: u64,
}

impl Uniform {
    /// Traffic of sources with so many destinations each; `None` where no 64 bits count it.
    fn of(destinations: &[u64]) -> Option<Self> {
        let mut distinct: Vec<u64> =
            destinations.iter().copied().filter(|&count| count > 0).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let multiple = |whole: u64, &count| Ratio::new(whole, count).numer().checked_mul(count);
        let whole = distinct.iter().try_fold(1, multiple)?;
        let packets = destinations.iter().map(|&count| whole / count.max(1));
        Some(Self { packets: packets.collect(), whole })
    }
}

/// Bounds on a channel before an assignment is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    /// Index of the channel: [`Uses::place`].
    pub channel: usize,
    /// Number of pairs that use it.
    pub pairs: u64,
    /// Uses by uniform traffic, over all draws: of [`Uses::uniform`] packets of each source.
    pub uses: u128,
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
        let all = topology.sinks().count() as u64;
        let count = |&source: &Terminal| match topology.flows() {
            None => all,
            Some(_) => topology.destinations(source).count() as u64,
        };
        let destinations: Vec<u64> = sources.iter().map(count).collect();
        let uniform = Uniform::of(&destinations);
        let this = Self { topology, relation, symmetry, sources, uniform };
        let draws = u64::from(relation.draw_count());
        let routes = destinations.iter().sum::<u64>() * draws;
        // A route has no more steps than there are nodes and one: a weight fits.
        if routes > MOST_ROUTES || draws * (u64::from(topology.nodes()) + 1) > u32::MAX.into() {
            return Err(WorstError::Routes {
                sources: this.sources.len(),
                sinks: all as usize,
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

    /// Most uses by uniform traffic of any of these channels, of one packet from each source; `None`
    /// where that fraction takes numbers beyond 64 bits.
    pub fn uniform(&self, channels: &[Summary]) -> Option<Expected> {
        let whole = self.uniform.as_ref()?.whole;
        let most = channels.iter().map(|channel| channel.uses).max().unwrap_or(0);
        let over = u128::from(whole) * u128::from(self.relation.draw_count());
        let exact = Ratio::new(most, over);
        let [most, over] = [exact.numer(), exact.denom()].map(|&number| u64::try_from(number).ok());
        Some(Expected::over(most?, over?))
    }

    /// Calls `visit` with each channel and each pair that uses it, once, and the place of the source
    /// among the sources.
    fn each(&self, mut visit: impl FnMut(usize, Pair, usize)) -> Result<(), RouteError> {
        let ports = usize::from(self.topology.ports());
        let mut counts = vec![0u32; self.topology.nodes() as usize * ports];
        let mut used = Vec::new();
        for (place, &source) in self.sources.iter().enumerate() {
            for sink in self.topology.destinations(source) {
                for (draw, alike) in self.relation.unlike_draws(source, sink) {
                    walk(self.topology, self.relation, source, sink, draw, |step| {
                        let Output::Network(port) = step.hop.output else { return };
                        let at = step.node.0 as usize * ports + usize::from(port.0);
                        if counts[at] == 0 {
                            used.push(at);
                        }
                        counts[at] += alike;
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
                    visit(
                        channel,
                        Pair { source: moved(source), sink: moved(sink), weight },
                        place,
                    );
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
        let packets = self.uniform.as_ref().map(|uniform| &uniform.packets);
        self.each(|channel, Pair { source, sink, weight }, place| {
            for (table, terminal) in [(&mut of_source, source), (&mut of_sink, sink)] {
                let most = &mut table[channel * terminals + terminal as usize];
                *most = weight.max(*most);
            }
            let (pairs, uses) = &mut totals[channel];
            *pairs += 1;
            *uses += u128::from(weight) * packets.map_or(0, |packets| packets[place].into());
        })?;
        let sum = |table: &[u32], channel: usize| -> u64 {
            let of_all = &table[channel * terminals..(channel + 1) * terminals];
            of_all.iter().map(|&most| u64::from(most)).sum()
        };
        let summary = |(channel, &(pairs, uses)): (usize, &(u64, u128))| Summary {
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
        self.each(|channel, pair, _| {
            if let Some(at) = at[channel] {
                pairs[at].push(pair);
            }
        })?;
        Ok(pairs)
    }
}
