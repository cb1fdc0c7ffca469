//! Protocols: the rules by which a node chooses the slots in which it sends on a bus. Nobody hears
//! a collision, so each sender goes by chance, by earlier acknowledgements, or by a time table.

pub mod backoff;
pub mod rotor;
pub mod thinning;
pub mod window;

pub use backoff::Backoff;
pub use thinning::Thinning;
pub use window::Window;

use crate::grid::Grid;
use turnpike_fabric::plan::draw::Generator;
use turnpike_network::topology::Terminal;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Each slot with the same probability.
    Window(Window),
    /// Again after a time drawn from a range that doubles with each failure.
    Backoff(Backoff),
    /// A word picked at random from a window that halves.
    Thinning(Thinning),
    /// Senders in turn.
    Rotor,
}

/// Order in which words leave a sender.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Order in which they came.
    All,
    /// Order in which they came, among the words for one receiver of the bus.
    PerReceiver,
    /// No order.
    None,
}

/// A protocol that Turnpike has.
#[derive(Clone, Copy, Debug)]
pub struct ProtocolKind {
    /// Name of the protocol.
    pub name: &'static str,
    /// Summary of the protocol, in a line.
    pub summary: &'static str,
    /// Source of the definition.
    pub source: &'static str,
    /// Order in which words leave a sender.
    pub order: Order,
    /// The protocol with its usual numbers, where a bus has so many senders at most, which hold so
    /// many words each.
    pub usual: fn(u32, u32) -> Protocol,
}

impl ProtocolKind {
    /// Whether words of one source to one destination arrive in order: they take the same busses.
    pub fn keeps_order(&self) -> bool {
        self.order != Order::None
    }
}

/// The protocols, the default first.
pub const PROTOCOLS: &[ProtocolKind] = &[backoff::KIND, window::KIND, thinning::KIND, rotor::KIND];

/// Reason that a protocol cannot be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProtocolError {
    /// A sender that always sends.
    #[error(
        "with a window of 1 a node sends in every slot: two that send to one receiver never stop, \
         and neither gets through; use a window of 2 to {most}", most = window::MOST_SLOTS
    )]
    AlwaysSends,
    /// A window out of range.
    #[error("window {0} is out of range; use 2 to {most}", most = window::MOST_SLOTS)]
    Window(u32),
    /// A window that is not halved down to 2.
    #[error("window {0} is no power of two from 2 to {most}", most = thinning::MOST_WINDOW)]
    Thinning(u32),
    /// Nodes that always send while their queues are full.
    #[error(
        "with a window of {window} a node whose queue of {depth} words is full sends in every slot: \
         two such nodes with words for one receiver never stop, and neither gets through; use a \
         window above {depth}"
    )]
    FullQueues {
        window: u32,
        /// Words of a queue.
        depth: u32,
    },
    /// A mesh of busses, where turns starve senders.
    #[error("rotor may starve senders for ever where words take several busses; use it on one bus")]
    SeveralBusses,
    /// A split&hash network.
    #[error(
        "rotor takes turns on one bus of all nodes; in a split&hash network functions take turns, and \
         the senders of a place meet in its slot; use another protocol, such as backoff"
    )]
    Funnels,
    /// A queue whose words are not all looked at in a slot.
    #[error("rotor looks at all words of a queue in each slot; use a depth of at most {most}, not {0}",
            most = rotor::MOST_DEPTH)]
    Depth(u32),
    /// An exponent out of range.
    #[error("exponent {0} is out of range; use 1 to {most}", most = backoff::MOST_EXPONENT)]
    Exponent(u32),
}

impl Protocol {
    /// Entry of the protocol in the list.
    pub fn kind(&self) -> &'static ProtocolKind {
        match self {
            Self::Window(_) => &window::KIND,
            Self::Backoff(_) => &backoff::KIND,
            Self::Thinning(_) => &thinning::KIND,
            Self::Rotor => &rotor::KIND,
        }
    }

    /// Random bits that a sender draws at once; 0 where it draws nothing.
    pub fn draw_bits(&self) -> u32 {
        match self {
            Self::Window(window) => window.draw_bits(),
            Self::Backoff(backoff) => backoff.draw_bits(),
            Self::Thinning(thinning) => thinning.draw_bits(),
            Self::Rotor => 0,
        }
    }

    /// Generator of random bits of a node's sender on its bus of this dimension; `None` where it
    /// draws nothing.
    pub fn generator(
        &self,
        seed: u64,
        grid: &Grid,
        node: u32,
        dimension: usize,
    ) -> Option<Generator> {
        let number = node * grid.dimensions() as u32 + dimension as u32;
        let bits = self.draw_bits();
        (bits > 0).then(|| Generator::new(seed, Terminal(number), bits))
    }
}
