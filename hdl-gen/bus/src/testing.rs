//! What tests of bus fabrics go over.

use crate::grid::Grid;
use crate::plan::{BusPlan, Parameters};
use crate::protocol::{Backoff, PROTOCOLS, Protocol, Thinning, Window};

/// Small fabrics, of every grid and protocol: what tests go over.
///
/// # Panics
/// Never, unless this list is wrong.
pub fn plans() -> Vec<BusPlan> {
    let others = [
        Protocol::Window(Window::new(3).expect("in range")),
        Protocol::Backoff(Backoff::new(1).expect("in range")),
        Protocol::Thinning(Thinning::new(4).expect("in range")),
        Protocol::Thinning(Thinning::new(32).expect("in range")),
    ];
    let mut plans = Vec::new();
    for sides in [&[2][..], &[3], &[8], &[2, 2], &[3, 4], &[4, 2, 3]] {
        let grid = Grid::new(sides).expect("a grid that there is");
        let usual = PROTOCOLS.iter().map(|kind| (kind.usual)(&grid, 4));
        for (number, protocol) in (0..).zip(usual.chain(others)) {
            if protocol == Protocol::Rotor && sides.len() > 1 {
                continue;
            }
            let grid = grid.clone();
            let parameters = Parameters {
                width: [1, 8, 70][number % 3],
                depth: [2, 4, 3, 16][number % 4],
                source_id: number % 2 == 1,
                reset_low: number % 4 == 2,
                draw_seed: number as u64,
            };
            plans.push(BusPlan::new(grid, protocol, parameters, None).expect("in range"));
        }
    }
    plans
}
