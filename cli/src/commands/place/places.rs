//! Places of a network, each with a label by which a file of places names it.

use anyhow::bail;
use turnpike_network::places::room;
use turnpike_network::topology::{Node, Terminal, Topology};

/// Place of a network.
pub struct Place {
    /// The terminal of the network that it is.
    pub terminal: Terminal,
    /// Label in a file.
    pub label: String,
    /// Switch where packets enter.
    pub source: Option<Node>,
    /// Switch where packets leave.
    pub sink: Option<Node>,
}

/// Places of a network, those of switches that failed left out.
///
/// # Errors
/// A terminal that no label names: that of its switch stands for others too, and its own for another switch.
pub fn of(topology: &dyn Topology) -> anyhow::Result<Vec<Place>> {
    let mut terminals: Vec<Terminal> = topology.sources().chain(topology.sinks()).collect();
    terminals.sort_unstable();
    terminals.dedup();
    terminals.into_iter().map(|terminal| place(topology, terminal)).collect()
}

fn place(topology: &dyn Topology, terminal: Terminal) -> anyhow::Result<Place> {
    let ends = |terminal| {
        let switch = |end: Option<(Node, _)>| end.map(|(node, _)| node);
        (switch(topology.source(terminal)), switch(topology.sink(terminal)))
    };
    let (source, sink) = ends(terminal);
    // A file says the first terminals at a label that are free: they must be alike.
    let stands_for_it = |label: &String| {
        room(topology, label).is_ok_and(|room| {
            room.contains(&terminal) && room.iter().all(|&other| ends(other) == (source, sink))
        })
    };
    let own = topology.terminal_label(terminal);
    let switches = [source, sink].into_iter().flatten().map(|node| topology.label(node));
    // Several at a switch go by its label; others by their own.
    let mut labels: Vec<String> = switches.chain([own.clone()]).collect();
    if topology.concentration() == 1 {
        labels.rotate_right(1);
    }
    match labels.into_iter().find(stands_for_it) {
        Some(label) => Ok(Place { terminal, label, source, sink }),
        None => bail!(
            "terminal {own} of the network has the name of a switch where it is not alone; give it another name"
        ),
    }
}

/// Channels from each place to each other; `u32::MAX` where there is no path.
pub fn channels(topology: &dyn Topology, places: &[Place]) -> Vec<Vec<u32>> {
    let row = |from: &Place| {
        let distances = from.source.map(|node| topology.distances(node));
        let to = |to: &Place| Some(distances.as_ref()?[to.sink?.0 as usize]);
        places.iter().map(|place| to(place).unwrap_or(u32::MAX)).collect()
    };
    places.iter().map(row).collect()
}
