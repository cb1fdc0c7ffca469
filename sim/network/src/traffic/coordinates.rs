//! Patterns that go by each coordinate alone: the digit permutations of Dally and Towles, Principles
//! and Practices of Interconnection Networks, 3.2.

use super::ends::Ends;

/// Where a coordinate on a side of so many, at least 1, leads to.
pub(super) type Map = fn(u32, u32) -> u32;

/// Just short of half way around.
pub(super) fn tornado(at: u32, side: u32) -> u32 {
    (at + side.div_ceil(2) - 1) % side
}

/// The next one.
pub(super) fn neighbour(at: u32, side: u32) -> u32 {
    (at + 1) % side
}

/// The sink of each source, by their places: every coordinate mapped, and the same terminal of the
/// point there. `None` where not every point of the grid has its terminals.
pub(super) fn each(ends: &Ends, map: Map) -> Option<Vec<u32>> {
    let Ends { sources, sides, concentration, .. } = ends;
    let terminals = sources.len() as u32;
    let to = |from: u32| {
        let (mut rest, mut stride) = (from / concentration, *concentration);
        let mut to = from % concentration;
        for &side in sides {
            to += map(rest % side, side) * stride;
            (rest, stride) = (rest / side, stride * side);
        }
        to
    };
    let is_whole = sides.iter().product::<u32>() * concentration == terminals;
    is_whole.then(|| (0..terminals).map(to).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::TrafficConfig;
    use crate::traffic::pattern::find;
    use crate::traffic::random::Random;
    use turnpike_analysis::network::{Network, Wanted, Which};
    use turnpike_network::topology::{Shape, Terminal};

    /// By the definition, on grids of unlike sides, with several terminals at a point and without
    /// a grid.
    #[test]
    fn each_is_what_it_says_of_the_coordinates() {
        let row = |map, side| each(&Ends::all(side), map).unwrap();
        assert_eq!(row(tornado, 8), [3, 4, 5, 6, 7, 0, 1, 2]);
        assert_eq!(row(tornado, 5), [2, 3, 4, 0, 1]);
        assert_eq!(row(neighbour, 4), [1, 2, 3, 0]);
        let shape = |sides: &[u32]| Shape::new(sides).unwrap();
        for (topology, sides, each) in
            [("mesh", [4, 3], 1), ("torus", [5, 2], 1), ("mesh", [3, 6], 4)]
        {
            let wanted = Wanted {
                concentration: each,
                ..Wanted::of(Which::Named(topology, shape(&sides).into()))
            };
            let network = Network::wanted(&wanted).unwrap();
            let ends = Ends::of(network.topology());
            for (name, by) in [("tornado", sides.map(|side| (side - 1) / 2)), ("neighbour", [1, 1])]
            {
                let mut pattern =
                    find(name).unwrap().build(&ends, &TrafficConfig::default()).unwrap();
                let mut random = Random::new(0);
                for sender in ends.senders() {
                    let (point, local) = (sender.number / each, sender.number % each);
                    let (x, y) = (point % sides[0], point / sides[0]);
                    let to = (x + by[0]) % sides[0] + (y + by[1]) % sides[1] * sides[0];
                    let found = pattern.destination(sender, &mut random);
                    assert_eq!(found, Some(to * each + local), "{topology} {name} {sender:?}");
                    // Coordinates as people read them.
                    let label = |number| network.topology().terminal_label(Terminal(number));
                    assert!(
                        label(point * each).starts_with(&format!("{x}_{y}")),
                        "{}",
                        label(point)
                    );
                }
            }
        }
    }

    #[test]
    fn a_grid_with_a_hole_has_no_coordinates_for_all() {
        let mut ends = Ends { sides: vec![3, 3], ..Ends::all(9) };
        ends.sources.remove(4);
        ends.sinks.remove(4);
        let error = find("tornado").unwrap().build(&ends, &TrafficConfig::default()).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("'tornado'") && text.contains("3x3") && text.contains("not of 8"),
            "{text}"
        );
        // Where nothing but their order counts, any number will do.
        let ends = Ends { sides: vec![8], ..ends };
        assert!(find("tornado").unwrap().build(&ends, &TrafficConfig::default()).is_ok());
    }
}
