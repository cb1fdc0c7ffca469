//! Plans that tests of bus fabrics go over.

use crate::flows::BusFlows;
use crate::grid::Grid;
use crate::plan::{BusPlan, Parameters};
use crate::protocol::{Backoff, PROTOCOLS, Protocol, Thinning, Window};
use crate::split_hash::SplitHash;

/// Small fabrics, of every network and protocol: what tests go over.
///
/// # Panics
/// Never, unless this list is wrong.
pub fn plans() -> Vec<BusPlan> {
    let mut plans = grids();
    plans.extend(split_hash());
    plans.extend(for_flows());
    plans
}

/// Plans of one bus for flows, of every protocol: nodes that only send or only take, addresses without
/// a node, one sender, two that meet, and several at each.
///
/// # Panics
/// Never, unless this list is wrong.
pub fn for_flows() -> Vec<BusPlan> {
    let mut plans = Vec::new();
    for (nodes, pairs) in [
        (2, &[(1, 0)][..]),
        (5, &[(0, 4), (1, 4), (4, 1), (3, 2)]),
        (8, &[(1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (0, 3), (5, 7), (6, 7)]),
    ] {
        let lines = pairs.iter().map(|(source, sink)| format!("{source},{sink}\n"));
        let text = format!("source,destination\n{}", lines.collect::<String>());
        for (number, kind) in PROTOCOLS.iter().enumerate() {
            let grid = Grid::new(&[nodes]).expect("a grid that there is");
            let flows = BusFlows::new(pairs.iter().copied(), text.clone());
            let protocol = (kind.usual)(nodes, 4);
            let parameters = parameters(number);
            let plan = BusPlan::for_flows(grid, protocol, parameters, flows, None);
            plans.push(plan.expect("in range"));
        }
    }
    plans
}

/// Parameters of the fabric of a list with this number.
fn parameters(number: usize) -> Parameters {
    Parameters {
        width: [1, 8, 70][number % 3],
        depth: [2, 4, 3, 16][number % 4],
        source_id: number % 2 == 1,
        reset_low: number % 4 == 2,
        draw_seed: number as u64,
    }
}

/// Plans of every grid and protocol.
///
/// # Panics
/// Never, unless this list is wrong.
pub fn grids() -> Vec<BusPlan> {
    let others = [
        Protocol::Window(Window::new(3).expect("in range")),
        Protocol::Backoff(Backoff::new(1).expect("in range")),
        Protocol::Thinning(Thinning::new(4).expect("in range")),
        Protocol::Thinning(Thinning::new(32).expect("in range")),
    ];
    let mut plans = Vec::new();
    for sides in [&[2][..], &[3], &[8], &[2, 2], &[3, 4], &[4, 2, 3]] {
        let grid = Grid::new(sides).expect("a grid that there is");
        let usual = PROTOCOLS.iter().map(|kind| (kind.usual)(grid.longest_bus(), 4));
        for (number, protocol) in (0..).zip(usual.chain(others)) {
            if protocol == Protocol::Rotor && sides.len() > 1 {
                continue;
            }
            let grid = grid.clone();
            plans.push(BusPlan::new(grid, protocol, parameters(number), None).expect("in range"));
        }
    }
    plans
}

/// Plans of split&hash networks of two levels: one place for each function, places that are not
/// used and addresses without a terminal, several places; every protocol that they have. one place
/// for each function, places that are not used and addresses without a terminal, several places;
/// every protocol that they have.
///
/// # Panics
/// Never, unless this list is wrong.
pub fn split_hash() -> Vec<BusPlan> {
    let mut plans = Vec::new();
    for (side, factor) in [(4, 2), (5, 2), (8, 2), (7, 3)] {
        let network = SplitHash::new(side, 2, factor).expect("a network that there is");
        let usual = PROTOCOLS.iter().map(|kind| (kind.usual)(network.most_senders(), 4));
        let usual: Vec<Protocol> = usual.filter(|p| *p != Protocol::Rotor).collect();
        // Of the larger ones one protocol each.
        let chosen = if side > 5 { &usual[plans.len() % 3..][..1] } else { &usual[..] };
        for &protocol in chosen {
            let parameters = parameters(plans.len());
            let plan = BusPlan::of_split_hash(network, 1, protocol, parameters, None);
            plans.push(plan.expect("in range"));
        }
    }
    plans
}
