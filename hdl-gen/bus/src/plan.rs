//! Plan of a bus fabric: a network of busses, a protocol, and the size of its words and queues.

use crate::extent::Extent;
use crate::flows::BusFlows;
use crate::funnels::Funnels;
use crate::grid::{Grid, GridError};
use crate::layout::Layout;
use crate::name::default_name;
use crate::protocol::{Protocol, ProtocolError, rotor};
use crate::split_hash::SplitHash;
use turnpike_base::names::{NameError, check_fabric_name, digest, fitted};
use turnpike_base::range::{self, OutOfRange};
use turnpike_fabric::plan::draw::Generator;
use turnpike_network::routing::DEFAULT_SEED;

pub const MOST_FABRIC_NODES: u32 = 1024;
/// The most nodes on one bus of a fabric.
pub const MOST_ON_BUS: u32 = 128;
/// The most bits of `tdata` of all terminals together: vectors wider than this are beyond what
/// IEEE 1364-2005 (section 4.3.1) asks of tools.
pub const MOST_VECTOR_BITS: u32 = 65_536;

/// Parameters that a user sets besides the grid and the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Bits of `tdata`, 1 to 1024.
    pub width: u32,
    /// Words that a queue holds, 2 to 1024.
    pub depth: u32,
    /// Whether the sink is told the source's address (`tid`).
    pub source_id: bool,
    /// Whether the reset is `aresetn`, active low, in place of `rst`.
    pub reset_low: bool,
    /// Seed of what senders draw, where they draw.
    pub draw_seed: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { width: 32, depth: 4, source_id: false, reset_low: false, draw_seed: 1 }
    }
}

/// A bus fabric.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BusPlan {
    /// The name of the top module, and what those of the others begin with.
    pub name: String,
    /// The terminals stand at the points of a grid, whose coordinates are their addresses.
    pub grid: Grid,
    /// Busses between the terminals.
    pub layout: Layout,
    /// Protocol by which senders take slots.
    pub protocol: Protocol,
    /// Sizes.
    pub parameters: Parameters,
    /// Extent of the busses.
    pub extent: Extent,
    /// The configuration in its canonical form.
    configuration: String,
}

/// Reason that a bus fabric cannot be planned.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BusError {
    #[error(transparent)]
    Name(#[from] NameError),
    /// A number out of range.
    #[error(transparent)]
    Range(#[from] OutOfRange),
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// More digits of a sink than an address has.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// Flows of a network of several busses.
    #[error("flows are for one bus of all nodes; a mesh of busses is for packets from all to all")]
    SeveralBusses,
    /// A flow that no bus carries.
    #[error("a flow leads from node {0} to itself, and no bus carries it; leave it out")]
    ToItself(u32),
    /// Vectors that are too wide.
    #[error(
        "{nodes} terminals of {width} bits make a vector of more than {MOST_VECTOR_BITS} bits; \
         use at most {fits} bits"
    )]
    Vector {
        /// Terminals.
        nodes: u32,
        /// Bits of each.
        width: u32,
        /// Bits that would do.
        fits: u32,
    },
}

impl BusPlan {
    /// The fabric of a grid, under its default name where `name` is `None`.
    ///
    /// # Errors
    /// [`BusError`]: the first number out of range.
    pub fn new(
        grid: Grid,
        protocol: Protocol,
        parameters: Parameters,
        name: Option<&str>,
    ) -> Result<Self, BusError> {
        let words = || format!("{}_{}", grid.topology(), grid.shape());
        let usual = (protocol.kind().usual)(grid.longest_bus(), parameters.depth);
        let name = named(name, || default_name(words(), protocol, usual, parameters))?;
        range::check("number of nodes", grid.nodes(), 2, MOST_FABRIC_NODES)?;
        for &side in grid.sides() {
            range::check("number of nodes on a bus", side, 2, MOST_ON_BUS)?;
        }
        if protocol == Protocol::Rotor && grid.dimensions() > 1 {
            return Err(ProtocolError::SeveralBusses.into());
        }
        check(grid.nodes(), protocol, parameters)?;
        Ok(Self::planned(name, grid, Layout::Lines, protocol, parameters))
    }

    /// The fabric of one bus for these flows, under its default name where `name` is `None`.
    ///
    /// # Errors
    /// As [`BusPlan::new`]; several busses; a flow from a node to itself.
    pub fn for_flows(
        grid: Grid,
        protocol: Protocol,
        parameters: Parameters,
        flows: BusFlows,
        name: Option<&str>,
    ) -> Result<Self, BusError> {
        if grid.dimensions() > 1 {
            return Err(BusError::SeveralBusses);
        }
        flows.check()?;
        let all = Self::new(grid, protocol, parameters, name)?;
        let name = match name {
            Some(_) => all.name,
            None => fitted(&format!("{}_flows_{}", all.name, digest(flows.text()))),
        };
        Ok(Self::planned(name, all.grid, Layout::OneBus(flows), protocol, parameters))
    }

    /// The fabric of a split&hash network whose functions are drawn from this seed, under its default
    /// name where `name` is `None`.
    ///
    /// # Errors
    /// [`BusError`]: the first number out of range; senders that take turns.
    pub fn of_split_hash(
        network: SplitHash,
        seed: u64,
        protocol: Protocol,
        parameters: Parameters,
        name: Option<&str>,
    ) -> Result<Self, BusError> {
        let (side, levels, factor) = (network.side(), network.levels(), network.factor());
        let words = || match seed {
            DEFAULT_SEED => format!("split_hash_{side}_{levels}_{factor}"),
            seed => format!("split_hash_{side}_{levels}_{factor}_seed{seed}"),
        };
        let usual = (protocol.kind().usual)(network.most_senders(), parameters.depth);
        let name = named(name, || default_name(words(), protocol, usual, parameters))?;
        range::check("number of nodes of a level", network.nodes(), 2, MOST_FABRIC_NODES)?;
        range::check("number of senders on a bus", network.most_senders(), 2, MOST_ON_BUS)?;
        if protocol == Protocol::Rotor {
            return Err(ProtocolError::Funnels.into());
        }
        check(network.nodes(), protocol, parameters)?;
        let grid = Grid::new(&vec![side; levels as usize])?;
        let layout = Layout::Leveled(Funnels::new(network, seed));
        Ok(Self::planned(name, grid, layout, protocol, parameters))
    }

