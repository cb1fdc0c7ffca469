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
        routes_from(network, source, |destination, _, steps| {
            let weight = shares.as_ref().map_or(weight, |shares| shares[&(source, destination)].0);
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

    /// A channel of a network whose packets draw each hop carries of each pair what comes to its node,
    /// halved where both dimensions are left: by the odds of the hops, without routes and draws.
    #[test]
    fn loads_of_drawn_hops_are_those_of_their_odds() {
        for (width, height) in [(4, 4), (5, 3), (2, 4)] {
            let shape: Shape = format!("{width}x{height}").parse().unwrap();
            let mesh = network("mesh", shape, "random-hop");
            let mut wanted = std::collections::BTreeMap::new();
            let nodes = width * height;
            for (source, end) in (0..nodes).flat_map(|s| (0..nodes).map(move |d| (s, d))) {
                let mut at = std::collections::BTreeMap::from([(source, 1.0f64)]);
                while let Some((node, odds)) = at.pop_first() {
                    if node == end {
                        continue;
                    }
                    let way = |from: i32, to: i32, by: i32| by * (to - from).signum();
                    let steps =
                        [way(node % width, end % width, 1), way(node / width, end / width, width)];
                    let open = steps.iter().filter(|&&step| step != 0);
                    let each = odds / open.clone().count() as f64;
                    for step in open {
                        *wanted.entry((node, node + step)).or_insert(0.0) += each;
                        *at.entry(node + step).or_insert(0.0) += each;
                    }
                }
            }
            let loads = channel_loads(&mesh);
            assert_eq!(loads.len(), wanted.len());
            for CarriedBy { from, output, packets } in loads {
                let (to, _) = mesh.topology().channel(from, output).unwrap();
                assert_eq!(packets.to_f64(), wanted[&(from.0 as i32, to.0 as i32)]);
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
