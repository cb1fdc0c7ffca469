//! Files of memory-mapped ends, as `--ends` takes them, and the ends of a system file.

use crate::input;
use crate::system::{self, System};
use std::path::Path;
use turnpike_ends::Ends;

/// The ends of a file.
///
/// # Errors
/// A file that cannot be read, or a line of it that is no end.
pub fn read(path: &Path) -> anyhow::Result<Ends> {
    if system::path(&path.to_string_lossy()).is_some() {
        return System::read(path)?.ends();
    }
    let bytes = input::bytes(path, "ends", input::MOST_PATTERN)?;
    let text = String::from_utf8(bytes).map_err(|error| input::fault(path, None, error))?;
    Ends::parse(&text).map_err(|flaw| input::fault(path, flaw.line, flaw.error))
}
