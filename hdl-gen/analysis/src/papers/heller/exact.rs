//! Exact averages, and how they are printed.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use turnpike_network::topology::{Node, Topology};

/// `numerator` / `denominator`.
pub fn ratio(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// The average distance from `from` to all nodes, itself included.
pub fn average_from(topology: &dyn Topology, from: Node) -> BigRational {
    let sum: u64 = topology.distances(from).iter().map(|&d| u64::from(d)).sum();
    ratio(sum, topology.nodes())
}

/// The average distance over all ordered pairs of nodes, a node to itself included.
pub fn average(topology: &dyn Topology) -> BigRational {
    let mut orbits = std::collections::BTreeMap::new();
    for node in topology.all_nodes() {
        *orbits.entry(topology.representative(node)).or_insert(0_u32) += 1;
    }
    let sum: BigRational =
        orbits.iter().map(|(&site, &size)| average_from(topology, site) * ratio(size, 1)).sum();
    sum / ratio(topology.nodes(), 1)
}

/// The largest distance from one node to another.
pub fn longest(topology: &dyn Topology) -> u32 {
    let sites = topology.all_nodes().filter(|&n| topology.representative(n) == n);
    sites.filter_map(|site| topology.distances(site).into_iter().max()).max().unwrap_or(0)
}

/// C(n, k).
pub fn binomial(n: u32, k: u32) -> BigInt {
    // Each product of i successive numbers is divisible by i!.
    (0..k).fold(BigInt::from(1), |product, i| product * (n - i) / (i + 1))
}

/// E(n) of section 5.1, the expected distance in the directed n-cube, as the memo defines it:
/// twice the expected maximum of two binomial variables of n/2 trials. n even.
pub fn expected(n: u32) -> BigRational {
    let m = n / 2;
    let mut at_most = BigInt::from(0);
    let mut sum = BigInt::from(0);
    for i in 0..=m {
        let ways = binomial(m, i);
        at_most += &ways;
        sum += ways.clone() * i * (BigInt::from(2) * &at_most - ways);
    }
    ratio(sum, BigInt::from(1) << (n - 1))
}

/// `value` with `places` decimals, halves away from zero.
pub fn decimal(value: &BigRational, places: usize) -> String {
    let scaled = (value * ratio(BigInt::from(10).pow(places as u32), 1)).round().to_integer();
    let digits = format!("{:0width$}", scaled.magnitude(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if scaled < BigInt::from(0) { "-" } else { "" };
    let point = if places == 0 { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// The nearest binary64.
pub fn float(value: &BigRational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

/// Number of decimals of a printed figure.
pub fn places(printed: &str) -> usize {
    printed.split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_network::topology::directed_cube::DirectedCube;
    use turnpike_network::topology::hypercube::Hypercube;

    #[test]
    fn decimals_are_rounded() {
        let text = |n: i64, d: i64, places| decimal(&ratio(n, d), places);
        assert_eq!(text(63, 16, 3), "3.938");
        assert_eq!(text(63, 16, 4), "3.9375");
        assert_eq!(text(-1, 3, 2), "-0.33");
        assert_eq!(text(5, 2, 0), "3");
        assert_eq!(text(1, 1000, 2), "0.00");
        assert_eq!((places(".0643"), places("2")), (4, 0));
    }

    /// The average over one node per orbit is that over all.
    #[test]
    fn averages_are_over_all_pairs() {
        for n in 2..=7 {
            let cube = DirectedCube::new(n).unwrap();
            let all = cube.all_nodes().map(|from| average_from(&cube, from));
            assert_eq!(average(&cube), all.sum::<BigRational>() / ratio(cube.nodes(), 1));
            let cube = Hypercube::new(n).unwrap();
            assert_eq!((average(&cube), longest(&cube)), (ratio(n, 2), n));
        }
    }

    /// The memo's sum has a closed form, because 2 max(X, Y) = X + Y + |X − Y| and X − Y is
    /// binomial of n trials, shifted: n/2 (1 + C(n, n/2) / 2^n). It is what a search finds.
    #[test]
    fn expected_distances_have_a_closed_form_and_are_those_of_the_graph() {
        for n in (2..=140).step_by(2) {
            let even_chance = ratio(binomial(n, n / 2), BigInt::from(1) << n);
            let closed = ratio(n, 2) * (ratio(1, 1) + even_chance);
            assert_eq!(expected(n), closed, "n = {n}");
            if n <= 14 {
                let cube = DirectedCube::new(n).unwrap();
                assert_eq!(average(&cube), closed, "n = {n}");
            }
        }
    }
}
