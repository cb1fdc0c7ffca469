//! A network that is compared with others, with the files that build it.

use super::figures::Figures;
use anyhow::Context;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_emit::File;
use turnpike_fabric::plan::{FabricPlan, Parameters};

/// A network for the flows.
pub struct Candidate {
    /// Name of its files.
    pub name: String,
    /// The network in words.
    pub words: String,
    /// Figures of the network, or why it is none for these flows.
    pub figures: Result<Figures, String>,
    /// Files that build it, beside that of the flows.
    pub files: Vec<File>,
    /// Whether it was grown for the flows.
    pub is_grown: bool,
}

/// Name of the file of flows, which all candidates share.
pub const FLOWS: &str = "flows.csv";

/// Figures of a network that was analysed.
///
/// # Errors
/// A network of which no fabric is made.
pub fn figures(network: Network) -> anyhow::Result<Figures> {
    let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None)?;
    Figures::of(&plan).context("internal error: there are no flows")
}

/// A system file with these lines in its table of the network.
pub fn system(name: &str, network: &[(&str, &str)]) -> File {
    let text_of = |value: &str| toml::Value::from(value).to_string();
    let mut text = format!("turnpike-system = 1\nname = \"{name}\"\n\n[network]\n");
    for (key, value) in network {
        text += &match value.parse::<u32>() {
            Ok(number) => format!("{key} = {number}\n"),
            Err(_) => format!("{key} = {}\n", text_of(value)),
        };
    }
    text += &format!("flows = \"{FLOWS}\"\n");
    File { name: format!("{name}.system"), contents: text }
}
