//! Property 4: the all-pairs load is balanced, in all and step by step.

use super::{length, routes_from, sources};
use crate::network::Network;
use crate::routing::Output;
use crate::topology::{Node, Port};
use serde::Serialize;

/// Property 4: with one packet for each of the N² ordered pairs, every channel carries the
/// same number of packets.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Balance {
    /// Whether it is so in all.
    pub holds: bool,
    /// The load over whole routes.
    pub total: Load,
    /// Whether it is so at every step by itself.
    pub per_step_holds: bool,
    /// The same with the pairs at the largest distance left out (on the cube: the messages
    /// that have to cross every dimension).
    pub per_step_holds_without_farthest: bool,
    /// The load of each step: the first channel of every route, the second, and so on.
    pub per_step: Vec<StepLoad>,
}

/// The load of the channels.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Load {
    /// Whether every channel carries the same.
    pub balanced: bool,
    /// Packets per channel.
    pub mean: f64,
    /// The channel that carries least (the first of them).
    pub least: ChannelLoad,
    /// The channel that carries most (the first of them).
    pub most: ChannelLoad,
    /// Most by mean: 1 where balanced.
    pub most_by_mean: f64,
}

/// The load of one step.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StepLoad {
    /// The step, counted from 1.
    pub step: u32,
    /// Its load.
    #[serde(flatten)]
    pub load: Load,
}

/// What one channel carries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChannelLoad {
    /// The node that the channel leaves.
    pub from: String,
    /// By which port.
    pub output: String,
    /// How many packets.
    pub packets: u64,
}

/// Packets per (node, port), the nodes being those that stand for all.
struct Loads<'a> {
    network: &'a Network,
    /// (node, port)s that are channels.
    channels: Vec<(Node, Port)>,
}

impl Balance {
    /// Measures it. Where node 0 stands for all, the packets that its routes put on a port,
    /// at any switch, are as many as the channel at that port of any one switch carries.
    pub fn of(network: &Network, diameter: u32) -> Self {
        let topology = network.topology();
        let ports = usize::from(topology.ports());
        let sites = if network.is_invariant() { 1 } else { topology.nodes() };
        let channels: Vec<_> = (0..sites)
            .flat_map(|node| (0..topology.ports()).map(move |port| (Node(node), Port(port))))
            .filter(|&(node, port)| topology.channel(node, port).is_some())
            .collect();
        let loads = Loads { network, channels };
        let none = vec![0u64; sites as usize * ports];
        let (mut steps_all, mut steps_farthest) = (Vec::new(), Vec::new());
        for source in sources(network) {
            let distances = topology.distances(source);
            routes_from(network, source, |destination, steps| {
                let farthest = distances[destination.0 as usize] == diameter;
                while steps_all.len() < length(steps) as usize {
                    steps_all.push(none.clone());
                    steps_farthest.push(none.clone());
                }
                for (i, step) in steps.iter().enumerate() {
                    let Output::Network(port) = step.hop.output else { continue };
                    let site = if sites == 1 { 0 } else { step.node.0 as usize };
                    let channel = site * ports + usize::from(port.0);
                    steps_all[i][channel] += 1;
                    steps_farthest[i][channel] += u64::from(farthest);
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
        let of =
            |&(node, port): &(Node, Port)| packets[node.0 as usize * ports + usize::from(port.0)];
        let describe = |channel: &(Node, Port)| ChannelLoad {
            from: topology.label(channel.0),
            output: topology.port_name(channel.1),
            packets: of(channel),
        };
        let some = "a network has channels";
        // The first of several: `max_by_key` would take the last.
        let least = describe(self.channels.iter().min_by_key(|c| of(c)).expect(some));
        let most = describe(self.channels.iter().rev().max_by_key(|c| of(c)).expect(some));
        let sum: u64 = self.channels.iter().map(of).sum();
        let mean = sum as f64 / self.channels.len() as f64;
        Load {
            balanced: least.packets == most.packets,
            mean,
            most_by_mean: if sum == 0 { 1.0 } else { most.packets as f64 / mean },
            least,
            most,
        }
    }
}
