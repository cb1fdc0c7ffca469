//! Turns that the route logic of the switches allows: those that packets take are among them. No route is
//! walked, so that their cost is that of the switches and not that of the pairs.

use super::{SwitchTurns, Turn, Turns, Witness};
use crate::symmetry::Symmetry;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use turnpike_base::bits::low_bits;
use turnpike_network::routing::choice::{ADAPTIVE_VC, ChosenWay};
use turnpike_network::routing::{Draw, Header, Input, Output, Relation, RouteDecision, Select, Vc};
use turnpike_network::topology::{Node, Structure, Terminal, Topology, sinks_at};

/// Queue of a switch.
type Queue = (Node, Input, Vc);

/// Witness in place of that of a route: nobody looks at those of turns that no route was walked for.
const NO_ROUTE: Witness =
    Witness { source: Terminal(0), destination: Terminal(0), draw: Draw::NONE, at: Node(0) };

impl Turns {
    /// Turns that packets take, and maybe others: from every queue that the logic of the switches lets a
    /// packet come to, each that the logic of the queue can decide on. Of a header it is known which bits may be
    /// set, and no more.
    ///
    /// There are no witnesses. Time and memory are linear in the turns. `None` where the logic says too little:
    /// of other networks than cubes, grids and trees, and where it looks routes or destinations up, packets move
    /// from virtual channel to virtual channel, or they draw other things than a terminal.
    pub(crate) fn of_logic(topology: &dyn Topology, relation: &Relation) -> Option<Self> {
        // Elsewhere it may lead to where no packet comes, such as the middle of a Clos network.
        if !matches!(
            topology.structure(),
            Structure::Cube | Structure::Grid(_) | Structure::Tree(_)
        ) {
            return None;
        }
        // Of other draws than those of a terminal the header holds bits that say where no packet goes.
        if relation.is_randomised() && relation.phases().is_none() {
            return None;
        }
        let masks = masks(topology, relation)?;
        let mut queues: Vec<Vec<(Input, Vc, Header)>> =
            vec![Vec::new(); topology.all_nodes().count()];
        for (&(node, input, vc), &mask) in &masks {
            queues[node.0 as usize].push((input, vc, mask));
        }
        let nodes = topology.all_nodes().zip(queues);
        let switches =
            nodes.map(|(node, queues)| of_switch(topology, relation, node, queues, &masks));
        let turns = Self::classify(switches, topology, relation, &Symmetry::none(topology));
        Some(turns.with_delays(topology))
    }
}

/// Header bits that may be set, by queue that packets may come to: the least such that every step from a queue
/// keeps to it. `None` as for [`Turns::of_logic`].
fn masks(topology: &dyn Topology, relation: &Relation) -> Option<FxHashMap<Queue, Header>> {
    let mut masks = FxHashMap::default();
    let mut open = Vec::new();
    for (node, input) in topology.sources().filter_map(|source| Input::of(topology, source)) {
        let queue = (node, input, ADAPTIVE_VC);
        masks.insert(queue, low_bits(relation.header_bits(input)));
        open.push(queue);
    }
    while let Some(queue) = open.pop() {
        let (node, input, vc) = queue;
        if relation.select(node, input, vc).is_table() {
            return None;
        }
        for way in ways(topology, relation, queue, masks[&queue]) {
            let Way { output, vc: output_vc, mask } = way;
            let Output::Network(port) = output else { continue };
            // Packets leave a phase, or adaptive channels, for good. How often others move on the logic does not say.
            let leaves = relation.chooses_ports() && relation.is_chosen(vc)
                || relation.second_phase().is_some_and(|later| vc < later && output_vc >= later);
            let [from, to] = [vc, output_vc].map(|vc| relation.resource_class(vc));
            let climbs = from != to && !input.is_inject() && !leaves;
            if output_vc.0 >= relation.vcs() || climbs {
                return None;
            }
            let Some((to, arrives)) = topology.channel(node, port) else { continue };
            let next = (to, Input::Network(arrives), output_vc);
            let carried = relation.carry(node, input, vc, (port, output_vc)).may_set(mask);
            let (known, is_new) = match masks.entry(next) {
                Entry::Vacant(entry) => (entry.insert(0), true),
                Entry::Occupied(entry) => (entry.into_mut(), false),
            };
            if is_new || carried & !*known != 0 {
                *known |= carried;
                open.push(next);
            }
        }
    }
    Some(masks)
}

/// Step that a packet may take from a queue.
struct Way {
    output: Output,
    vc: Vc,
    /// Header bits that may be set in a packet that takes it, before the update.
    mask: Header,
}

