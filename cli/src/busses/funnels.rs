//! The size of a split&hash network.

use crate::options::{NetworkOptions, values};
use anyhow::bail;
use clap::Args;
use turnpike_bus::SplitHash;
use turnpike_bus::split_hash::SPLIT_HASH;
use turnpike_network::routing::DEFAULT_SEED;
use turnpike_network::topology::parameter::LEVELS;

/// Options for the size of a split&hash network, beside `--levels`.
#[derive(Args, Clone, Debug, Default)]
pub struct FunnelSize {
    /// split-hash: sinks of a group of the lowest level; each level has SIDE^LEVELS nodes
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = values::whole)]
    pub side: Option<u32>,
    /// split-hash: functions of a funnel to level i are FACTOR * LEVELS / i, rounded up
    #[arg(long, value_name = "A", allow_hyphen_values = true, value_parser = values::whole)]
    pub factor: Option<u32>,
}

impl FunnelSize {
    /// The network that the options name; `None` where they name another.
    ///
    /// # Errors
    /// A size that is missing or out of range, or of another network.
    pub fn network(&self, network: &NetworkOptions) -> anyhow::Result<Option<SplitHash>> {
        let Self { side, factor } = *self;
        if network.unrouted.topology != SPLIT_HASH {
            return Ok(None);
        }
        if let Some(other) =
            network.unrouted.size.values.given().find(|given| given.key != LEVELS.key)
        {
            let option = other.option;
            bail!("{SPLIT_HASH} takes --side K --levels D --factor A; leave --{option} out");
        }
        match (side, network.unrouted.size.values.number(&LEVELS), factor) {
            (Some(side), Some(levels), Some(factor)) => {
                Ok(Some(SplitHash::new(side, levels, factor)?))
            }
            _ => bail!("the size is missing: {SPLIT_HASH} takes --side K --levels D --factor A"),
        }
    }
}

/// Options of the fabric of a split&hash network.
#[derive(Args, Clone, Debug, Default)]
pub struct FunnelFabric {
    /// The network.
    #[command(flatten)]
    pub size: FunnelSize,
    /// split-hash: seed of the functions of its funnels, which are wires [default: 1]
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = values::long)]
    pub seed: Option<u64>,
}

impl FunnelFabric {
    /// The network that the options name, and the seed of its functions; `None` where they name
    /// another.
    ///
    /// # Errors
    /// As [`FunnelSize::network`].
    pub fn network(&self, network: &NetworkOptions) -> anyhow::Result<Option<(SplitHash, u64)>> {
        let Some(network) = self.size.network(network)? else {
            return Ok(None);
        };
        Ok(Some((network, self.seed.unwrap_or(DEFAULT_SEED))))
    }
}
