//! Networks with several virtual channels in each resource class.

use super::{Network, NetworkError, Wanted};
use turnpike_network::routing::several_vcs::several_vcs;

impl Network {
    /// The network with as many virtual channels as were asked for, as many in each resource class. This one where
    /// classes have no more than one, or packets can wait in a cycle as it is.
    ///
    /// # Errors
    /// As [`Network::wanted`].
    pub(super) fn with_several_vcs(self, wanted: &Wanted) -> Result<Self, NetworkError> {
        let most = wanted.vcs.filter(|_| self.certificate().is_some());
        let several = most.and_then(|most| several_vcs(&self.relation, most, wanted.vc_allocation));
        let Some(relation) = several else { return Ok(self) };
        let topology = wanted.build()?.0;
        let network = match wanted.is_run_alone() {
            true => Self::to_run(topology, relation, None)?,
            false => Self::of(topology, relation, None)?,
        };
        Ok(Self { single_vc_cycle: self.single_vc_cycle, ..network })
    }
}
