//! Property 4: the all-pairs load is balanced, in all and step by step.

use super::{distances, ends, length, routes_from, sources};
use crate::expected::Expected;
use crate::network::Network;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_network::routing::Output;
use turnpike_network::topology::{Node, Port};

/// Property 4: with one packet for each of the N² ordered pairs, every channel carries the
/// same number of packets; where packets draw, the same mean over the draws.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Balance {
    /// Whether the property holds over all steps together.
    pub holds: bool,
    /// The load over whole routes.
    pub total: Load,
    /// Whether the loads are equal at every step by itself.
    pub per_step_holds: bool,
    /// Whether the loads of each step are equal with the pairs at the largest distance left out (on
    /// the cube: the messages that have to cross every dimension).
    pub per_step_holds_without_farthest: bool,
    /// The load of each step: the first channel of every route, the second, and so on.
    pub per_step: Vec<StepLoad>,
}

/// The load of the channels.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Load {
    /// Whether every channel carries the same number of packets.
    pub balanced: bool,
    /// Mean number of packets of a channel.
    pub mean: f64,
    /// The channel that carries least (the first of them).
    pub least: ChannelLoad,
    /// The channel that carries most (the first of them).
    pub most: ChannelLoad,
    /// Most by mean: 1 where balanced.
    pub most_by_mean: f64,
}

/// The load of one step.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct StepLoad {
    /// The step, counted from 1.
    pub step: u32,
    /// Load of the step.
    #[serde(flatten)]
    pub load: Load,
}

/// Load of one channel; nothing, and no name, where a network is a switch alone.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, JsonSchema)]
pub struct ChannelLoad {
    /// The node that the channel leaves.
    pub from: String,
    /// Output port by which the channel leaves the switch.
    pub output: String,
    /// Number of packets.
    pub packets: Expected,
}

/// A channel of a node that stands for `weight` nodes.
struct OrbitChannel {
    at: usize,
    node: Node,
    port: Port,
    weight: u64,
}

/// Packets per (site, port), over all the nodes that the site stands for.
struct Loads<'a> {
    network: &'a Network,
    channels: Vec<OrbitChannel>,
}

impl Balance {
    /// Measures it. The packets that routes from the sites put on a port at any switch of one
    /// orbit, weighted by how many sources each site stands for, are shared evenly by the
    /// channels at that port of the orbit's switches.
    pub fn of(network: &Network, diameter: u32) -> Self {
        let topology = network.topology();
        let ports = usize::from(topology.ports());
        let symmetry = network.symmetry();
        let sizes = symmetry.orbit_sizes(topology);
        let of_site = |(at, &node)| {
            let weight = sizes[at];
            let there = (0..topology.ports()).map(Port);
            let there = there.filter(move |&port| topology.channel(node, port).is_some());
            there.map(move |port| OrbitChannel { at, node, port, weight })
        };
        let channels = symmetry.sites().iter().enumerate().flat_map(of_site).collect();
        let loads = Loads { network, channels };
        let none = vec![0u64; symmetry.sites().len() * ports];
        let (mut steps_all, mut steps_farthest) = (Vec::new(), Vec::new());
        for (source, weight) in sources(network) {
            let distances = distances(network, source);
            routes_from(network, source, |_, (_, alike), steps| {
                let weight = weight * alike;
                let farthest = distances[ends(steps).1.0 as usize] == diameter;
                while steps_all.len() < length(steps) as usize {
                    steps_all.push(none.clone());
                    steps_farthest.push(none.clone());
                }
                for (i, step) in steps.iter().enumerate() {
                    let Output::Network(port) = step.hop.output else { continue };
                    let site = symmetry.index(topology, step.node);
                    let channel = site * ports + usize::from(port.0);
                    steps_all[i][channel] += weight;
                    steps_farthest[i][channel] += if farthest { weight } else { 0 };
                }
            });
        }
        let mut total = none;
        for step in &steps_all {
            add(&mut total, step);
        }
        let total = loads.load(&total);
        let without_farthest = steps_all.iter().zip(&steps_farthest).all(|(all, farthest)| {
            let rest: Vec<u64> = all.iter().zip(farthest).map(|(a, f)| a - f).collect();
            loads.load(&rest).balanced
        });
        let per_step: Vec<_> = (1..)
            .zip(&steps_all)
            .map(|(step, packets)| StepLoad { step, load: loads.load(packets) })
            .collect();
        Self {
            holds: total.balanced,
            total,
            per_step_holds: per_step.iter().all(|step| step.load.balanced),
            per_step_holds_without_farthest: without_farthest,
            per_step,
        }
    }

    /// Most by mean of the first step, the one that every packet takes. (The last step is of
    /// the farthest pairs alone: on the cube of one packet per switch, whatever the relation.)
    pub fn first_step(&self) -> f64 {
        self.per_step.first().map_or(1.0, |step| step.load.most_by_mean)
    }
}

fn add(total: &mut [u64], more: &[u64]) {
    for (sum, n) in total.iter_mut().zip(more) {
        *sum += n;
    }
}

impl Loads<'_> {
    fn load(&self, packets: &[u64]) -> Load {
        let topology = self.network.topology();
        let ports = usize::from(topology.ports());
        let in_all = |site: &OrbitChannel| packets[site.at * ports + usize::from(site.port.0)];
        let draws = u64::from(self.network.relation().draw_count());
        let of = |site: &OrbitChannel| Expected::over(in_all(site) / site.weight, draws);
        let describe = |site: &OrbitChannel| ChannelLoad {
            from: topology.label(site.node),
            output: topology.port_name(site.port),
            packets: of(site),
        };
        // The first of several: `max_by_key` would take the last.
        let least = self.channels.iter().min_by_key(|c| of(c)).map(describe).unwrap_or_default();
        let most = self.channels.iter().rev().max_by_key(|c| of(c));
        let most = most.map(describe).unwrap_or_default();
        let sum: u64 = self.channels.iter().map(in_all).sum();
        let channels: u64 = self.channels.iter().map(|site| site.weight).sum();
        let mean = sum as f64 / (channels.max(1) * draws) as f64;
        Load {
            balanced: least.packets == most.packets,
            mean,
            most_by_mean: if sum == 0 { 1.0 } else { most.packets.to_f64() / mean },
            least,
            most,
        }
    }
}
