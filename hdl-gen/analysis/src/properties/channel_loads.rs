//! The load of every channel, of packets from all to all or along flows.

use super::{routes_from, sources};
use crate::expected::Expected;
use crate::network::Network;
use rustc_hash::FxHashMap;
use turnpike_network::routing::Output;
use turnpike_network::topology::{Node, Port};

/// Load of one channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CarriedBy {
    /// The node that the channel leaves.
    pub from: Node,
    /// Output port by which the channel leaves the switch.
    pub output: Port,
    /// Number of packets; the mean over the draws, where packets draw.
    pub packets: Expected,
}

/// Loads of all channels, by node and then by port, with one packet for each ordered pair of terminals. They
/// are exact, and those of [`Balance`](super::Balance): packets that choose take the routes that it counts.
/// In a network for flows a packet is a billionth of a flit per cycle, at a load of 1 of the flows
/// ([`turnpike_network::flows::Flows::shares`]).
pub fn channel_loads(network: &Network) -> Vec<CarriedBy> {
    let (topology, symmetry) = (network.topology(), network.symmetry());
    let ports = usize::from(topology.ports());
    let sizes = symmetry.orbit_sizes(topology);
    // Packets on the channels at one port of all the nodes that a site stands for.
    let mut packets = vec![0u64; sizes.len() * ports];
    let shares = topology.flows().map(|flows| {
        let ends = flows.list().iter().map(|flow| (flow.source, flow.destination));
        ends.zip(flows.shares()).collect::<FxHashMap<_, _>>()
    });
    for (source, weight) in sources(network) {
        routes_from(network, source, |destination, (_, alike), steps| {
            let share = shares.as_ref().map_or(weight, |shares| shares[&(source, destination)].0);
            let weight = share * alike;
            for step in steps {
                let Output::Network(port) = step.hop.output else { continue };
                packets[symmetry.index(topology, step.node) * ports + usize::from(port.0)] +=
                    weight;
            }
        });
    }
    let draws = u64::from(network.relation().draw_count());
    let mut all = Vec::new();
    for from in topology.all_nodes() {
        let site = symmetry.index(topology, from);
        for output in (0..topology.ports()).map(Port) {
            if topology.channel(from, output).is_some() {
                let packets = packets[site * ports + usize::from(output.0)] / sizes[site];
                all.push(CarriedBy { from, output, packets: Expected::over(packets, draws) });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::properties::Balance;
    use turnpike_network::topology::{Shape, Size};

    fn network(topology: &str, size: impl Into<Size>, routing: &str) -> Network {
        Network::new(topology, size, Some(routing), None).unwrap()
    }

    /// By hand: a channel of a row carries the packets from nodes on the one side to those on the other.
    #[test]
    fn loads_of_a_mesh_are_those_counted_by_hand() {
        let shape: Shape = "4x3".parse().unwrap();
        let mesh = network("mesh", shape, "dimension-order");
        // X: pairs of columns on both sides, times the 3 rows that a packet may go to.
        let x = |place: u32| f64::from((place + 1) * (3 - place) * 3);
        // Y: pairs of rows, times the 4 columns that a packet may come from.
        let y = |place: u32| f64::from((place + 1) * (2 - place) * 4);
        let topology = mesh.topology();
        let loads = channel_loads(&mesh);
        assert_eq!(loads.len(), 2 * (3 * 3 + 2 * 4));
        for CarriedBy { from, output, packets } in loads {
            let (to, _) = topology.channel(from, output).unwrap();
            let (low, step) = (from.0.min(to.0), from.0.abs_diff(to.0));
            let wanted = if step == 1 { x(low % 4) } else { y(low / 4) };
            assert_eq!(packets.to_f64(), wanted, "{} {}", from.0, to.0);
        }
    }

    /// Odds of the first hop along each dimension, where hops are left along some: of two dimensions each has
    /// half, of more the first half of all has as much as the second, and so on.
    fn odds(left: &[bool], of: f64) -> Vec<f64> {
        let (first, second) = left.split_at(left.len() / 2);
        let is_open = |half: &[bool]| half.contains(&true);
        match (is_open(first), is_open(second)) {
            _ if left.len() == 1 => vec![if left[0] { of } else { 0.0 }],
            (true, true) => [odds(first, of / 2.0), odds(second, of / 2.0)].concat(),
            (true, false) => [odds(first, of), odds(second, 0.0)].concat(),
            (false, _) => [odds(first, 0.0), odds(second, of)].concat(),
        }
    }

    /// A channel of a network whose packets draw each hop carries of each pair what comes to its node, by
    /// the odds of the hops, without routes and draws.
    #[test]
    fn loads_of_drawn_hops_are_those_of_their_odds() {
        let cube = |k: u32| (vec![2; k as usize], network("hypercube", k, "random-hop"));
        let mesh = |sides: &[u32]| {
            let network = network("mesh", Shape::new(sides).unwrap(), "random-hop");
            (sides.iter().map(|&side| side as i32).collect(), network)
        };
        for (sides, network) in [
            mesh(&[4, 4]),
            mesh(&[5, 3]),
            mesh(&[2, 4]),
            mesh(&[3, 2, 2]),
            mesh(&[5, 2, 2]),
            mesh(&[2, 2, 2, 2]),
            cube(3),
            cube(4),
            cube(5),
        ] {
            let mut wanted = std::collections::BTreeMap::new();
            let nodes: i32 = sides.iter().product();
            let strides: Vec<i32> =
                (0..sides.len()).map(|at| sides[..at].iter().product()).collect();
            for (source, end) in (0..nodes).flat_map(|s| (0..nodes).map(move |d| (s, d))) {
                let mut at = std::collections::BTreeMap::from([(source, 1.0f64)]);
                // By distance, as nodes between come from several.
                while !at.is_empty() {
                    let mut next = std::collections::BTreeMap::new();
                    for (node, share) in at {
                        let step = |(&side, &stride): (&i32, &i32)| {
                            stride * (end / stride % side - node / stride % side).signum()
                        };
                        let steps: Vec<i32> = sides.iter().zip(&strides).map(step).collect();
                        let left: Vec<bool> = steps.iter().map(|&step| step != 0).collect();
                        let ways = steps.iter().zip(odds(&left, share));
                        for (step, share) in ways.filter(|(step, _)| **step != 0) {
                            *wanted.entry((node, node + step)).or_insert(0.0) += share;
                            *next.entry(node + step).or_insert(0.0) += share;
                        }
                    }
                    at = next;
                }
            }
            let loads = channel_loads(&network);
            assert_eq!(loads.len(), wanted.len(), "{sides:?}");
            for CarriedBy { from, output, packets } in loads {
                let (to, _) = network.topology().channel(from, output).unwrap();
                let wanted = wanted[&(from.0 as i32, to.0 as i32)];
                assert_eq!(packets.to_f64(), wanted, "{sides:?}");
            }
        }
    }

    /// By symmetry and by exhaustion, with draws and with choices: least, most and mean are those of
    /// the balance.
    #[test]
    fn loads_are_those_of_the_balance() {
        let shape: Shape = "4x4".parse().unwrap();
        for network in [
            network("hypercube", 4, "rotation"),
            network("hypercube", 3, "two-phase"),
            network("torus", shape, "dimension-order"),
            network("mesh", shape, "adaptive"),
            network("ccc", 3, "shortest"),
        ] {
            let loads = channel_loads(&network);
            let total = Balance::of(&network, 1).total;
            let packets = || loads.iter().map(|load| load.packets);
            assert_eq!(packets().min(), Some(total.least.packets));
            assert_eq!(packets().max(), Some(total.most.packets));
            let mean = packets().map(Expected::to_f64).sum::<f64>() / loads.len() as f64;
            assert!((mean - total.mean).abs() < 1e-9, "{mean}, {}", total.mean);
            assert_eq!(loads.len() as u64, network.topology().channels());
        }
    }
}
