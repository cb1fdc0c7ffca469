//! Turn models: just the turns that the papers leave, no cycle on one virtual channel, and a cycle
//! with any one turn more.

use std::collections::BTreeSet;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::routing::Draw;
use turnpike_network::routing::turn_model::{
    EAST, Forbidden, NORTH, SOUTH, Turn, WEST, negative_first, north_last, odd_even, turn_model,
    west_first,
};
use turnpike_network::routing::{Input, Output, Vc, walk};
use turnpike_network::topology::grid::{Direction, Grid};
use turnpike_network::topology::{self, Node, Port, Shape, Size, Terminal, Topology};

const DIRECTIONS: [Direction; 4] = [EAST, WEST, NORTH, SOUTH];

/// A model, and what the papers say that it forbids in columns of even X and of odd X. East is to
/// higher X, north to higher Y, as in both papers.
struct Model {
    name: &'static str,
    even: &'static [Turn],
    odd: &'static [Turn],
    built: Forbidden,
}

/// Glass and Ni, The Turn Model for Adaptive Routing, JACM 41(5), 1994: west-first forbids the two
/// turns to the west, north-last the two turns of a packet that goes north, negative-first the two
/// from a positive direction to a negative one. Chiu, The Odd-Even Turn Model for Adaptive Routing,
/// IEEE TPDS 11(7), 2000, rules 1 and 2: no EN and no ES turn in an even column, no NW and no SW
/// turn in an odd one.
const MODELS: &[Model] = &[
    Model {
        name: "west-first",
        even: &[(NORTH, WEST), (SOUTH, WEST)],
        odd: &[(NORTH, WEST), (SOUTH, WEST)],
        built: west_first::FORBIDDEN,
    },
    Model {
        name: "north-last",
        even: &[(NORTH, EAST), (NORTH, WEST)],
        odd: &[(NORTH, EAST), (NORTH, WEST)],
        built: north_last::FORBIDDEN,
    },
    Model {
        name: "negative-first",
        even: &[(NORTH, WEST), (EAST, SOUTH)],
        odd: &[(NORTH, WEST), (EAST, SOUTH)],
        built: negative_first::FORBIDDEN,
    },
    Model {
        name: "odd-even",
        even: &[(EAST, NORTH), (EAST, SOUTH)],
        odd: &[(NORTH, WEST), (SOUTH, WEST)],
        built: odd_even::FORBIDDEN,
    },
];

impl Model {
    fn allows(&self, column: u32, turn: Turn) -> bool {
        let forbidden = if column.is_multiple_of(2) { self.even } else { self.odd };
        let back = turn.0.dimension == turn.1.dimension && turn.0 != turn.1;
        !back && !forbidden.contains(&turn)
    }

    fn network(&self, shape: &str) -> Network {
        let routing = Some(self.name);
        Network::wanted(&Wanted { routing, ..Wanted::new("mesh", size(shape)) }).unwrap()
    }
}

fn size(shape: &str) -> Size {
    shape.parse::<Shape>().unwrap().into()
}

fn mesh(shape: &str) -> Box<dyn Topology> {
    topology::find("mesh").unwrap().build(size(shape)).unwrap()
}

fn coordinates(topology: &dyn Topology, node: Node) -> (u32, u32) {
    let grid = Grid::of_topology(topology).unwrap();
    let at = grid.coordinates(node);
    (at[0], at[1])
}

/// At every switch, edges and corners too: each turn between channels that are there is built if
/// and only if the papers leave it; a packet to the next node but one takes it.
#[test]
fn turns_are_just_those_that_the_papers_leave() {
    for model in MODELS {
        for shape in ["2x2", "3x2", "2x5", "4x4", "5x3", "8x8"] {
            let network = model.network(shape);
            let topology = network.topology();
            for node in topology.all_nodes() {
                let (column, _) = coordinates(topology, node);
                let there = |to: Direction| topology.channel(node, to.port()).is_some();
                // A packet that travels east came from the west.
                let comes = |from: Direction| there(Direction { minus: !from.minus, ..from });
                let pairs = DIRECTIONS.map(|from| DIRECTIONS.map(|to| (from, to)));
                let wanted: BTreeSet<(Port, Port)> = pairs
                    .into_iter()
                    .flatten()
                    .filter(|&(from, to)| comes(from) && there(to))
                    .filter(|&turn| model.allows(column, turn))
                    .map(|(from, to)| (from.port(), to.port()))
                    .collect();
                let class = &network.turns().classes[network.turns().class_of(node)];
                let label = topology.label(node);
                assert_eq!(class.crosspoints(), wanted, "{} {shape} {label}", model.name);
            }
        }
    }
}

