//! Networks of circuits: which they are, how they are set, and their fabrics.

pub mod options;
pub mod slots;

pub use options::CircuitOptions;

use anyhow::bail;
use turnpike_network::topology::multistage::{BENES, BUTTERFLY, CLOS, DOUBLE_BUTTERFLY};
use turnpike_network::topology::parameter::{DIM, RADIX};
use turnpike_network::topology::{Clos, Topology, wired};
use turnpike_schedule::network::Network;

/// The topologies that are networks of circuits.
const NETWORKS: [&str; 4] = [BENES.name, CLOS.name, BUTTERFLY.name, DOUBLE_BUTTERFLY.name];

/// Whether the topology of this name is a network of circuits.
pub fn is_network(topology: &str) -> bool {
    NETWORKS.contains(&topology)
}

/// The network of circuits that a topology is, reduced as Waksman does where that is asked for.
///
/// # Errors
/// A topology that is none.
pub fn network(topology: &dyn Topology, reduced: bool) -> anyhow::Result<Network> {
    let name = topology.name();
    if reduced && name != BENES.name {
        bail!("--reduced is for {}", BENES.name);
    }
    let size = topology.size();
    let network = match (size.number(&RADIX).zip(size.number(&DIM)), size.clos()) {
        (Some((radix, stages)), _) if name == BUTTERFLY.name => Network::butterfly(radix, stages)?,
        (Some((radix, stages)), _) if name == DOUBLE_BUTTERFLY.name => {
            Network::double_butterfly(radix, stages)?
        }
        (Some((_, stages)), _) if reduced => Network::reduced_benes(stages)?,
        (Some((_, stages)), _) => Network::benes(stages)?,
        (_, Some(Clos { middle, inputs, outer })) => Network::clos(middle, inputs, outer)?,
        _ => {
            let such = NETWORKS.join(", ");
            if name == wired::NAME {
                bail!("networks of circuits are {such}, by name, and none from a file");
            }
            bail!("{name} is no network of circuits; these are {such}")
        }
    };
    if topology.terminals() != network.terminals() {
        bail!(
            "a network of circuits has one terminal at each end of a link; leave --concentration out"
        );
    }
    Ok(network)
}
