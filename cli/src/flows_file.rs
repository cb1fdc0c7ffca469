//! Files of flows, as `--flows` takes them, and the flows of a system file.

use crate::input;
use crate::system::{self, System};
use std::path::Path;
use turnpike_network::flows::{FlowList, Flows};
use turnpike_network::topology::Topology;

/// The flows of a file.
///
/// # Errors
/// A file that cannot be read, or a line of it that is no flow.
pub fn read(path: &Path) -> anyhow::Result<FlowList> {
    if system::path(&path.to_string_lossy()).is_some() {
        return System::read(path)?.flows();
    }
    let bytes = input::bytes(path, "flows", input::MOST_PATTERN)?;
    let text = String::from_utf8(bytes).map_err(|error| input::fault(path, None, error))?;
    FlowList::parse(&text).map_err(|flaw| input::fault(path, flaw.line, flaw.error))
}

/// The flows of a file on a network of circuits, where no word waits for another.
///
/// # Errors
/// As [`read`]; flows that the network does not have, or message classes.
pub fn on_circuits(path: &Path, topology: &dyn Topology) -> anyhow::Result<Flows> {
    let list = read(path)?;
    if list.has_classes() {
        let why = "no word of a network of circuits waits, so there are no message classes; leave the \
                   column class and the lines class out";
        return Err(input::fault(path, None, why));
    }
    list.on(topology).map_err(|flaw| input::fault(path, flaw.line, flaw.error))
}
