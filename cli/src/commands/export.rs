//! `turnpike export`: a topology as a file, to be changed and given back, or for other programs.

use crate::Report;
use crate::destination::{Destination, ForceOption};
use crate::options::{Chosen, ChosenTopology, NetworkSize};
use anyhow::Context;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;
use turnpike_network::description::{Description, FORMATS, Format};

/// Options of `export`.
#[derive(Args, Debug)]
pub struct ExportOptions {
    /// The topology (see `turnpike list`), or a file that describes one
    #[arg(value_name = "TOPOLOGY|FILE")]
    pub topology: String,
    /// Size of the network.
    #[command(flatten)]
    pub size: NetworkSize,
    /// The format: topology (Turnpike's own), anynet (BookSim), graphml or dot
    #[arg(long, value_name = "FORMAT", default_value = FORMATS[0].name, hide_possible_values = true,
          value_parser = PossibleValuesParser::new(FORMATS.iter().map(|format| format.name)))]
    pub format: String,
    /// Write it to a file. Default: standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Whether to replace a file.
    #[command(flatten)]
    pub force: ForceOption,
}

/// Runs it.
///
/// # Errors
/// An unknown topology or size; what the format cannot say; a file that cannot be written.
pub fn run(options: &ExportOptions) -> anyhow::Result<Report> {
    let format = Format::named(&options.format).context("clap takes no other format")?;
    let chosen = Chosen::new(&options.topology, &options.size)?;
    let destination = |path: &PathBuf| {
        let example = format!("network.{}", format.endings[0]);
        Destination::new(path, &example, options.force)
    };
    let destination = options.out.as_ref().map(destination).transpose()?;
    let topology = chosen.intact()?;
    let description = match chosen.topology {
        ChosenTopology::File(file) if topology.concentration() == 1 => file.description,
        _ => Description::of(&*topology).into(),
    };
    let text = format.write(&description)?;
    let (Some(destination), Some(path)) = (destination, &options.out) else {
        return Ok(Report::holds(text));
    };
    destination.write(&text)?;
    let Description { nodes, terminals, channels, .. } = &*description;
    let (nodes, terminals, channels) = (nodes.len(), terminals.len(), channels.len());
    let path = path.display();
    let line = format!("{path}: {nodes} nodes, {terminals} terminals, {channels} channels\n");
    Ok(Report::holds(line))
}