/// One virtual channel, a number for every channel, and the independent checker's word for every
/// route of every pair.
#[test]
fn one_virtual_channel_is_free_of_deadlock() {
    for model in MODELS {
        for shape in ["2x2", "4x4", "5x7", "8x8"] {
            let network = model.network(shape);
            assert_eq!(network.relation().vcs(), 1);
            let certificate = network.certificate().expect("no cycle");
            let topology = network.topology();
            assert_eq!(certificate.numbers.len() as u64, topology.channels());
            let nodes = u64::from(topology.nodes());
            assert_eq!(network.routes_checked(), nodes * nodes, "{} {shape}", model.name);
        }
    }
}

/// The forbidden turns of a column but one.
fn but(turns: &'static [Turn], turn: Turn) -> &'static [Turn] {
    let left: Vec<Turn> = turns.iter().copied().filter(|&other| other != turn).collect();
    Vec::leak(left)
}

/// None of the forbidden turns can be done without: with any one let back in there is a cycle, in
/// which packets take that turn.
#[test]
fn a_turn_more_leaves_a_cycle() {
    for model in MODELS {
        let Forbidden { even, odd } = model.built;
        let same = even == odd;
        let fewer_even = even.iter().map(|&turn| {
            let odd = if same { but(odd, turn) } else { odd };
            (turn, Forbidden { even: but(even, turn), odd })
        });
        let fewer_odd = odd.iter().map(|&turn| (turn, Forbidden { even, odd: but(odd, turn) }));
        let fewer_odd = fewer_odd.filter(|_| !same);
        let mut seen = 0;
        for (turn, forbidden) in fewer_even.chain(fewer_odd) {
            let topology = mesh("4x4");
            let relation = turn_model(model.name, forbidden, &*topology).unwrap();
            let network = Network::of(topology, relation, None).unwrap();
            assert!(network.certificate().is_none(), "{} with {turn:?}", model.name);
            let cycle = network.single_vc_cycle().unwrap();
            let ports: Vec<Port> = cycle.channels.iter().map(|c| c.output).collect();
            let next = ports.iter().cycle().skip(1);
            let turns: Vec<(Port, Port)> = ports.iter().copied().zip(next.copied()).collect();
            assert!(turns.contains(&(turn.0.port(), turn.1.port())), "{turn:?}: {turns:?}");
            seen += 1;
        }
        assert_eq!(seen, if same { 2 } else { 4 }, "{}", model.name);
    }
}

/// Whether a packet that came in a direction, if any, gets from a node to another by a shortest
/// path without a forbidden turn: all paths tried.
fn arrives(
    model: &Model,
    topology: &dyn Topology,
    came: Option<Direction>,
    from: Node,
    to: Node,
) -> bool {
    from == to || !open(model, topology, came, from, to).is_empty()
}

fn open(
    model: &Model,
    topology: &dyn Topology,
    came: Option<Direction>,
    from: Node,
    to: Node,
) -> BTreeSet<Port> {
    let ((x, y), (to_x, to_y)) = (coordinates(topology, from), coordinates(topology, to));
    let nearer = |direction: &Direction| match *direction {
        EAST => x < to_x,
        WEST => x > to_x,
        NORTH => y < to_y,
        _ => y > to_y,
    };
    let open = DIRECTIONS.into_iter().filter(nearer).filter(|&direction| {
        let (next, _) = topology.channel(from, direction.port()).unwrap();
        came.is_none_or(|came| model.allows(x, (came, direction)))
            && arrives(model, topology, Some(direction), next, to)
    });
    open.map(Direction::port).collect()
}

/// Chiu's algorithm ROUTE, for a packet from column `source`.
fn chiu(source: u32, (x, y): (u32, u32), (to_x, to_y): (u32, u32)) -> BTreeSet<Port> {
    let (e0, e1) = (i64::from(to_x) - i64::from(x), i64::from(to_y) - i64::from(y));
    let vertical = if e1 > 0 { NORTH } else { SOUTH };
    let mut available = Vec::new();
    if e0 == 0 {
        available.extend((e1 != 0).then_some(vertical));
    } else if e0 > 0 {
        if e1 == 0 {
            available.push(EAST);
        } else {
            if x % 2 == 1 || x == source {
                available.push(vertical);
            }
            if to_x % 2 == 1 || e0 != 1 {
                available.push(EAST);
            }
        }
    } else {
        available.push(WEST);
        if x % 2 == 0 && e1 != 0 {
            available.push(vertical);
        }
    }
    available.into_iter().map(Direction::port).collect()
}

/// Wherever a packet can come to by choice, it may go on just where some shortest path without a
/// forbidden turn leads; under odd-even, where Chiu's algorithm sends it. The hardware's conditions
/// say the same, in the same order.
#[test]
fn choices_are_all_that_arrive_without_a_forbidden_turn() {
    for model in MODELS {
        for shape in ["4x4", "5x3", "2x4", "7x2"] {
            let network = model.network(shape);
            let (topology, relation) = (network.topology(), network.relation());
            let choices = relation.choices().unwrap();
            assert!(!relation.has_escape());
            for source in topology.all_nodes() {
                for destination in topology.all_nodes() {
                    let ends = [source, destination].map(|node| Terminal(node.0));
                    let mut places = vec![(
                        source,
                        Input::INJECT,
                        relation.inject(ends[0], ends[1], Draw::NONE),
                    )];
                    while let Some((node, input, header)) = places.pop() {
                        let hops = choices.hops(node, input, Vc(0), header);
                        let outputs: Vec<Output> = hops.iter().map(|hop| hop.output).collect();
                        let built = choices.choice(node, input, Vc(0));
                        let built: Vec<Output> = built.ports(header).map(Output::Network).collect();
                        assert_eq!(outputs, built, "{} {shape} {node:?} {input:?}", model.name);
                        let best = relation.hop(node, input, Vc(0), header);
                        assert_eq!(hops.first().copied().unwrap_or(best), best);
                        assert_eq!(hops.is_empty(), best.output == Output::EJECT);
                        assert_eq!(hops.is_empty(), node == destination);
                        let found: BTreeSet<Output> = outputs.into_iter().collect();
                        let came = match input {
                            Input::Network(port) => Some(Direction::of(port)),
                            Input::Inject(_) => None,
                        };
                        let wanted = open(model, topology, came, node, destination);
                        let wanted: BTreeSet<Output> =
                            wanted.into_iter().map(Output::Network).collect();
                        assert_eq!(found, wanted, "{} {shape} {node:?} {input:?}", model.name);
                        if model.name == "odd-even" {
                            let [from, here, to] =
                                [source, node, destination].map(|node| coordinates(topology, node));
                            let chosen = chiu(from.0, here, to).into_iter().map(Output::Network);
                            assert_eq!(found, chosen.collect(), "{shape} {from:?} {here:?} {to:?}");
                        }
                        for hop in hops {
                            let Output::Network(port) = hop.output else { panic!("a choice") };
                            let (next, input) = topology.channel(node, port).unwrap();
                            places.push((next, Input::Network(input), hop.header));
                        }
                    }
                }
            }
        }
    }
}

/// Queues may hold several packets, unlike adaptive queues beside escape channels.
#[test]
fn queues_are_shared_where_nothing_escapes() {
    let shared = |routing| {
        let wanted = Wanted { routing: Some(routing), ..Wanted::new("mesh", size("3x3")) };
        let network = std::sync::Arc::new(Network::wanted(&wanted).unwrap());
        let plan = FabricPlan::new(network, Parameters::default(), None).unwrap();
        let queues = plan.switches.iter().flat_map(|switch| &switch.queues);
        let chosen: Vec<bool> = queues
            .filter(|queue| queue.choice.as_ref().is_some_and(|choice| !choice.ways.is_empty()))
            .map(|queue| queue.holds_one_packet)
            .collect();
        (chosen.iter().any(|&one| one), chosen.len())
    };
    for model in MODELS {
        let (any, queues) = shared(model.name);
        assert!(!any && queues > 9, "{}: {queues}", model.name);
    }
    assert!(shared("adaptive").0);
}

#[test]
fn other_meshes_are_refused() {
    let refused = |topology, shape, routing| {
        let wanted = Wanted { routing: Some(routing), ..Wanted::new(topology, size(shape)) };
        Network::wanted(&wanted).unwrap_err().to_string()
    };
    for model in MODELS {
        let error = refused("mesh", "3x3x3", model.name);
        let is_for = format!("routing '{}' is for a mesh of 2 dimensions, not 3", model.name);
        assert!(error.starts_with(&is_for), "{error}");
        assert!(error.ends_with("such as 'dimension-order'"), "{error}");
        let error = refused("mesh", "33x32", model.name);
        assert!(
            error.contains("checked for up to 1024 nodes, not 1056"),
            "{}: {error}",
            model.name
        );
        let error = refused("torus", "4x4", model.name);
        assert!(error.contains("unknown routing") && error.contains(model.name), "{error}");
    }
    // Failed nodes are gone around by table; packets that choose are not led.
    let failed = ["1_1".to_owned()];
    let wanted = Wanted { routing: Some("odd-even"), ..Wanted::new("mesh", size("4x4")) };
    let error = Network::wanted(&Wanted { failed: &failed, ..wanted }).unwrap_err().to_string();
    assert!(error.contains("such as 'dimension-order'"), "{error}");
}

/// A route by the hops liked best is a shortest path.
#[test]
fn the_best_liked_route_is_a_shortest_path() {
    for model in MODELS {
        let network = model.network("6x5");
        let (topology, relation) = (network.topology(), network.relation());
        for source in topology.sources() {
            let distances = topology.distances(Node(source.0));
            for destination in topology.sinks() {
                let steps =
                    walk::route(topology, relation, source, destination, Draw::NONE).unwrap();
                let channels = steps.len() as u32 - 1;
                assert_eq!(channels, distances[destination.0 as usize], "{}", model.name);
            }
        }
    }
}
