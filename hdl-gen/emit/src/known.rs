//! Traffic of the testbench that takes as long as is known beforehand: packets that are alone in
//! the network, and streams that share one link.

use std::collections::{BTreeMap, BTreeSet};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::plan::draw::Generator;
use turnpike_network::routing::walk::{RouteError, route};
use turnpike_network::routing::{Draw, Output, Vc};
use turnpike_network::topology::{Node, Terminal};

/// Packets alone, at most.
const MOST_LONE: u32 = 256;

/// Terminals up to which every pair is looked at for streams.
const MOST_TERMINALS: u32 = 64;

/// Links that are shared by streams, at most.
const MOST_GROUPS: u32 = 16;

/// Routes per virtual channel that are tried for a set of streams.
const MOST_TRIED: usize = 64;

/// Packets that are alone in the network, one after the other. The testbench draws the pairs by
/// the same formula: `at = number * stride`, from `at % terminals` to
/// `(at / terminals + at) % terminals`.
pub(super) struct Lone {
    /// Number of pairs.
    pub packets: u32,
    /// From one to the next: the pairs are in the order of the formula.
    pub stride: u32,
    /// Cycles from the acceptance of the first beat to `tvalid`, of all of them together.
    pub latency: u64,
}

impl Lone {
    /// Lone packets of a fabric.
    ///
    /// # Errors
    /// A route that does not arrive.
    pub fn of(plan: &FabricPlan) -> Result<Self, RouteError> {
        let (topology, relation) = (plan.topology(), plan.relation());
        let terminals = topology.terminals();
        let pairs = terminals * terminals;
        let (packets, stride) = (pairs.min(MOST_LONE), (pairs / MOST_LONE) | 1);
        let mut latency = 0;
        // Each terminal's from the reset before on.
        let mut generators: BTreeMap<Terminal, Generator> = BTreeMap::new();
        for at in (0..packets).map(|number| number * stride) {
            let (source, destination) =
                (Terminal(at % terminals), Terminal((at / terminals + at) % terminals));
            if topology.sends_to(source, destination) {
                let draw = drawn(plan, &mut generators, source);
                let route = route(topology, relation, source, destination, draw)?;
                latency += u64::from(plan.route_latency(&route));
            }
        }
        Ok(Self { packets, stride, latency })
    }
}

/// Draw of a terminal for its next packet.
fn drawn(
    plan: &FabricPlan,
    generators: &mut BTreeMap<Terminal, Generator>,
    source: Terminal,
) -> Draw {
    let Some(fresh) = plan.generator(source) else { return Draw::NONE };
    let generator = generators.entry(source).or_insert(fresh);
    let draw = generator.draw();
    generator.step();
    draw
}

/// A source that sends without pause to one destination, while the others of its group do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stream {
    /// Number of the link that the stream shares.
    pub group: u32,
    /// Source of the stream.
    pub source: Terminal,
    /// Destination of the stream.
    pub destination: Terminal,
}

/// Streams that meet on one link, each on a virtual channel of its own, and nowhere else. There
/// is a link of each kind: an output with several virtual channels of a class of switches.
pub(super) struct Streams {
    /// By group.
    pub all: Vec<Stream>,
    /// Most cycles from a packet's first beat on offer to its last at the sink: what it takes
    /// where each of the streams has its turn flit by flit.
    pub oldest: u32,
    /// Packets of each stream: so many that a packet is too old that waits for all of another's.
    pub packets: u32,
}

impl Streams {
    /// Streams of a fabric, for packets of `beats`. There are none where packets choose or draw
    /// their routes, nor in large networks.
    ///
    /// # Errors
    /// A route that does not arrive.
    pub fn of(plan: &FabricPlan, beats: u32) -> Result<Self, RouteError> {
        let mut all = Vec::new();
        let (mut group, mut most) = (0, 0);
        for by_vc in candidates(plan)?.into_values().filter(|by_vc| by_vc.len() > 1) {
            let by_vc: Vec<Vec<Route>> = by_vc.into_values().collect();
            let Some(chosen) = apart(&by_vc).filter(|_| group < MOST_GROUPS) else { continue };
            most = most.max(chosen.len() as u32);
            all.extend(chosen.into_iter().map(|&Route { source, destination, .. }| Stream {
                group,
                source,
                destination,
            }));
            group += 1;
        }
        let longest = plan.longest_route();
        // Of each stream a packet and what stands in the queues before it, its own once more, the
        // way, and what the ends of packets cost.
        let queues = plan.most_held() * (longest + 1);
        let oldest = most * (beats + queues) + beats + plan.most_latency(longest) + 16;
        Ok(Self { all, oldest, packets: oldest / beats + 3 })
    }
}

/// A route over a link that streams are to share.
struct Route {
    source: Terminal,
    destination: Terminal,
    /// Other channels that the route takes, and its terminals.
    others: BTreeSet<Place>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Source(Terminal),
    Channel(Node, Output),
}

/// By link and virtual channel: routes, the shortest first. One link of each kind.
type Candidates = BTreeMap<(Node, Output), BTreeMap<Vc, Vec<Route>>>;

fn candidates(plan: &FabricPlan) -> Result<Candidates, RouteError> {
    let (topology, relation) = (plan.topology(), plan.relation());
    let mut found = Candidates::new();
    if !plan.keeps_order() || topology.terminals() > MOST_TERMINALS {
        return Ok(found);
    }
    let sites: BTreeSet<Node> = plan.network().turns().classes.iter().map(|c| c.site).collect();
    for source in topology.sources() {
        for destination in topology.destinations(source) {
            let steps = route(topology, relation, source, destination, Draw::NONE)?;
            for (at, step) in steps.iter().enumerate().filter(|(_, s)| sites.contains(&s.node)) {
                let Output::Network(_) = step.hop.output else { continue };
                let others = steps.iter().enumerate().filter(|&(other, _)| other != at);
                let others = others.map(|(_, s)| Place::Channel(s.node, s.hop.output));
                let others = others.chain([Place::Source(source)]).collect();
                let by_vc = found.entry((step.node, step.hop.output)).or_default();
                let shared = Route { source, destination, others };
                by_vc.entry(step.hop.vc).or_default().push(shared);
            }
        }
    }
    for routes in found.values_mut().flat_map(BTreeMap::values_mut) {
        routes.sort_by_key(|route| (route.others.len(), route.source, route.destination));
        routes.truncate(MOST_TRIED);
    }
    Ok(found)
}

/// A route per virtual channel, no two of which meet elsewhere; `None` where none are found.
fn apart(by_vc: &[Vec<Route>]) -> Option<Vec<&Route>> {
    fn extend<'a>(by_vc: &'a [Vec<Route>], chosen: &mut Vec<&'a Route>) -> bool {
        let Some(routes) = by_vc.get(chosen.len()) else { return true };
        for route in routes {
            if chosen.iter().all(|other| other.others.is_disjoint(&route.others)) {
                chosen.push(route);
                if extend(by_vc, chosen) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }
    let mut chosen = Vec::new();
    extend(by_vc, &mut chosen).then_some(chosen)
}
