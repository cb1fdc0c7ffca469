//! Settings of Clos networks: all connections at once, or one after another.

mod first_fit;

pub use first_fit::{Blocked, FirstFit, FirstFitError, Taken, in_turn};

use crate::colouring::{Edge, colour};
use crate::network::{Clos, Network};
use crate::permutation::{Connection, OtherTerminals, PartialPermutation};
use crate::settings::Settings;

/// Reason that rearrangement gives no settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClosError {
    /// Another network.
    #[error("this is no Clos network")]
    NotClos,
    /// A permutation of other terminals.
    #[error(transparent)]
    Terminals(#[from] OtherTerminals),
    /// Fewer middle switches than a first switch has inputs.
    #[error(transparent)]
    TooFewMiddles(#[from] TooFewMiddles),
}

/// A Clos network that is not rearrangeable, and a demand that it blocks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{m} middle switches are fewer than the {n} terminals of a first switch; blocked are, for \
         example, the connections of terminals 0 to {m} to themselves: {} through the {m} outputs \
         of first switch 0", .blocked.len()
)]
pub struct TooFewMiddles {
    /// Middle switches.
    pub m: u32,
    /// Inputs of each first switch.
    pub n: u32,
    /// The demand that is blocked: one connection more than a first switch has outputs.
    pub blocked: PartialPermutation,
}

impl TooFewMiddles {
    /// Checks that the network is rearrangeable.
    ///
    /// # Errors
    /// An example of what is blocked where it is not.
    pub fn check(clos: &Clos) -> Result<(), Self> {
        if clos.is_rearrangeable() {
            return Ok(());
        }
        let (m, n) = (clos.m(), clos.n());
        let same = (0..=m).map(|t| Connection { source: t, sink: t });
        let blocked = PartialPermutation::new(clos.terminals(), same);
        Err(Self { m, n, blocked: blocked.expect("m + 1 terminals are at the first switch") })
    }
}

/// Settings of a Clos network for a partial permutation, all of it known beforehand. Outputs that
/// no connection goes through are idle.
///
/// First and last switches are the nodes of a graph, and connections its edges. A colouring of the
/// edges gives each connection its middle switch: connections of one first or last switch have
/// different colours, and colours are at most n (Dally and Towles, Principles and Practices of
/// Interconnection Networks, section 6.3).
///
/// # Errors
/// [`ClosError`] where the network is another, has other terminals, or too few middle switches
/// for some permutation, if perhaps not for this.
pub fn rearrange(
    network: &Network,
    permutation: &PartialPermutation,
) -> Result<Settings, ClosError> {
    let Network::Clos(clos) = network else { return Err(ClosError::NotClos) };
    OtherTerminals::check(network, permutation.terminals())?;
    TooFewMiddles::check(clos)?;
    let connections: Vec<Connection> = permutation.connections().collect();
    let edge = |c: &Connection| Edge {
        left: clos.place(c.source).switch,
        right: clos.place(c.sink).switch,
        copies: 1,
    };
    let edges: Vec<Edge> = connections.iter().map(edge).collect();
    let colouring = colour(clos.r(), clos.r(), &edges);
    let colouring = colouring.expect("both ends are switches, and connections are few");
    let mut settings = Settings::idle(network);
    for middle in 0..colouring.colours() {
        for &index in colouring.class(middle) {
            connect(clos, &mut settings, connections[index as usize], middle);
        }
    }
    Ok(settings)
}

/// Sets a connection through a middle switch.
fn connect(clos: &Clos, settings: &mut Settings, connection: Connection, middle: u32) {
    let (first, last) = (clos.place(connection.source), clos.place(connection.sink));
    settings.connect(0, first.switch, middle, first.port);
    settings.connect(1, middle, last.switch, first.switch);
    settings.connect(2, last.switch, last.port, middle);
}
