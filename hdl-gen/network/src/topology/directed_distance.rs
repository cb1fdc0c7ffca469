//! Distances of the directed cube in closed form, and in the tests the number of shortest paths
//! (Heller, Directed Cube Networks, CSG Memo 253, 1985, section 4, for even and odd n alike).
//!
//! Steps alternate between positions of the source's parity (its *own*) and the *other* ones,
//! beginning with its own. Each position in which source and destination differ is crossed an
//! odd number of times, each other an even number: the memo's artificial transitions.

use super::Node;
use super::directed_cube::DirectedCube;

impl DirectedCube {
    /// The distance (channels) from one node to another.
    pub fn distance(&self, from: Node, to: Node) -> u32 {
        let (own, other) = self.steps(from, to);
        own + other
    }

    /// The steps of the shortest paths: across positions of the source's own parity, and across
    /// others.
    fn steps(&self, from: Node, to: Node) -> (u32, u32) {
        let odd = Self::is_odd(from);
        let differing = |odd: bool| ((from.0 ^ to.0) & self.positions(odd)).count_ones();
        let (a, b) = (differing(odd), differing(!odd));
        // As many steps of both parities between nodes of one parity; otherwise the first
        // and the last step are of the source's own. (a and b are then not equal.)
        match (odd == Self::is_odd(to), a > b) {
            (true, _) => (a.max(b), a.max(b)),
            (false, true) => (a, a - 1),
            (false, false) => (b + 1, b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Topology;
    use crate::topology::paths::Paths;

    /// Number of shortest paths from one node to another, in closed form.
    fn shortest_paths(cube: &DirectedCube, from: Node, to: Node) -> u128 {
        let odd = DirectedCube::is_odd(from);
        let (own, other) = cube.steps(from, to);
        // Which steps are of which parity is fixed, so the two orders are free of each other.
        let orders = |steps, positions: u32| {
            let differing = ((from.0 ^ to.0) & positions).count_ones();
            sequences(differing, steps, positions.count_ones())
        };
        orders(own, cube.positions(odd)) * orders(other, cube.positions(!odd))
    }

    /// Number of sequences of `steps` positions out of `positions` that have a given `differing` of
    /// them an odd number of times and the others an even number.
    fn sequences(differing: u32, steps: u32, positions: u32) -> u128 {
        let size = positions as usize;
        // By how many are still to be crossed; a step makes that one less or one more.
        let mut ways = vec![0_u128; size + 2];
        ways[0] = 1;
        for _ in 0..steps {
            let mut longer = vec![0; size + 2];
            for left in 0..=size {
                let fewer = left.checked_sub(1).map_or(0, |l| left as u128 * ways[l]);
                longer[left] = fewer + (size - left) as u128 * ways[left + 1];
            }
            ways = longer;
        }
        ways[differing as usize]
    }

    #[test]
    fn distances_are_those_of_a_search() {
        for n in 2..=12 {
            let cube = DirectedCube::new(n).unwrap();
            for from in cube.all_nodes() {
                // From every node of the small ones, otherwise from one of each orbit.
                if n <= 9 || cube.representative(from) == from {
                    let searched = cube.distances(from);
                    for to in cube.all_nodes() {
                        assert_eq!(cube.distance(from, to), searched[to.0 as usize]);
                    }
                }
            }
        }
    }

    #[test]
    fn shortest_paths_are_those_of_a_search() {
        for n in 2..=8 {
            let cube = DirectedCube::new(n).unwrap();
            let mut paths = Paths::new(&cube);
            for from in [Node(0), Node(1)] {
                let paths = paths.from(from);
                for to in cube.all_nodes() {
                    assert_eq!(shortest_paths(&cube, from, to), paths.count(to));
                }
            }
        }
        // The most there are: all positions differ.
        let cube = DirectedCube::new(20).unwrap();
        let factorial = (1..=10_u128).product::<u128>();
        assert_eq!(shortest_paths(&cube, Node(0), Node(0xF_FFFF)), factorial * factorial);
    }
}
