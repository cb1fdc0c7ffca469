//! `turnpike man`: manual pages, of the program and of each command.

use crate::{Report, usage};
use clap::Args;
use clap_mangen::Man;

/// Options of `man`.
#[derive(Args, Debug)]
pub struct ManOptions {
    /// The command. Default: the program itself
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// Runs it.
///
/// # Errors
/// A command that there is not.
pub fn run(options: &ManOptions) -> anyhow::Result<Report> {
    let mut program = crate::command();
    // Only then do commands know their full names and the options that all have.
    program.build();
    let page = match &options.command {
        None => program,
        Some(name) => {
            let command = program.find_subcommand(name).cloned();
            command.ok_or_else(|| usage::unknown_command(&program, name))?
        }
    };
    let mut roff = Vec::new();
    Man::new(page).render(&mut roff)?;
    Ok(Report::holds(String::from_utf8(roff)?))
}
