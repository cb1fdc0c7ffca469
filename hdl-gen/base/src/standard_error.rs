//! Notes and warnings on standard error.

use std::fmt::Display;
use std::io::Write;

/// Writes a line, if anybody reads it: `eprintln!` panics where the other end of a pipe is closed, and
/// a thread that panics ends nothing else.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
