//! Networks routed row by row against the same networks with the routes of all pairs walked.

use std::sync::Arc;
use turnpike_analysis::certificate::{self, CertificateError};
use turnpike_analysis::live_bits;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_analysis::properties::Properties;
use turnpike_analysis::rows::ByRows;
use turnpike_network::routing::rows::Rows;
use turnpike_network::routing::twisted::Twisted;
use turnpike_network::routing::walk::Step;
use turnpike_network::routing::{Hop, Relation, RoutingError, Select, Vc, build, dimension_order};
use turnpike_network::topology::grid::Grid;
use turnpike_network::topology::{Shape, Size, Topology, find};

/// Every shape of up to so many nodes, the order of its sides among it.
fn shapes(most: u32) -> Vec<Shape> {
    let mut all: Vec<Vec<u32>> = (2..=most).map(|side| vec![side]).collect();
    let mut at = 0;
    while at < all.len() {
        let sides = all[at].clone();
        let nodes: u32 = sides.iter().product();
        let longer = (2..=most / nodes).map(|side| [&sides[..], &[side]].concat());
        all.extend(longer.filter(|sides| sides.len() <= 6));
        at += 1;
    }
    all.iter().map(|sides| Shape::new(sides).unwrap()).collect()
}

fn grid(topology: &str, size: impl Into<Size>) -> Box<dyn Topology> {
    find(topology).unwrap().build(size).unwrap()
}

/// The network as a whole, and made of its rows.
fn both(topology: &str, size: impl Into<Size>) -> (Network, Network) {
    let size = size.into();
    let [of_whole, of_rows] = [(); 2].map(|()| grid(topology, size));
    let whole = build("dimension-order", &*of_whole).unwrap();
    let rows = dimension_order::by_rows(&*of_rows).unwrap();
    (Network::of(of_whole, whole, None).unwrap(), Network::of(of_rows, rows, None).unwrap())
}

/// Everything that is found of one is found of the other: the turns of each class of switches with
/// their witnesses and header bits, the class of each node, lengths, loads, properties.
fn compare(topology: &str, size: impl Into<Size> + Copy) {
    let (whole, rows) = both(topology, size);
    let name = format!("{topology} {}", size.into());
    assert!(whole.by_rows().is_none() && rows.by_rows().is_some());
    assert_eq!(rows.turns(), whole.turns(), "{name}");
    assert_eq!(rows.longest_route(), whole.longest_route(), "{name}");
    assert_eq!(rows.relation().vcs(), whole.relation().vcs(), "{name}");
    assert_eq!(Properties::of(&rows), Properties::of(&whole), "{name}");
    // The numbers hold along the routes of all pairs of the relation as a whole.
    let proof = rows.by_rows().unwrap().certificate();
    assert!(proof.by_row && !proof.by_translation);
    let routes = certificate::check(whole.topology(), whole.relation(), &proof).unwrap();
    assert_eq!(routes, u64::from(whole.topology().nodes()).pow(2));
    // Those of all pairs, where they can be walked: channel by channel, and as many routes.
    assert_eq!((rows.verdict(), rows.is_by_row()), (whole.verdict(), false), "{name}");
    assert_eq!(rows.routes_checked(), whole.routes_checked());
    // Steps that stand for all are steps of the whole, at every queue of every class.
    let mut queues = std::collections::BTreeSet::new();
    rows.each_step(|step| {
        let hop = whole.relation().hop(step.node, step.input, step.vc, step.header);
        assert_eq!(step.hop, hop, "{name}");
        let class = whole.turns().class_of(step.node);
        let turns = &whole.turns().classes[class];
        assert_eq!(step.header & !turns.header_masks[&(step.input, step.vc)], 0, "{name}");
        queues.insert((class, step.input, step.vc, step.hop.output, step.hop.vc));
    })
    .unwrap();
    let taken = |(class, turns): (usize, &turnpike_analysis::turns::SwitchTurns)| {
        let turn = move |t: &turnpike_analysis::turns::Turn| {
            (class, t.input, t.input_vc, t.output, t.output_vc)
        };
        turns.turns.keys().map(turn).collect::<Vec<_>>()
    };
    let wanted = whole.turns().classes.iter().enumerate().flat_map(taken);
    assert_eq!(queues, wanted.collect(), "{name}");
}

