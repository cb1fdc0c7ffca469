//! `turnpike verify`: its options.

use crate::format::FormatOption;
use crate::options::FabricOptions;
use clap::Args;

/// Options of `verify`.
#[derive(Args, Clone, Debug)]
pub struct VerifyOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// How to report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Runs it.
///
/// # Errors
/// Unknown names.
pub fn run(_options: &VerifyOptions) -> anyhow::Result<crate::Report> {
    anyhow::bail!("not yet")
}