    fn planned(
        name: String,
        grid: Grid,
        layout: Layout,
        protocol: Protocol,
        parameters: Parameters,
    ) -> Self {
        let extent = layout.extent(&grid);
        let configuration = String::new();
        let mut plan = Self { name, grid, layout, protocol, parameters, extent, configuration };
        plan.configuration = plan.words();
        plan
    }

    /// Plan of the same network and protocol for words of another width, unchecked.
    #[must_use]
    pub fn with_width(&self, width: u32) -> Self {
        let mut plan = self.clone();
        plan.parameters.width = width;
        plan.configuration = plan.words();
        plan
    }

    /// Terminals, each a source and a sink where there are no flows.
    pub fn terminals(&self) -> u32 {
        self.grid.nodes()
    }

    /// Bits of the source's address beside a word; 0 where the sink is not told.
    pub fn id_bits(&self) -> u32 {
        if self.parameters.source_id { self.grid.address_bits() } else { 0 }
    }

    /// Bits that come to a sink: the data, and above it the source's address where it is told.
    pub fn payload_bits(&self) -> u32 {
        self.parameters.width + self.id_bits()
    }

    /// The least probability that a word gets through in a slot on a bus: of one that is left, or of all that
    /// its nodes can hold for one receiver. `None` where words take turns.
    pub fn least_odds(&self) -> Option<f64> {
        let senders = self.extent.most_meeting.max(1);
        let (odds, words) = match self.protocol {
            Protocol::Window(window) => (1.0 / f64::from(window.slots()), senders),
            Protocol::Backoff(backoff) => (0.5f64.powi(backoff.most() as i32), senders),
            Protocol::Thinning(thinning) => {
                (1.0 / f64::from(thinning.first()), senders * self.parameters.depth)
            }
            Protocol::Rotor => return None,
        };
        let passes = |words: u32| f64::from(words) * odds * (1.0 - odds).powi(words as i32 - 1);
        Some(passes(1).min(passes(words)))
    }

    /// The words after `turnpike generate` that make this fabric, without its name and paths.
    pub fn canonical(&self) -> String {
        self.configuration.clone()
    }

    /// Generator of random bits of a node's sender on its bus of this dimension; `None` where it
    /// draws nothing.
    pub fn generator(&self, node: u32, dimension: usize) -> Option<Generator> {
        self.protocol.generator(self.parameters.draw_seed, &self.grid, node, dimension)
    }
}

/// The name that is given, or the default one.
fn named(name: Option<&str>, default: impl Fn() -> String) -> Result<String, NameError> {
    let name = name.map_or_else(default, str::to_owned);
    check_fabric_name(&name)?;
    Ok(name)
}

/// Checks the words and queues of so many terminals, whatever their busses.
fn check(terminals: u32, protocol: Protocol, parameters: Parameters) -> Result<(), BusError> {
    let Parameters { width, depth, .. } = parameters;
    range::check("width", width, 1, 1024)?;
    range::check("depth", depth, 2, 1024)?;
    if let Protocol::Thinning(thinning) = protocol
        && thinning.first() <= depth
    {
        let window = thinning.first();
        return Err(ProtocolError::FullQueues { window, depth }.into());
    }
    if protocol == Protocol::Rotor && depth > rotor::MOST_DEPTH {
        return Err(ProtocolError::Depth(depth).into());
    }
    if terminals * width > MOST_VECTOR_BITS {
        let fits = MOST_VECTOR_BITS / terminals;
        return Err(BusError::Vector { nodes: terminals, width, fits });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Window;

    fn plan(sides: &[u32], parameters: Parameters) -> Result<BusPlan, BusError> {
        let protocol = Protocol::Window(Window::new(4).unwrap());
        BusPlan::new(Grid::new(sides).unwrap(), protocol, parameters, None)
    }

    #[test]
    fn names_and_words() {
        let base = Parameters::default();
        let mob = plan(&[8, 4], base).unwrap();
        assert_eq!(mob.name, "mob_8x4_window4");
        assert_eq!(
            mob.canonical(),
            "mob --shape 8x4 --protocol window --window 4 --width 32 --depth 4 --draw-seed 1"
        );
        assert_eq!([mob.word_bits(0), mob.word_bits(1)], [34, 32]);
        let told = plan(&[16], Parameters { source_id: true, ..base }).unwrap();
        assert_eq!((told.name.as_str(), told.word_bits(0)), ("ocpc_16_window4_id", 36));
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let base = Parameters::default();
        for (sides, parameters, text) in [
            (&[2048][..], base, "number of nodes 2048 is out of range; use 2 to 1024"),
            (&[256], base, "number of nodes on a bus 256 is out of range; use 2 to 128"),
            (&[4], Parameters { width: 0, ..base }, "width 0"),
            (&[4], Parameters { depth: 1, ..base }, "depth 1"),
            (&[32, 32], Parameters { width: 128, ..base }, "use at most 64 bits"),
        ] {
            let error = plan(sides, parameters).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }
}
