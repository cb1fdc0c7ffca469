//! `turnpike completions`: a script that completes command lines in a shell.

use crate::Report;
use clap::Args;
use clap_complete::Shell;

/// Options of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsOptions {
    /// The shell: bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", value_enum, hide_possible_values = true)]
    pub shell: Shell,
}

/// Runs it.
///
/// # Errors
/// None.
pub fn run(options: &CompletionsOptions) -> anyhow::Result<Report> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut crate::command(), "turnpike", &mut script);
    Ok(Report::holds(String::from_utf8(script)?))
}
