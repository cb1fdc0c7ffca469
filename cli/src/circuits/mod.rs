//! Networks of circuits: which they are, how they are set, and their fabrics.

pub mod options;
pub mod slots;

pub use options::{CircuitOptions, Kind};

use anyhow::bail;
use turnpike_network::topology::multistage::{BENES, BUTTERFLY, CLOS, DOUBLE_BUTTERFLY};
use turnpike_network::topology::{Clos, Size, Topology, wired};
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
    let network = match topology.size() {
        Size::Stages { radix, stages } if name == BUTTERFLY.name => {
            Network::butterfly(radix, stages)?
        }
        Size::Stages { radix, stages } if name == DOUBLE_BUTTERFLY.name => {
            Network::double_butterfly(radix, stages)?
        }
        Size::Stages { stages, .. } if reduced => Network::reduced_benes(stages)?,
        Size::Stages { stages, .. } => Network::benes(stages)?,
        Size::Clos(Clos { middle, inputs, outer }) => Network::clos(middle, inputs, outer)?,
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
