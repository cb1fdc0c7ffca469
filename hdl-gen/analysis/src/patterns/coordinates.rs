//! Patterns that go by each coordinate alone: the digit permutations of Dally and Towles, Principles
//! and Practices of Interconnection Networks, 3.2.

use super::Places;

/// Just short of half way around.
pub(super) fn tornado(at: u32, side: u32) -> u32 {
    (at + side.div_ceil(2) - 1) % side
}

/// The next one.
pub(super) fn neighbour(at: u32, side: u32) -> u32 {
    (at + 1) % side
}

/// Destination of each terminal: every coordinate mapped, and the same terminal of the point there.
/// `None` where not every point of the grid has its terminals.
pub(super) fn each(places: &Places, map: fn(u32, u32) -> u32) -> Option<Vec<u32>> {
    let Places { terminals, sides, concentration } = places;
    let to = |from: u32| {
        let (mut rest, mut stride) = (from / concentration, *concentration);
        let mut to = from % concentration;
        for &side in sides {
            to += map(rest % side, side) * stride;
            (rest, stride) = (rest / side, stride * side);
        }
        to
    };
    let is_whole = sides.iter().product::<u32>() * concentration == *terminals;
    is_whole.then(|| (0..*terminals).map(to).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Network, Wanted, Which};
    use crate::patterns::find;
    use turnpike_network::topology::{Shape, Terminal};

    /// By the definition, on grids of unlike sides, with several terminals at a point and without
    /// a grid.
    #[test]
    fn each_is_what_it_says_of_the_coordinates() {
        let row = |name, side| find(name).unwrap().of(&Places::row(side)).unwrap();
        assert_eq!(row("tornado", 8), [3, 4, 5, 6, 7, 0, 1, 2]);
        assert_eq!(row("tornado", 5), [2, 3, 4, 0, 1]);
        assert_eq!(row("neighbour", 4), [1, 2, 3, 0]);
        let shape = |sides: &[u32]| Shape::new(sides).unwrap();
        for (topology, sides, each) in
            [("mesh", [4, 3], 1), ("torus", [5, 2], 1), ("mesh", [3, 6], 4)]
        {
            let wanted = Wanted {
                concentration: each,
                ..Wanted::of(Which::Named(topology, shape(&sides).into()))
            };
            let network = Network::wanted(&wanted).unwrap();
            let topology = network.topology();
            let places = Places::of(topology, topology.terminals());
            for (name, by) in [("tornado", sides.map(|side| (side - 1) / 2)), ("neighbour", [1, 1])]
            {
                for (from, found) in (0..).zip(find(name).unwrap().of(&places).unwrap()) {
                    let (point, local) = (from / each, from % each);
                    let (x, y) = (point % sides[0], point / sides[0]);
                    let to = (x + by[0]) % sides[0] + (y + by[1]) % sides[1] * sides[0];
                    assert_eq!(found, to * each + local, "{name} from {from}");
                    // Coordinates as people read them.
                    let label = topology.terminal_label(Terminal(point * each));
                    assert!(label.starts_with(&format!("{x}_{y}")), "{label}");
                }
            }
        }
    }

    #[test]
    fn a_grid_with_a_hole_has_no_coordinates_for_all() {
        let holed = Places { sides: vec![3, 3], ..Places::row(8) };
        let text = find("tornado").unwrap().of(&holed).unwrap_err().to_string();
        assert!(
            text.contains("'tornado'") && text.contains("3x3") && text.contains("not of 8"),
            "{text}"
        );
        // Where nothing but their order counts, any number will do.
        assert!(find("tornado").unwrap().of(&Places::row(8)).is_ok());
    }
}