#[test]
fn rows_tell_what_all_pairs_do() {
    for shape in shapes(64) {
        for topology in ["mesh", "torus"] {
            compare(topology, shape);
        }
    }
    for nodes in 3..=64 {
        compare("ring", Size::of_nodes(nodes));
    }
}

/// Some larger ones, whose loads differ from step to step.
#[test]
fn rows_tell_what_all_pairs_do_in_larger_grids() {
    for shape in ["16x16", "7x31", "12x5x4", "4x4x4x4", "2x9x3x2x3", "256"] {
        for topology in ["mesh", "torus"] {
            compare(topology, shape.parse::<Shape>().unwrap());
        }
    }
}

/// What is wrong with route logic shows at the steps that stand for all wherever it shows at any step:
/// with a rule left out, two the other way round, or one that looks at other bits.
#[test]
fn steps_that_stand_for_all_show_what_is_wrong() {
    let (mut wrong, mut shown) = (0, 0);
    for (topology, shape) in
        [("mesh", "3x3"), ("torus", "4x3"), ("mesh", "2x3x2"), ("torus", "5x4")]
    {
        let (whole, rows) = both(topology, shape.parse::<Shape>().unwrap());
        let steps = |network: &Network| {
            let mut steps = Vec::new();
            network.each_step(|step| steps.push(*step)).unwrap();
            steps
        };
        let (all, standing) = (steps(&whole), steps(&rows));
        for (class, switch) in whole.turns().classes.iter().enumerate() {
            for (input, vc) in switch.queues() {
                let own = |step: &&Step| {
                    whole.turns().class_of(step.node) == class
                        && (step.input, step.vc) == (input, vc)
                };
                let differs = |logic: &Select, steps: &[Step]| {
                    steps.iter().filter(own).any(|s| logic.way(s.header).output != s.hop.output)
                };
                let logic = live_bits::reduced(whole.relation(), switch, input, vc);
                assert!(!differs(&logic, &all) && !differs(&logic, &standing));
                for logic in mutants(&logic) {
                    wrong += 1;
                    shown += usize::from(differs(&logic, &all));
                    assert_eq!(differs(&logic, &standing), differs(&logic, &all), "{logic:?}");
                }
            }
        }
    }
    assert!(shown > 500 && shown * 2 > wrong, "{shown} of {wrong}");
}

/// The same logic with one thing wrong.
fn mutants(logic: &Select) -> Vec<Select> {
    let Select::FirstRule { rules, one_hot } = logic else { return Vec::new() };
    let mut all = Vec::new();
    for at in 0..rules.len() {
        let mut without = rules.clone();
        without.remove(at);
        all.push(without);
        for other in 0..at {
            let mut swapped = rules.clone();
            swapped.swap(at, other);
            all.push(swapped);
            let mut ways = rules.clone();
            ways[at].way = rules[other].way;
            all.push(ways);
            let mut conditions = rules.clone();
            conditions[at].when = rules[other].when;
            all.push(conditions);
        }
    }
    all.into_iter().map(|rules| Select::FirstRule { rules, one_hot: *one_hot }).collect()
}

