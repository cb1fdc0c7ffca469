//! Files of flows, as `--flows` takes them.

use crate::input;
use std::path::Path;
use turnpike_network::flows::FlowList;

/// The flows of a file.
///
/// # Errors
/// A file that cannot be read, or a line of it that is no flow.
pub fn read(path: &Path) -> anyhow::Result<FlowList> {
    let bytes = input::bytes(path, "flows", input::MOST_PATTERN)?;
    let text = String::from_utf8(bytes).map_err(|error| input::fault(path, None, error))?;
    FlowList::parse(&text).map_err(|flaw| input::fault(path, flaw.line, flaw.error))
}
