//! Files of places, as `--places` takes them: terminals by names of a user's own.

use crate::input;
use crate::system::{self, System};
use std::path::Path;
use turnpike_network::places::PlaceList;

/// The terminals of a file.
///
/// # Errors
/// A file that cannot be read, or a line of it that is no terminal.
pub fn read(path: &Path) -> anyhow::Result<PlaceList> {
    if system::path(&path.to_string_lossy()).is_some() {
        return System::read(path)?.places();
    }
    let bytes = input::bytes(path, "places", input::MOST_PATTERN)?;
    let text = String::from_utf8(bytes).map_err(|error| input::fault(path, None, error))?;
    PlaceList::parse(&text).map_err(|flaw| input::fault(path, flaw.line, flaw.error))
}
