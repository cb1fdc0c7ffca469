//! The canonical configuration: networks, protocols and fabrics in the words of the command line that
//! name them again.

use crate::plan::{BusPlan, Parameters};
use crate::split_hash::SPLIT_HASH;
use crate::{Grid, Layout, Protocol, SplitHash};
use std::fmt;
use turnpike_fabric::plan::FLOWS_FILE;

/// The topology and its size.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = if self.dimensions() == 1 { "--nodes" } else { "--shape" };
        write!(f, "{} {size} {}", self.topology(), self.shape())
    }
}

/// The topology and its size.
impl fmt::Display for SplitHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (side, levels, factor) = (self.side(), self.levels(), self.factor());
        write!(f, "{SPLIT_HASH} --side {side} --levels {levels} --factor {factor}")
    }
}

/// Name and numbers of the protocol.
impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind().name)?;
        match self {
            Self::Window(window) => write!(f, " --window {}", window.slots()),
            Self::Backoff(backoff) => write!(f, " --exponent {}", backoff.most()),
            Self::Thinning(thinning) => write!(f, " --window {}", thinning.first()),
            Self::Rotor => Ok(()),
        }
    }
}

impl BusPlan {
    /// The topology, its size, and the seed of its functions.
    pub fn network(&self) -> String {
        match &self.layout {
            Layout::Lines | Layout::OneBus(_) => self.grid.to_string(),
            Layout::Leveled(funnels) => format!("{} --seed {}", funnels.network(), funnels.seed()),
        }
    }

    /// Canonical form of the configuration, worked out.
    pub(crate) fn words(&self) -> String {
        let (network, protocol) = (self.network(), &self.protocol);
        let Parameters { width, depth, source_id, reset_low, draw_seed } = self.parameters;
        let id = if source_id { " --source-id" } else { "" };
        let reset = if reset_low { " --reset low" } else { "" };
        let seed = match protocol.draw_bits() {
            0 => String::new(),
            _ => format!(" --draw-seed {draw_seed}"),
        };
        let flows = match self.flows() {
            None => String::new(),
            Some(_) => format!(" --flows {FLOWS_FILE}"),
        };
        format!(
            "{network}{flows} --protocol {protocol} --width {width} --depth {depth}{id}{reset}{seed}"
        )
    }
}
