//! Virtual channels that were asked for, and those that there are.

use super::network::NetworkOptions;
use crate::usage::note;
use anyhow::bail;
use clap::ValueEnum;
use turnpike_analysis::network::Network;
use turnpike_network::routing::several_vcs::VcAllocation;

/// Virtual channels that packets take, where a class has several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum VcAllocationName {
    /// Virtual channel that is free, at each hop.
    Any,
    /// Virtual channel of the same place as at the hop before.
    Kept,
}

impl From<VcAllocationName> for VcAllocation {
    fn from(name: VcAllocationName) -> Self {
        match name {
            VcAllocationName::Any => Self::Any,
            VcAllocationName::Kept => Self::Kept,
        }
    }
}

impl NetworkOptions {
    /// Virtual channels of a class that packets take.
    pub(super) fn vc_allocation(&self) -> VcAllocation {
        self.vc_allocation.map_or_else(VcAllocation::default, VcAllocation::from)
    }

    /// Says that there are fewer virtual channels than were asked for: once nothing else is wrong.
    ///
    /// # Errors
    /// An allocation of several virtual channels where no class has several.
    pub fn look_at_vcs(&self, network: &Network) -> anyhow::Result<()> {
        let relation = network.relation();
        let (name, built) = (relation.name(), relation.vcs());
        let several = relation.vc_allocation().is_some();
        if let (Some(_), Some(vcs), false) = (self.vc_allocation, self.vcs, several) {
            bail!(
                "--vc-allocation is for several virtual channels in a class; with --vcs {vcs} routing '{name}' \
                 has one in each"
            );
        }
        if let Some(most) = self.vcs.filter(|&most| most > built) {
            let why = match (several, network.certificate()) {
                (true, _) => "as many for each class",
                (false, Some(_)) => "one for each class",
                (false, None) => "for packets can wait in a cycle as it is",
            };
            note(format_args!("--vcs {most}: routing '{name}' has {built} here, {why}"));
        }
        Ok(())
    }
}
