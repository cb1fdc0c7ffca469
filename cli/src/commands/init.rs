//! `turnpike init`: a first system file, with comments, to be changed.

use crate::Report;
use crate::destination::{Destination, ForceOption};
use crate::system::{self, ENDING};
use anyhow::bail;
use clap::Args;
use std::path::PathBuf;

/// Options of `init`.
#[derive(Args, Debug)]
pub struct InitOptions {
    /// The file to write, with the ending .system
    #[arg(value_name = "FILE", default_value = "soc.system")]
    pub file: PathBuf,
    /// Whether to replace a file.
    #[command(flatten)]
    pub force: ForceOption,
}

/// The first file. What is in it is a system that every command takes.
const FIRST: &str = include_str!("../../../templates/system/first.system");

/// Runs it.
///
/// # Errors
/// A name of another ending; a file that is there and is not to be replaced, or cannot be written.
pub fn run(options: &InitOptions) -> anyhow::Result<Report> {
    let shown = options.file.to_string_lossy();
    if system::path(&shown).is_none() {
        bail!("{shown} has not the ending of a system file; name one such as soc.{ENDING}");
    }
    let text = FIRST.replace("NAME.system", &shown);
    Destination::new(&options.file, "soc.system", options.force)?.write(&text)?;
    Ok(Report::holds(format!("{shown}: change it, then try `turnpike analyze {shown}`\n")))
}
