//! The channels of a fabric that could wait for each other in a cycle.

use super::network::Channel;
use std::collections::BTreeMap;
use turnpike_analysis::deadlock::DeadlockVerdict;
use turnpike_analysis::network::Network;

pub struct DrawnCycle {
    /// Channels of the cycle, each with its places in the cycle and the packet that holds it there.
    pub channels: BTreeMap<Channel, String>,
    /// Meaning of the cycle, in lines.
    pub legend: Vec<String>,
}

impl DrawnCycle {
    /// The cycle in which packets of a network can wait; or, where there is none, that of one
    /// virtual channel alone, where more keep packets from it.
    pub fn of(network: &Network) -> Option<Self> {
        let cycle = network.single_vc_cycle()?;
        let (topology, relation) = (network.topology(), network.relation());
        let count = cycle.channels.len();
        let one = if relation.chooses_ports() { "escape channel" } else { "virtual channel" };
        let legend = match network.verdict() {
            DeadlockVerdict::Cyclic(_) => vec![
                format!("Deadlock: packets can each hold one of the {count} red channels"),
                "and wait for the next one.".to_owned(),
            ],
            DeadlockVerdict::Free(_) => vec![
                format!("With one {one} packets could each hold one of the {count} red channels"),
                format!(
                    "and wait for the next one: {} virtual channels break the cycle.",
                    relation.vcs()
                ),
            ],
        };
        let mut channels: BTreeMap<Channel, String> = BTreeMap::new();
        for (channel, place) in cycle.channels.iter().zip(1..) {
            let [source, destination] =
                [channel.source, channel.destination].map(|end| topology.terminal_label(end));
            let says = format!(
                "channel {place} of {count} of the cycle, vc {}, held by a packet from {source} to \
                 {destination}",
                channel.vc.0
            );
            let all = channels.entry((channel.from, channel.output)).or_default();
            if !all.is_empty() {
                all.push_str("; ");
            }
            all.push_str(&says);
        }
        Some(Self { channels, legend })
    }
}
