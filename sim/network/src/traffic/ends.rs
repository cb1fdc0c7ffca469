//! Who sends and who takes packets: patterns speak of both by number, those that failed or have
//! no such port left out.

use turnpike_network::topology::Topology;
use turnpike_network::topology::grid::Grid;

/// The terminals that send and those that take packets, ascending.
#[derive(Clone, Debug)]
pub struct Ends {
    /// All terminals, those that do neither with them.
    pub terminals: u32,
    /// Those that send.
    pub sources: Vec<u32>,
    /// Those that take packets.
    pub sinks: Vec<u32>,
    /// The sides of the grid that they stand on, X first and fastest in their numbers; of another
    /// network one side, along which they follow one another.
    pub sides: Vec<u32>,
    /// Terminals at each point of the grid, which follow one another in their numbers.
    pub concentration: u32,
}

/// A source, as patterns see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sender {
    /// Its place among the sources.
    pub number: u32,
    /// Its place among the sinks, where it is one.
    pub itself: Option<u32>,
}

impl Ends {
    /// `terminals` terminals that all do both.
    pub fn all(terminals: u32) -> Self {
        let all = || (0..terminals).collect();
        let sides = vec![terminals];
        Self { terminals, sources: all(), sinks: all(), sides, concentration: 1 }
    }

    /// Those of a network.
    pub fn of(topology: &dyn Topology) -> Self {
        let sources: Vec<u32> = topology.sources().map(|terminal| terminal.0).collect();
        let concentration = topology.concentration();
        let sides = match Grid::of_topology(topology) {
            Some(grid) => grid.sides().to_vec(),
            None => vec![sources.len() as u32 / concentration],
        };
        Self {
            terminals: topology.terminals(),
            sources,
            sinks: topology.sinks().map(|terminal| terminal.0).collect(),
            sides,
            concentration,
        }
    }

    /// The sources, in order.
    pub fn senders(&self) -> impl Iterator<Item = Sender> {
        (0..).zip(&self.sources).map(|(number, &terminal)| {
            let itself = self.sink(terminal);
            Sender { number, itself }
        })
    }

    /// The place of a terminal among the sinks.
    pub fn sink(&self, terminal: u32) -> Option<u32> {
        self.sinks.binary_search(&terminal).ok().map(|place| place as u32)
    }
}
