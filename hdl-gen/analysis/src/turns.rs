//! The turns that a relation really takes, each with a witness route.

mod of_logic;
mod switch;

pub use switch::{SwitchTurns, Turn, Witness};

use crate::live_bits;
use crate::states::every_step;
use crate::symmetry::Symmetry;
use std::collections::{BTreeMap, BTreeSet};
use turnpike_network::routing::choice::Choice;
use turnpike_network::routing::walk::{RouteError, Step};
use turnpike_network::routing::{Header, Input, Output, Relation, Select, Vc};
use turnpike_network::topology::entering::Entering;
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// The turns of every switch of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turns {
    /// Distinct sets of turns, one per class of switches.
    pub classes: Vec<SwitchTurns>,
    /// The class of each node; empty where all nodes are of class 0.
    class_of: Vec<u32>,
}

impl Turns {
    /// Every turn that some route takes.
    ///
    /// Walks the routes from the sites of `symmetry` only: on a translation-invariant k-cube 2^k
    /// walks, and memory for one switch.
    ///
    /// # Errors
    /// [`RouteError`] where a route does not arrive.
    pub fn enumerate(
        topology: &dyn Topology,
        relation: &Relation,
        symmetry: &Symmetry,
    ) -> Result<Self, RouteError> {
        Self::walk(topology, relation, symmetry, |_| ()).map(|(turns, _)| turns)
    }

    /// Walks all routes and gives the turns, and what [`every_step`] gives; `visit` sees every
    /// step.
    pub(crate) fn walk(
        topology: &dyn Topology,
        relation: &Relation,
        symmetry: &Symmetry,
        mut visit: impl FnMut(&Step),
    ) -> Result<(Self, Option<u32>), RouteError> {
        let (switches, longest) =
            Self::switches(topology, relation, symmetry, |_, step| visit(step))?;
        let turns = Self::classify(switches.into_iter(), topology, relation, symmetry);
        Ok((turns.with_delays(topology), longest))
    }

    /// Turns with the registers of the channels.
    fn with_delays(mut self, topology: &dyn Topology) -> Self {
        if topology.most_delay() == 0 {
            return self;
        }
        for from in topology.all_nodes() {
            for output in (0..topology.ports()).map(Port) {
                let Some((to, input)) = topology.channel(from, output) else { continue };
                let delay = topology.delay(from, output);
                let class = self.class_of(to);
                let most = self.classes[class].delays.entry(Input::Network(input)).or_default();
                *most = delay.max(*most);
            }
        }
        self
    }

    /// Turns switch by switch, none merged; `visit` sees the destinations, too.
    pub(crate) fn switches(
        topology: &dyn Topology,
        relation: &Relation,
        symmetry: &Symmetry,
        mut visit: impl FnMut(Terminal, &Step),
    ) -> Result<(Vec<SwitchTurns>, Option<u32>), RouteError> {
        let mut switches: Vec<_> =
            symmetry.sites().iter().map(|&site| SwitchTurns::at(site)).collect();
        let longest =
            every_step(topology, relation, symmetry, |source, destination, draw, step| {
                visit(destination, step);
                let at = symmetry.index(topology, step.node);
                let turn = Turn {
                    input: step.input,
                    input_vc: step.vc,
                    output: step.hop.output,
                    output_vc: step.hop.vc,
                };
                let witness = Witness { source, destination, draw, at: step.node };
                switches[at].record(turn, step.header, witness);
            })?;
        live_bits::fill(topology, relation, symmetry, &mut switches);
        Ok((switches, longest))
    }

    /// Turns of these classes, with the class of each node.
    pub(crate) fn of_classes(classes: Vec<SwitchTurns>, class_of: Vec<u32>) -> Self {
        Self { classes, class_of }
    }

