//! The name of a fabric that the user gives none.

use sha2::{Digest, Sha256};
use turnpike_base::bits::hexadecimal;
use turnpike_base::names::MAX_LENGTH;
use turnpike_network::topology::Topology;

/// Hexadecimal digits that tell names apart that would be too long.
const DIGITS: usize = 8;

/// Topology, relation and the nodes that failed. A name that would be too long has the number of
/// these nodes, and ends with the first digits of the SHA-256 of the whole; topology and relation
/// are cut where that is too long still.
pub(super) fn default_name(topology: &dyn Topology, relation: &str) -> String {
    let failed = topology.failed_nodes().into_iter().map(|node| topology.label(node));
    of(&format!("{}_{relation}", topology.identifier()), &failed.collect::<Vec<_>>())
}

fn of(network: &str, failed: &[String]) -> String {
    let network = network.replace('-', "_");
    let without: String = failed.iter().map(|label| format!("_without_{label}")).collect();
    let whole = format!("{network}{without}");
    if whole.len() <= MAX_LENGTH {
        return whole;
    }
    let digest = hexadecimal(&Sha256::digest(&whole));
    let without = match failed.len() {
        0 => String::new(),
        several => format!("_without_{several}_nodes"),
    };
    // The number of nodes is never cut off: what names the network is.
    let room = MAX_LENGTH - without.len() - 1 - DIGITS;
    let network: String = network.chars().take(room).collect();
    format!("{}{without}_{}", network.trim_end_matches('_'), &digest[..DIGITS])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use turnpike_base::names::check_identifier;
    use turnpike_network::routing::of_topology;
    use turnpike_network::topology::TOPOLOGIES;

    #[test]
    fn a_name_that_fits_stays() {
        let failed = ["001", "110"].map(str::to_owned);
        assert_eq!(
            of("hypercube_3_two-stage", &failed),
            "hypercube_3_two_stage_without_001_without_110"
        );
        let longest = "a".repeat(MAX_LENGTH);
        assert_eq!(of(&longest, &[]), longest);
    }

    #[test]
    fn a_long_name_is_cut_and_stays_apart() {
        let name = |labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
            of("directed_cube_2_c2_random-static", &labels)
        };
        let one = name(&["01", "10", "11"]);
        assert!(one.starts_with("directed_cube_2_c2_random_static_without_3_nodes_"), "{one}");
        assert_eq!(one, name(&["01", "10", "11"]));
        assert_ne!(one, name(&["00", "10", "11"]));
        assert_ne!(of(&"a".repeat(80), &[]), of(&"a".repeat(81), &[]));
        let longer = of(&"a".repeat(80), &["01".to_owned(), "10".to_owned()]);
        assert!(longer.len() == MAX_LENGTH && longer.contains("aa_without_2_nodes_"), "{longer}");
    }

    /// Of every topology and relation, whatever number of nodes failed.
    #[test]
    fn names_fit() {
        let mut names = BTreeSet::new();
        for kind in TOPOLOGIES {
            let topology = kind.build(*kind.sizes.small().last().unwrap()).unwrap();
            for relation in of_topology(kind.name) {
                for several in 0..topology.nodes().min(20) {
                    let network = format!("{}_c16_{}", topology.identifier(), relation.name);
                    let failed: Vec<String> = topology
                        .all_nodes()
                        .take(several as usize)
                        .map(|n| topology.label(n))
                        .collect();
                    let name = of(&network, &failed);
                    assert_eq!(check_identifier(&name), Ok(()), "{name}");
                    assert!(names.insert(name.clone()), "{name}: a second time");
                }
            }
        }
        assert!(names.iter().any(|name| name.contains("_nodes_")));
    }
}
