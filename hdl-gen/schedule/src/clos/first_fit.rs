//! Connections of a Clos network one after another, none ever moved.
//!
//! Each takes the lowest middle switch to which its first switch and its last switch both have a
//! free link. With m of at least 2 n - 1 there always is one: the other n - 1 inputs of the first
//! switch and the other n - 1 outputs of the last take at most 2 n - 2 (Clos 1953). With fewer it
//! depends on what came before.

use super::connect;
use crate::network::{Clos, Network};
use crate::permutation::Connection;
use crate::settings::Settings;
use std::fmt;

/// The connections of a Clos network, and the middle switch of each.
#[derive(Debug, Clone)]
pub struct FirstFit {
    clos: Clos,
    /// By source: the connection and its middle switch.
    set: Vec<Option<(Connection, u32)>>,
    /// By sink: the source.
    sources: Vec<Option<u32>>,
    /// By first switch and middle switch: the source that has the link between them.
    firsts: Vec<Option<u32>>,
    /// By last switch and middle switch: the source that has the link between them.
    lasts: Vec<Option<u32>>,
}

/// Reason that a connection is not set, or not removed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FirstFitError {
    /// Another network.
    #[error("this is no Clos network")]
    NotClos,
    /// A terminal that the network does not have.
    #[error("connection {connection}: terminals are 0 to {last}")]
    Terminal {
        connection: Connection,
        /// The last terminal.
        last: u32,
    },
    /// The source sends already.
    #[error("connection {connection}: the source has connection {has}")]
    Source {
        connection: Connection,
        /// Connection of the source.
        has: Connection,
    },
    /// The sink takes already.
    #[error("connection {connection}: the sink has connection {has}")]
    Sink {
        connection: Connection,
        /// Connection of the sink.
        has: Connection,
    },
    /// No middle switch can take it.
    #[error(transparent)]
    Blocked(#[from] Blocked),
    /// A connection that is not set and cannot be removed.
    #[error("source {0} has no connection")]
    NotSet(u32),
}

/// A connection that no middle switch can take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Blocked {
    pub connection: Connection,
    /// By middle switch, why it cannot.
    pub middles: Vec<Taken>,
}

/// Connections on the links to and from a middle switch that another connection would need, at
/// least one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Connection on the link from the first switch.
    pub before: Option<Connection>,
    /// Connection on the link to the last switch.
    pub after: Option<Connection>,
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.before, self.after) {
            (Some(before), Some(after)) => {
                write!(f, "{before} from the first switch and {after} to the last")
            }
            (Some(before), None) => write!(f, "{before} from the first switch"),
            (None, Some(after)) => write!(f, "{after} to the last switch"),
            (None, None) => f.write_str("nothing"),
        }
    }
}

/// The most middle switches that a message goes into.
const MOST_SHOWN: usize = 8;

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connection {} is blocked", self.connection)?;
        for (middle, taken) in self.middles.iter().enumerate().take(MOST_SHOWN) {
            write!(f, "; middle switch {middle} has {taken}")?;
        }
        match self.middles.len().saturating_sub(MOST_SHOWN) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

impl FirstFit {
    /// A Clos network without connections.
    ///
    /// # Errors
    /// [`FirstFitError::NotClos`] where the network is another.
    pub fn new(network: &Network) -> Result<Self, FirstFitError> {
        let &Network::Clos(clos) = network else { return Err(FirstFitError::NotClos) };
        let terminals = clos.terminals() as usize;
        let links = vec![None; (clos.m() * clos.r()) as usize];
        Ok(Self {
            clos,
            set: vec![None; terminals],
            sources: vec![None; terminals],
            firsts: links.clone(),
            lasts: links,
        })
    }

    /// Sets a connection, and returns its middle switch: the lowest that can take it.
    ///
    /// # Errors
    /// [`FirstFitError`] where a terminal is not there or not free, or every middle switch is
    /// taken; never the last where m is at least 2 n - 1. Nothing changes then.
    pub fn connect(&mut self, connection: Connection) -> Result<u32, FirstFitError> {
        let Connection { source, sink } = connection;
        let last = self.clos.terminals() - 1;
        if source > last || sink > last {
            return Err(FirstFitError::Terminal { connection, last });
        }
        if let Some(has) = self.of(Some(source)) {
            return Err(FirstFitError::Source { connection, has });
        }
        if let Some(has) = self.of(self.sources[sink as usize]) {
            return Err(FirstFitError::Sink { connection, has });
        }
        let free = |&middle: &u32| {
            let [first, last] = self.links(connection, middle);
            self.firsts[first].is_none() && self.lasts[last].is_none()
        };
        let Some(middle) = (0..self.clos.m()).find(free) else {
            return Err(self.blocked(connection).into());
        };
        let [first, last] = self.links(connection, middle);
        self.set[source as usize] = Some((connection, middle));
        self.sources[sink as usize] = Some(source);
        self.firsts[first] = Some(source);
        self.lasts[last] = Some(source);
        Ok(middle)
    }

    /// Removes the connection of a source, and returns it.
    ///
    /// # Errors
    /// [`FirstFitError::NotSet`] where it has none.
    pub fn disconnect(&mut self, source: u32) -> Result<Connection, FirstFitError> {
        let set = self.set.get_mut(source as usize).and_then(Option::take);
        let (connection, middle) = set.ok_or(FirstFitError::NotSet(source))?;
        let [first, last] = self.links(connection, middle);
        self.sources[connection.sink as usize] = None;
        self.firsts[first] = None;
        self.lasts[last] = None;
        Ok(connection)
    }

    /// The connections that are set, each with its middle switch, by ascending source.
    pub fn connections(&self) -> impl Iterator<Item = (Connection, u32)> {
        self.set.iter().copied().flatten()
    }

    /// The settings for them. Outputs that no connection goes through are idle.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::idle(&Network::Clos(self.clos));
        for (connection, middle) in self.connections() {
            connect(&self.clos, &mut settings, connection, middle);
        }
        settings
    }

    /// Indices of a connection's links to and from a middle switch, in `firsts` and `lasts`.
    fn links(&self, connection: Connection, middle: u32) -> [usize; 2] {
        let switches = [connection.source, connection.sink].map(|t| self.clos.place(t).switch);
        switches.map(|switch| (switch * self.clos.m() + middle) as usize)
    }

    /// The connection of a source, if there is either.
    fn of(&self, source: Option<u32>) -> Option<Connection> {
        self.set[source? as usize].map(|(connection, _)| connection)
    }

    fn blocked(&self, connection: Connection) -> Blocked {
        let taken = |middle| {
            let [first, last] = self.links(connection, middle);
            Taken { before: self.of(self.firsts[first]), after: self.of(self.lasts[last]) }
        };
        Blocked { connection, middles: (0..self.clos.m()).map(taken).collect() }
    }
}

/// Settings of a Clos network for connections that are set in the given order, none ever moved.
///
/// # Errors
/// As [`FirstFit::connect`], of the first connection that is not set.
pub fn in_turn(
    network: &Network,
    connections: impl IntoIterator<Item = Connection>,
) -> Result<Settings, FirstFitError> {
    let mut fit = FirstFit::new(network)?;
    for connection in connections {
        fit.connect(connection)?;
    }
    Ok(fit.settings())
}
