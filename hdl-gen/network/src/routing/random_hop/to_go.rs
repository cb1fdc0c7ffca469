//! Headers that say along which dimensions a packet still has to go: on meshes those of
//! [`GridHeader`], on hypercubes the bits in which the node and the destination differ.

use crate::routing::grid_header::GridHeader;
use crate::routing::{
    Condition, DestinationEncoding, Header, HeaderUpdate, Injection, Input, low_bits,
};
use crate::topology::grid::{AXES, Direction};
use crate::topology::{Node, Port, Terminal};

/// The headers of one mesh or hypercube.
#[derive(Debug)]
pub(super) enum ToGo {
    Mesh(Box<GridHeader>),
    /// A hypercube of this dimension.
    Cube(u32),
}

impl ToGo {
    /// Number of dimensions.
    pub(super) fn dimensions(&self) -> usize {
        match self {
            Self::Mesh(headers) => headers.dimensions(),
            Self::Cube(dimension) => *dimension as usize,
        }
    }

    /// Hops of the longest route.
    pub(super) fn longest(&self) -> u32 {
        match self {
            Self::Mesh(headers) => headers.grid().sides().iter().map(|side| side - 1).sum(),
            Self::Cube(dimension) => *dimension,
        }
    }

    /// Number of network ports of a switch.
    pub(super) fn ports(&self) -> u8 {
        match self {
            Self::Mesh(headers) => 2 * headers.dimensions() as u8,
            Self::Cube(dimension) => *dimension as u8,
        }
    }

    /// Names of the dimensions.
    pub(super) fn names(&self) -> Vec<String> {
        let name = |at: usize| match self {
            Self::Mesh(_) => AXES[at].to_uppercase().to_string(),
            Self::Cube(_) => at.to_string(),
        };
        (0..self.dimensions()).map(name).collect()
    }

    /// Width of the header.
    pub(super) fn bits(&self) -> u32 {
        match self {
            Self::Mesh(headers) => headers.bits(),
            Self::Cube(dimension) => *dimension,
        }
    }

    /// Mask of the header.
    pub(super) fn mask(&self) -> Header {
        low_bits(self.bits())
    }

    /// Meaning of the header bits, for readers of the Verilog.
    pub(super) fn legend(&self) -> Vec<String> {
        match self {
            Self::Mesh(headers) => headers.legend(),
            Self::Cube(_) => {
                vec!["Header bits per port: the bits still to be corrected, by number.".to_owned()]
            }
        }
    }

    /// The header of a new packet.
    pub(super) fn inject(&self, source: Terminal, destination: Terminal) -> Header {
        match self {
            Self::Mesh(headers) => headers.inject(source, destination),
            Self::Cube(_) => (source.0 ^ destination.0).into(),
        }
    }

    /// Injection of a source, as hardware.
    pub(super) fn injection(&self, source: Terminal) -> Injection {
        match self {
            Self::Mesh(headers) => headers.injection(source),
            Self::Cube(bits) => Injection::plain(DestinationEncoding::difference(*bits)),
        }
    }

    /// The bits of which one or more are set where hops are left along a dimension.
    pub(super) fn left(&self, dimension: usize) -> Header {
        match self {
            Self::Mesh(headers) => headers.far(dimension),
            Self::Cube(_) => 1 << dimension,
        }
    }

    /// The port by which a packet that came to a node by `input` goes on along a dimension, if it has to.
    pub(super) fn onward(
        &self,
        node: Node,
        dimension: usize,
        input: Input,
        header: Header,
    ) -> Option<Port> {
        match self {
            Self::Mesh(headers) => {
                headers.onward(node, dimension, input, header).map(Direction::port)
            }
            Self::Cube(_) => (header & self.left(dimension) != 0).then_some(Port(dimension as u8)),
        }
    }

    /// Ports that a packet may take along a dimension, as hardware: each with its condition.
    pub(super) fn ways(
        &self,
        node: Node,
        dimension: usize,
        input: Input,
    ) -> Vec<(Port, Condition)> {
        match self {
            Self::Mesh(headers) => {
                let directions = headers.directions(node, dimension, input).into_iter();
                directions.map(|(to, when)| (to.port(), when)).collect()
            }
            Self::Cube(_) => vec![(Port(dimension as u8), Condition::bit(dimension as u32))],
        }
    }

    /// Whether the way of a new packet along a dimension leads down from a node, where it goes along it.
    pub(super) fn goes_down(&self, node: Node, dimension: usize, header: Header) -> bool {
        match self {
            Self::Mesh(headers) => headers.goes_down(node, dimension, header),
            Self::Cube(_) => node.0 >> dimension & 1 == 1,
        }
    }

    /// The header after a hop by a port.
    pub(super) fn after(&self, port: Port, header: Header) -> Header {
        match self {
            Self::Mesh(headers) => headers.after(port, header),
            Self::Cube(_) => header & !(1 << port.0),
        }
    }

    /// Header update of a hop by a port, as hardware.
    pub(super) fn carry(&self, port: Port) -> HeaderUpdate {
        match self {
            // A packet comes back to any dimension, so all directions stay.
            Self::Mesh(headers) => headers.carry(port, self.mask()),
            Self::Cube(_) => HeaderUpdate::keeping(self.after(port, self.mask())),
        }
    }

    /// Whether a node is of the first of two colours: no channel joins two nodes of one colour.
    pub(super) fn is_even(&self, node: Node) -> bool {
        let hops: u32 = match self {
            Self::Mesh(headers) => {
                let dimensions = 0..headers.dimensions();
                dimensions.map(|dimension| headers.grid().coordinate(node, dimension)).sum()
            }
            Self::Cube(_) => node.0.count_ones(),
        };
        hops.is_multiple_of(2)
    }
}