    /// Merges switches that are built alike: with the same turns, header bits and route logic.
    /// Where their channels end is of no account: what these carry is among the header bits.
    fn classify(
        switches: impl Iterator<Item = SwitchTurns>,
        topology: &dyn Topology,
        relation: &Relation,
        symmetry: &Symmetry,
    ) -> Self {
        let mut classes: Vec<SwitchTurns> = Vec::new();
        let mut known = BTreeMap::new();
        let mut class_of_site = Vec::new();
        for switch in switches {
            let turns: Vec<Turn> = switch.turns.keys().copied().collect();
            let onward = |turn: &Turn| match turn.output {
                Output::Network(port) => {
                    let to = (port, turn.output_vc);
                    Some(relation.carry(switch.site, turn.input, turn.input_vc, to))
                }
                Output::Eject(_) => None,
            };
            let onward: Vec<_> = turns.iter().map(onward).collect();
            let logic: Vec<(Select, Option<Choice>)> = switch
                .queues()
                .map(|(input, vc)| {
                    let choices = relation.choices_of(input, vc);
                    let choice = choices.map(|choices| choices.choice(switch.site, input, vc));
                    (relation.select(switch.site, input, vc), choice)
                })
                .collect();
            let headers = (
                switch.header_masks.clone(),
                switch.stored.clone(),
                switch.received.clone(),
                switch.sent.clone(),
            );
            let key = (turns, onward, logic, headers);
            let class = *known.entry(key).or_insert_with(|| {
                classes.push(switch);
                classes.len() as u32 - 1
            });
            class_of_site.push(class);
        }
        if class_of_site.len() == 1 {
            return Self { classes, class_of: Vec::new() };
        }
        let class = |node| class_of_site[symmetry.index(topology, node)];
        Self { classes, class_of: topology.all_nodes().map(class).collect() }
    }

    /// The class of a node: an index into [`Turns::classes`].
    pub fn class_of(&self, node: Node) -> usize {
        self.class_of.get(node.0 as usize).map_or(0, |&c| c as usize)
    }

    /// The largest number of virtual channels in use on any port.
    pub fn vcs(&self) -> u8 {
        let turns = self.classes.iter().flat_map(|c| c.turns.keys());
        turns.map(|t| t.input_vc.0.max(t.output_vc.0) + 1).max().unwrap_or(1)
    }
}

/// Per queue in use, every header that some route brings into it, at the switches `here`. Memory is
/// linear in the number of distinct headers: meant for small networks.
///
/// # Errors
/// [`RouteError`] where a route does not arrive.
pub fn headers(
    topology: &dyn Topology,
    relation: &Relation,
    symmetry: &Symmetry,
    here: impl Fn(Node) -> bool,
) -> Result<BTreeMap<(Input, Vc), BTreeSet<Header>>, RouteError> {
    let mut found: BTreeMap<(Input, Vc), BTreeSet<Header>> = BTreeMap::new();
    every_step(topology, relation, symmetry, |_, _, _, step| {
        if here(step.node) {
            found.entry((step.input, step.vc)).or_default().insert(step.header);
        }
    })?;
    Ok(found)
}

