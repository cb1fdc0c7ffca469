//! Settings of any rearrangeable network for a partial permutation, by what suits the network.

use crate::clos::{self, ClosError, TooFewMiddles};
use crate::looping::{self, LoopingError};
use crate::network::Network;
use crate::permutation::PartialPermutation;
use crate::settings::Settings;

/// Reason that there are no settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RearrangeError {
    /// A network of which it is not known here that every permutation has settings.
    #[error("only Beneš networks and Clos networks are rearranged; this is another")]
    NotRearrangeable,
    /// A Clos network of too few middle switches.
    #[error(transparent)]
    TooFewMiddles(#[from] TooFewMiddles),
    /// Another reason of the looping algorithm.
    #[error(transparent)]
    Looping(LoopingError),
    /// Another reason of a Clos network.
    #[error(transparent)]
    Clos(ClosError),
}

impl RearrangeError {
    /// Checks that every permutation has settings that [`rearrange`] finds: the network is a
    /// Beneš network, reduced or not, or a Clos network of m at least n.
    ///
    /// # Errors
    /// [`RearrangeError::NotRearrangeable`], [`RearrangeError::TooFewMiddles`].
    pub fn check(network: &Network) -> Result<(), Self> {
        match network {
            Network::Rows(rows) if rows.is_benes() => Ok(()),
            Network::Rows(_) => Err(Self::NotRearrangeable),
            Network::Clos(clos) => Ok(TooFewMiddles::check(clos)?),
        }
    }
}

/// Settings for a partial permutation, by looping ([`looping::route`]) or by colouring
/// ([`clos::rearrange`]). Outputs that no connection goes through are idle.
///
/// # Errors
/// [`RearrangeError`] where the network is none that is rearranged, or has other terminals.
pub fn rearrange(
    network: &Network,
    permutation: &PartialPermutation,
) -> Result<Settings, RearrangeError> {
    RearrangeError::check(network)?;
    match network {
        Network::Rows(_) => looping::route(network, permutation).map_err(RearrangeError::Looping),
        Network::Clos(_) => clos::rearrange(network, permutation).map_err(RearrangeError::Clos),
    }
}