/// Steps that a packet of a queue may take of whose header no bit outside `mask` is set.
fn ways(topology: &dyn Topology, relation: &Relation, queue: Queue, mask: Header) -> Vec<Way> {
    let (node, input, vc) = queue;
    let select = relation.select(node, input, vc);
    let is_numbered = matches!(select, Select::Concentrated { .. });
    let choices = relation.choices_of(input, vc);
    let choice = choices.map(|choices| choices.choice(node, input, vc));
    let mut ways = Vec::new();
    for (RouteDecision { output, vc: named }, mask) in select.ways_within(mask) {
        let vc = named.unwrap_or_else(|| relation.output_vc(node, input, vc, output));
        match output {
            Output::Eject(_) if is_numbered => {
                let locals = sinks_at(topology, node).filter_map(|sink| topology.sink(sink));
                ways.extend(locals.map(|(_, local)| Way {
                    output: Output::Eject(local),
                    vc,
                    mask,
                }));
            }
            Output::Eject(_) => ways.push(Way { output, vc, mask }),
            Output::Network(port) => {
                let chosen = choice.iter().flat_map(|choice| &choice.ways);
                let beside = chosen.filter(|way| (way.port, way.routed()) == (port, Some(vc)));
                let mut vcs: Vec<Vc> = beside.map(|way| way.vc).collect();
                vcs.extend(Some(vc).filter(|_| vcs.is_empty()));
                ways.extend(vcs.into_iter().map(|vc| Way { output, vc, mask }));
            }
        }
    }
    if let Some(choice) = choice {
        let is_open = |way: &&ChosenWay| {
            let conditions = way.when.conditions();
            choice.all_if.is_some() || conditions.iter().any(|when| when.within(mask).is_some())
        };
        let chosen = choice.ways.iter().filter(is_open);
        ways.extend(chosen.map(|way| Way { output: Output::Network(way.port), vc: way.vc, mask }));
    }
    ways.retain(|way| match way.output {
        Output::Network(port) => topology.channel(node, port).is_some(),
        Output::Eject(local) => topology.sink_at(node, local).is_some(),
    });
    ways
}

/// Switch with these queues, which store and send every header bit that may be set.
fn of_switch(
    topology: &dyn Topology,
    relation: &Relation,
    node: Node,
    queues: Vec<(Input, Vc, Header)>,
    masks: &FxHashMap<Queue, Header>,
) -> SwitchTurns {
    let mut switch = SwitchTurns::at(node);
    for (input, input_vc, mask) in queues {
        switch.header_masks.insert((input, input_vc), mask);
        *switch.received.entry(input).or_default() |= mask;
        for Way { output, vc, .. } in ways(topology, relation, (node, input, input_vc), mask) {
            switch.turns.insert(Turn { input, input_vc, output, output_vc: vc }, NO_ROUTE);
            let Output::Network(port) = output else { continue };
            let end = topology.channel(node, port);
            let there = end.and_then(|(to, input)| masks.get(&(to, Input::Network(input), vc)));
            *switch.sent.entry(port).or_default() |= there.copied().unwrap_or(0);
        }
    }
    switch.stored = switch.header_masks.clone();
    switch
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::states::every_step;
    use std::collections::BTreeSet;
    use turnpike_network::routing::walk::Step;
    use turnpike_network::routing::{RELATIONS, build};
    use turnpike_network::topology::TOPOLOGIES;

    /// Routes that are walked of a network.
    const MOST_ROUTES: u64 = 1 << 14;

    /// Turns and header bits of every step of all routes are among those of the logic, and queues and outputs
    /// are the same, so that what a run says of them is. Of some relations there are no other turns.
    #[test]
    fn what_packets_do_is_among_what_the_logic_allows() {
        let (mut exact, mut known) = (BTreeSet::new(), BTreeSet::new());
        for kind in TOPOLOGIES {
            for size in kind.sizes.small() {
                for name in RELATIONS.iter().map(|relation| relation.name) {
                    let topology = kind.build(size).unwrap();
                    let Ok(relation) = build(name, &*topology) else { continue };
                    let pairs = u64::from(topology.terminals()).pow(2);
                    if pairs * u64::from(relation.draw_count()) > MOST_ROUTES {
                        continue;
                    }
                    let Some(allowed) = Turns::of_logic(&*topology, &relation) else { continue };
                    known.insert((kind.name, name));
                    let mut taken = BTreeSet::new();
                    let all = Symmetry::none(&*topology);
                    every_step(&*topology, &relation, &all, |_, _, _, step| {
                        let Step { node, input, vc: input_vc, header, hop } = *step;
                        let switch = &allowed.classes[allowed.class_of(node)];
                        let (output, output_vc) = (hop.output, hop.vc);
                        let turn = Turn { input, input_vc, output, output_vc };
                        let at = format!("{} {size} {name}: {step:?}", kind.name);
                        assert!(switch.turns.contains_key(&turn), "{at}");
                        assert_eq!(header & !switch.header_masks[&(input, input_vc)], 0, "{at}");
                        taken.insert((node, turn));
                    })
                    .unwrap();
                    let of = |node| allowed.classes[allowed.class_of(node)].turns.keys();
                    let all: BTreeSet<(Node, Turn)> = topology
                        .all_nodes()
                        .flat_map(|node| of(node).map(move |&turn| (node, turn)))
                        .collect();
                    let at = format!("{} {size} {name}", kind.name);
                    assert_eq!(ports(&taken), ports(&all), "{at}");
                    if all == taken {
                        exact.insert((kind.name, name));
                    }
                }
            }
        }
        for as_good in [
            ("hypercube", "ecube"),
            ("hypercube", "two-phase"),
            ("hypercube", "adaptive"),
            ("mesh", "dimension-order"),
            ("mesh", "two-phase"),
            ("fat-tree", "up-down"),
        ] {
            assert!(exact.contains(&as_good), "{as_good:?} is not in {exact:?}");
        }
        for says_too_little in [("slim-fly", "shortest"), ("dccc", "two-stage")] {
            assert!(!known.contains(&says_too_little), "{known:?}");
        }
    }

    /// The queues and the (output, VC)s of turns.
    fn ports(turns: &BTreeSet<(Node, Turn)>) -> [BTreeSet<(Node, String)>; 2] {
        let queue =
            |(node, turn): &(Node, Turn)| (*node, format!("{:?}", (turn.input, turn.input_vc)));
        let output =
            |(node, turn): &(Node, Turn)| (*node, format!("{:?}", (turn.output, turn.output_vc)));
        [turns.iter().map(queue).collect(), turns.iter().map(output).collect()]
    }
}
