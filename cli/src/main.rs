//! The command `turnpike`.

use std::process::ExitCode;

fn main() -> ExitCode {
    turnpike_cli::main(std::env::args_os().collect())
}
