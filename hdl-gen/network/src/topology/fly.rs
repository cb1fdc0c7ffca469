//! The k-ary n-fly as Dally and Towles draw it (Principles and Practices of Interconnection Networks,
//! 2004, figure 4.1), and BookSim builds it (`fly`): the butterfly of [`super::multistage`], but that
//! neighbouring terminals send into one switch of the first stage.
//!
//! Theirs: input port d of switch i of the first stage is terminal R i + d, and the channels to stage s
//! exchange digits 0 and N - s of the number of a port. So a packet's digit 0 goes where the most
//! significant one was, and with it digit 1 where digit N - 2 was, and so on. In rows that keep their
//! places that is a butterfly in which terminal t sends into the row whose most significant digit is the
//! least one of t, the others following in their order. What goes by the numbers of terminals, such as a
//! named permutation, loads the two unlike.

use super::TopologyKind;
use super::multistage::{BUTTERFLY, Multistage};

/// The entry in the list of topologies.
pub const KIND: TopologyKind = TopologyKind {
    name: "k-ary-n-fly",
    aliases: &["fly"],
    summary: "butterfly whose neighbouring terminals send into one switch, as in Dally and Towles",
    sizes: BUTTERFLY.sizes,
    default_routing: BUTTERFLY.default_routing,
    of_size: |size| Ok(Box::new(Multistage::of(&KIND, size)?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::parameter::{DIM, RADIX};
    use crate::topology::tests::keeps_the_contract;
    use crate::topology::{Local, Node, Port, Size, Terminal, Topology};

    /// Switches, ports and channels of figure 4.1: switch `i` of stage `s`, whose port has the digits of
    /// the switch and, lowest, its own.
    struct Theirs {
        radix: u32,
        stages: u32,
    }

    impl Theirs {
        /// A number with the digits 0 and `at` exchanged.
        fn exchanged(&self, number: u32, at: u32) -> u32 {
            let worth = self.radix.pow(at);
            let [low, high] = [number % self.radix, number / worth % self.radix];
            number - low - high * worth + high + low * worth
        }

        /// The switches of the stages that a packet passes, by destination tag.
        fn route(&self, source: u32, destination: u32) -> Vec<u32> {
            let mut port = source;
            let mut switches = Vec::new();
            for stage in 0..self.stages {
                if stage > 0 {
                    port = self.exchanged(port, self.stages - stage);
                }
                switches.push(port / self.radix);
                let tag = destination / self.radix.pow(self.stages - 1 - stage) % self.radix;
                port = port - port % self.radix + tag;
            }
            assert_eq!(port, destination);
            switches
        }
    }

    /// The switches are theirs: two packets meet at a stage here where they do there.
    #[test]
    fn packets_meet_where_they_do_in_the_figure() {
        for (radix, stages) in [(2, 1), (2, 3), (2, 4), (3, 3), (4, 2)] {
            let network = KIND.build(Size::of([(&DIM, stages), (&RADIX, radix)])).unwrap();
            let fly = Multistage::of_topology(&*network).unwrap();
            keeps_the_contract(&fly);
            let theirs = Theirs { radix, stages };
            // Their switch by ours.
            let mut same = vec![None; fly.nodes() as usize];
            for source in fly.sources() {
                for destination in fly.sinks() {
                    let (mut at, _) = fly.source(source).unwrap();
                    for (stage, switch) in (0..).zip(theirs.route(source.0, destination.0)) {
                        let known = same[at.0 as usize].get_or_insert((stage, switch));
                        assert_eq!(*known, (stage, switch));
                        let worth = radix.pow(stages - 1 - stage);
                        let port = Port((destination.0 / worth % radix) as u8);
                        match fly.channel(at, port) {
                            Some((next, _)) => at = next,
                            None => {
                                let sink = (at, Local(port.0));
                                assert_eq!(fly.sink(destination), Some(sink));
                            }
                        }
                    }
                }
            }
            let mut switches: Vec<(u32, u32)> = same.into_iter().flatten().collect();
            switches.sort_unstable();
            switches.dedup();
            assert_eq!(switches.len() as u32, fly.nodes());
        }
    }

    /// Terminals 0 and 1 send into one switch, as in the figure; in the butterfly 0 and 4 do.
    #[test]
    fn neighbours_share_a_switch_of_the_first_stage() {
        let of = |kind: &TopologyKind| kind.build(Size::of([(&DIM, 3), (&RADIX, 2)])).unwrap();
        let at = |topology: &dyn Topology, terminal| topology.source(Terminal(terminal)).unwrap();
        let (fly, butterfly) = (of(&KIND), of(&BUTTERFLY));
        assert_eq!((at(&*fly, 0), at(&*fly, 1)), ((Node(0), Local(0)), (Node(0), Local(1))));
        let both = (at(&*butterfly, 0), at(&*butterfly, 4));
        assert_eq!(both, ((Node(0), Local(0)), (Node(0), Local(1))));
    }
}
