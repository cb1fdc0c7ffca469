//! The sizes that topologies promise.

use turnpike_analysis::network::Wanted;
use turnpike_network::topology::TOPOLOGIES;

/// Every topology has its default relation in the largest sizes that it takes.
#[test]
fn the_sizes_that_are_promised_are_routed() {
    for kind in TOPOLOGIES {
        for size in kind.sizes.large() {
            if let Err(error) = Wanted::new(kind.name, size).build() {
                panic!("{} {size}: {error}", kind.name);
            }
        }
    }
}
