//! Networks whose relation a user gives, in a file.

use crate::network::{Network, NetworkError};
use turnpike_network::routing::avoiding::avoiding;
use turnpike_network::routing::given::{self, Given};
use turnpike_network::topology::failed::Failed;

impl Network {
    /// The network of a relation that a user gives, with at most `vcs` virtual channels.
    ///
    /// # Errors
    /// As [`Network::new`]; [`GivenError`] where it is not complete or does not deliver.
    pub fn given(given: &Given, vcs: Option<u8>) -> Result<Self, NetworkError> {
        let topology = given.network()?;
        let relation = given::relation(given, &*topology)?;
        let network = Self::of(topology, Box::new(relation), vcs)?;
        Ok(network.with_given(given))
    }

    /// The same where the nodes of these labels failed: a relation for an intact network goes
    /// around them ([`routing::avoiding`]), one with failed nodes of its own takes no others.
    ///
    /// # Errors
    /// As [`Network::given`] and [`Network::wanted`].
    pub fn given_with_failed(
        given: &Given,
        vcs: Option<u8>,
        failed: &[String],
    ) -> Result<Self, NetworkError> {
        if failed.is_empty() {
            return Self::given(given, vcs);
        }
        let topology = given.network()?;
        for label in failed {
            topology.node(label)?;
            if !given.failed.is_empty() && !given.failed.contains(label) {
                let (name, other) = (given.name.clone(), label.clone());
                return Err(NetworkError::GivenFailed {
                    name,
                    own: given.failed.join(", "),
                    other,
                });
            }
        }
        if !given.failed.is_empty() {
            return Self::given(given, vcs);
        }
        let relation = given::relation(given, &*topology)?;
        let left = Failed::new(topology, failed)?;
        let relation = avoiding(&left, &relation)?;
        let network = Self::of(Box::new(left), Box::new(relation), vcs)?;
        Ok(network.with_given(given))
    }
}