/// Rows whose routes are not what the argument is of are not taken: ways that are not the shortest,
/// ways that leave a cycle.
#[test]
fn rows_of_another_kind_are_not_taken() {
    type Route = fn(Grid) -> Result<Relation, RoutingError>;
    let taken = |topology: &str, shape: &str, route: Route| {
        let grid = grid(topology, shape.parse::<Shape>().unwrap());
        let rows = Rows::new(Grid::of_topology(&*grid).unwrap(), route).unwrap();
        ByRows::of(&Arc::new(rows)).unwrap().is_some()
    };
    let dimension_order: Route = |row| build("dimension-order", &row);
    assert!(taken("torus", "7x4", dimension_order) && taken("mesh", "7x4", dimension_order));
    let up_down: Route = |row| build("up-down", &row);
    assert!(taken("mesh", "7x4", up_down) && !taken("torus", "7x4", up_down));
    let one_vc: Route = |row| {
        let mut relation = Twisted::new(build("dimension-order", &row)?);
        relation.hop = |_, _, _, _, hop| Hop { vc: Vc(0), ..hop };
        Ok(relation.relation())
    };
    assert!(taken("mesh", "7x4", one_vc) && !taken("torus", "7x4", one_vc));
}

/// Numbers of one row per dimension are refused where one is missing, where two that follow each other
/// are the other way round, and where those of one row are not above those of the row before.
#[test]
fn wrong_numbers_of_rows_are_refused() {
    let (_, rows) = both("torus", "5x4".parse::<Shape>().unwrap());
    let (topology, relation) = (rows.topology(), rows.relation());
    let good = rows.by_rows().unwrap().certificate();
    assert!(certificate::check(topology, relation, &good).is_ok());
    for at in 0..good.numbers.len() {
        let mut missing = good.clone();
        missing.numbers.remove(at);
        let error = certificate::check(topology, relation, &missing);
        assert!(matches!(error, Err(CertificateError::Missing { .. })), "{error:?}");
    }
    let mut reversed = good.clone();
    reversed.numbers.iter_mut().for_each(|n| n.number = 1000 - n.number);
    let error = certificate::check(topology, relation, &reversed);
    assert!(matches!(error, Err(CertificateError::NotAbove { .. })), "{error:?}");
    // The same within the row of X alone.
    let mut descending = good.clone();
    let in_x = descending.numbers.iter_mut().filter(|n| n.output.0 < 2);
    in_x.for_each(|n| n.number = 1000 - n.number);
    let in_y = descending.numbers.iter_mut().filter(|n| n.output.0 >= 2);
    in_y.for_each(|n| n.number += 1000);
    let error = certificate::check(topology, relation, &descending);
    assert!(matches!(error, Err(CertificateError::Descends { .. })), "{error:?}");
}

/// Rows are what is asked only where that is wanted, and is worth it: in grids of more than 256 nodes, all
/// terminals alive and one at each switch. Of up to 1,024 the channels are numbered one by one.
#[test]
fn large_grids_go_by_rows_where_that_is_wanted() {
    let network = |shape: &str, change: fn(&mut Wanted)| {
        let mut wanted = Wanted::new("mesh", shape.parse::<Shape>().unwrap());
        wanted.by_rows = true;
        change(&mut wanted);
        Network::wanted(&wanted).map(|network| (network.by_rows().is_some(), network.is_by_row()))
    };
    assert_eq!(network("16x16", |_| ()).unwrap(), (false, false));
    assert_eq!(network("17x16", |_| ()).unwrap(), (true, false));
    assert_eq!(network("17x16", |wanted| wanted.by_rows = false).unwrap(), (false, false));
    assert_eq!(network("17x16", |wanted| wanted.concentration = 2).unwrap(), (false, false));
    assert_eq!(
        network("17x16", |wanted| wanted.routing = Some("up-down")).unwrap(),
        (false, false)
    );
    assert_eq!(network("32x32", |_| ()).unwrap(), (true, false));
    for shape in ["33x32", "65x64"] {
        assert_eq!(network(shape, |_| ()).unwrap(), (true, true));
    }
    // There are too many nodes.
    assert!(network("65x64", |wanted| wanted.by_rows = false).is_err());
    assert!(network("65x64", |wanted| wanted.concentration = 2).is_err());
}