/// Crosspoints of the full crossbar over the network ports of a switch, (with, without)
/// U-turns: the most of any of the nodes whose channels `entering` knows.
pub fn full_crossbar(topology: &dyn Topology, entering: &Entering) -> (u32, u32) {
    let of_site = |&site: &Node| {
        let outputs = (0..topology.ports()).map(Port);
        let outputs = outputs.filter(|&port| topology.channel(site, port).is_some());
        let inputs = entering.channels(site);
        let pairs: Vec<(Port, Port)> =
            outputs.flat_map(|o| inputs.iter().map(move |i| (i.input, o))).collect();
        let straight = pairs.iter().filter(|(i, o)| !entering.is_u_turn(topology, site, *i, *o));
        (pairs.len() as u32, straight.count() as u32)
    };
    entering.nodes().iter().map(of_site).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_network::routing;
    use turnpike_network::topology::hypercube::Hypercube;

    /// Turns by the translations that a relation keeps, on cubes: those between nodes of one parity under
    /// `random-hop`, all under every other. Relations of many draws are left out.
    #[test]
    fn symmetry_and_exhaustion_find_the_same_turns() {
        for k in 1..=6 {
            for kind in routing::RELATIONS {
                let cube = Hypercube::new(k).unwrap();
                let Ok(relation) = routing::build(kind.name, &cube) else { continue };
                if relation.draw_count() > 1 << 10 {
                    continue;
                }
                let all = Turns::enumerate(&cube, &relation, &Symmetry::none(&cube)).unwrap();
                let (cube, symmetry) = Symmetry::most_of(Box::new(cube), &relation).unwrap();
                assert!(symmetry.is_by_translation(), "{} k={k}", kind.name);
                let by_parity = kind.name == routing::random_hop::KIND.name;
                let wanted = if by_parity { &[Node(0), Node(1)][..] } else { &[Node(0)] };
                assert_eq!(symmetry.sites(), wanted, "{} k={k}", kind.name);
                let sites = wanted.len();
                let one = Turns::enumerate(&*cube, &relation, &symmetry).unwrap();
                assert_eq!((one.classes.len(), all.classes.len()), (sites, sites), "{}", kind.name);
                for node in cube.all_nodes() {
                    let [one, all] = [&one, &all].map(|turns| &turns.classes[turns.class_of(node)]);
                    let turns = |t: &SwitchTurns| t.turns.keys().copied().collect::<Vec<_>>();
                    assert_eq!(turns(one), turns(all));
                    assert_eq!(one.header_masks, all.header_masks);
                }
            }
        }
    }

    #[test]
    fn rotation_meets_the_notes_bound_and_ecube_has_the_same_total() {
        for k in 2..=14u32 {
            let cube = Hypercube::new(k).unwrap();
            let half = (k - 1).div_ceil(2);
            for (name, fan) in [("rotation", half), ("ecube", k - 1)] {
                let relation = routing::build(name, &cube).unwrap();
                let turns =
                    Turns::enumerate(&cube, &relation, &Symmetry::of(&cube, &relation).unwrap())
                        .unwrap();
                let switch = &turns.classes[0];
                assert_eq!(switch.crosspoints().len() as u32, k * (k - 1) / 2, "{name} k={k}");
                assert_eq!(switch.fan_in().values().max(), Some(&fan), "{name} k={k}");
                assert_eq!(switch.fan_out().values().max(), Some(&fan), "{name} k={k}");
            }
        }
    }

    #[test]
    fn witnesses_take_their_turns() {
        let cube = Hypercube::new(5).unwrap();
        let relation = routing::build("rotation", &cube).unwrap();
        let turns =
            Turns::enumerate(&cube, &relation, &Symmetry::of(&cube, &relation).unwrap()).unwrap();
        for (turn, w) in &turns.classes[0].turns {
            let steps =
                routing::walk::route(&cube, &relation, w.source, w.destination, w.draw).unwrap();
            assert!(
                steps.iter().any(|s| s.node == w.at
                    && s.input == turn.input
                    && s.hop.output == turn.output)
            );
        }
    }

    /// Every input by every output, and those that do not lead straight back; the most of the
    /// switches that are asked for.
    #[test]
    fn full_crossbars_count_the_channels_there_are() {
        for k in 1..=6 {
            let cube = Hypercube::new(k).unwrap();
            assert_eq!(
                full_crossbar(&cube, &Entering::at(&cube, &[Node(0)])),
                (k * k, k * (k - 1))
            );
            assert_eq!(full_crossbar(&cube, &Entering::at(&cube, &[])), (0, 0));
        }
        // Two inputs and two outputs at a node of a directed cube of dimension 4, over dimensions
        // of either parity: no turn leads back.
        let directed = turnpike_network::topology::find("directed-cube").unwrap().build(4).unwrap();
        assert_eq!(
            full_crossbar(&*directed, &Entering::at(&*directed, &[Node(0), Node(1)])),
            (4, 4)
        );
        // A failed neighbour takes a channel each way.
        let cube = Box::new(Hypercube::new(4).unwrap());
        let left =
            turnpike_network::topology::failed::Failed::new(cube, &["0001".to_owned()]).unwrap();
        assert_eq!(full_crossbar(&left, &Entering::at(&left, &[Node(0)])), (9, 6));
        assert_eq!(full_crossbar(&left, &Entering::at(&left, &[Node(0), Node(6)])), (16, 12));
    }
}
