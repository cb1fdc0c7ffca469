//! Readers of networks with their routes, one file for each format.

mod booksim;
mod csv;
mod error;
mod floogen;
mod garnet;
mod names;
mod opensm;
mod relation;
mod save;

pub use error::{Fault, File, ReadError};
pub use save::save;

use crate::model::Routed;
use crate::traffic::Traffic;
use turnpike_network::description::Description;

/// A file that is read.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Name of the file, whose ending may say the format.
    pub name: &'a str,
    /// Content of the file.
    pub bytes: &'a [u8],
}

/// Files of a network.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The network.
    pub network: Input<'a>,
    /// The routes, where they stand in a file of their own.
    pub routes: Option<Input<'a>>,
}

/// A network that was read.
#[derive(Debug)]
pub struct Reading {
    /// Switches, terminals and links.
    pub description: Description,
    /// The network with its tables.
    pub routed: Routed,
    /// Traffic that the files say; `None` where they say none.
    pub traffic: Option<Traffic>,
    /// Facts in the files that the audit does not use.
    pub remarks: Vec<String>,
}

/// A format.
#[derive(Debug)]
pub struct Format {
    /// Name of the format on the command line.
    pub name: &'static str,
    /// Content of the files.
    pub about: &'static str,
    /// Ending of the name of the file that says the format, if one does: of the routes where there are
    /// any, else of the network.
    pub ending: Option<&'static str>,
    /// Whether routes stand in a file of their own; `None` where they may.
    pub has_routes: Option<bool>,
    read: fn(&Inputs<'_>) -> Result<Reading, ReadError>,
}

/// Every format there is. A new one is a file and a line.
pub const FORMATS: &[Format] = &[
    Format {
        name: "csv",
        about: "a network in any format of topologies, and next hops in CSV",
        ending: Some("csv"),
        has_routes: Some(true),
        read: csv::read,
    },
    Format {
        name: "relation",
        about: "a relation of Turnpike's, on its topology or on that of a file",
        ending: Some("relation"),
        has_routes: None,
        read: relation::read,
    },
    Format {
        name: "booksim",
        about: "an anynet of BookSim's, with the routes that BookSim finds",
        ending: Some("anynet"),
        has_routes: Some(false),
        read: booksim::read,
    },
    Format {
        name: "floogen",
        about: "the top module that FlooGen writes, and for source routing its package",
        ending: Some("sv"),
        has_routes: None,
        read: floogen::read,
    },
    Format {
        name: "opensm",
        about: "what ibnetdiscover prints, and the forwarding tables of OpenSM",
        ending: None,
        has_routes: Some(true),
        read: opensm::read,
    },
    Format {
        name: "garnet",
        about: "links of gem5's Garnet with their weights, in CSV",
        ending: None,
        has_routes: Some(false),
        read: garnet::read,
    },
];

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// The format of files of these names.
    pub fn of_files(network: &str, routes: Option<&str>) -> Option<&'static Self> {
        let ending = |name: &str| name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
        let said = ending(routes.unwrap_or(network))?;
        FORMATS.iter().find(|format| format.ending == Some(&said))
    }

    /// Reads a network with its routes.
    ///
    /// # Errors
    /// [`ReadError`], with the file and the line where one is at fault.
    pub fn read(&self, inputs: &Inputs<'_>) -> Result<Reading, ReadError> {
        (self.read)(inputs)
    }
}
