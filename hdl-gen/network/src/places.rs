//! Terminals by names of a user's own, each at a switch: what a file says, and what it means on a
//! network ([`crate::topology::placed`]).

use crate::records::{ColumnError, Columns, NoRecord, Records};
use crate::topology::concentrated::MOST;
use crate::topology::{Node, Terminal, Topology, TopologyError, sinks_at, sources_at};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;
use turnpike_base::nearest::Nearest;

/// Longest name of a terminal: leaves room for what stands around it in the name of a port.
pub const LONGEST_NAME: usize = 48;

/// Columns of a file.
const COLUMNS: Columns = Columns { known: &["name", "at"], required: 2 };

/// A terminal by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedTerminal {
    /// Number of the line in its file, counted from 1.
    pub line: usize,
    /// Name of the terminal: a letter, then letters, digits and `_`.
    pub name: String,
    /// Label of the switch where it is, or of the terminal of the network that it is.
    pub at: String,
}

/// A list of terminals, before there is a network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlaceList {
    list: Vec<NamedTerminal>,
}

/// A fault of a list of terminals, and its line in the file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}{error}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct PlacesError {
    /// Counted from 1; `None` where no one line is at fault.
    pub line: Option<usize>,
    /// The fault.
    pub error: PlaceError,
}

/// Fault of a list of terminals.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlaceError {
    /// Text that is no table.
    #[error("{0}")]
    Csv(String),
    /// Columns that are none, or fields without one.
    #[error(transparent)]
    Columns(#[from] ColumnError),
    /// No terminal at all.
    #[error("no terminals; give a name and its switch on a line, such as 'cpu0,{0}'")]
    None(String),
    /// A name that no terminal can have.
    #[error(
        "'{0}' is no name of a terminal; use a letter, then letters, digits and '_', up to {LONGEST_NAME} in all, \
         without '__' or '_' at the end"
    )]
    Name(String),
    /// A name that stands there again, in letters of any case.
    #[error(
        "terminal {name} stands in line {first} already; give each a name of its own, whatever the case of letters"
    )]
    Twice {
        /// Name of the terminal.
        name: String,
        /// Line of the first of them.
        first: usize,
    },
    /// A place that the network does not have.
    #[error("terminal {name} is at no switch: {error}{nearest}")]
    Place {
        /// Name of the terminal.
        name: String,
        /// Fault of the label.
        error: TopologyError,
        /// The label that is near, if there is one.
        nearest: Nearest,
    },
    /// More terminals than a place has.
    #[error(
        "terminal {name}: {at} has room for {room}, and line {last} took the last; use another switch"
    )]
    Full {
        /// Name of the terminal.
        name: String,
        /// Label of the place.
        at: String,
        /// Terminals of the network there.
        room: usize,
        /// Line of the terminal that took the last.
        last: usize,
    },
}

impl PlaceError {
    fn at(self, line: usize) -> PlacesError {
        PlacesError { line: Some(line), error: self }
    }
}

impl PlaceList {
    /// Reads a list: CSV with the columns `name` and `at`; `#` begins a comment.
    ///
    /// # Errors
    /// [`PlacesError`] with the line, where one line is at fault.
    pub fn parse(text: &str) -> Result<Self, PlacesError> {
        let mut records = Records::of(text);
        let no_csv = |NoRecord { line, fault }| PlacesError { line, error: PlaceError::Csv(fault) };
        let faulty = |line: usize| move |error| PlaceError::Columns(error).at(line);
        let Some((line, names)) = records.read().map_err(no_csv)? else {
            return Self::of(Vec::new());
        };
        let columns = COLUMNS.of(names).map_err(faulty(line))?;
        let mut list = Vec::new();
        while let Some((line, record)) = records.read().map_err(no_csv)? {
            let (fields, wanted) = (record.len(), columns.len());
            if fields != wanted {
                return Err(faulty(line)(ColumnError::Fields { fields, columns: wanted }));
            }
            let field = |column: usize| {
                let place = columns.iter().position(|&known| known == column);
                place.map_or_else(String::new, |place| record[place].to_owned())
            };
            list.push(NamedTerminal { line, name: field(0), at: field(1) });
        }
        Self::of(list)
    }

    /// List of these terminals.
    ///
    /// # Errors
    /// [`PlacesError`]: a name that no terminal can have, or that two have.
    pub fn of(list: Vec<NamedTerminal>) -> Result<Self, PlacesError> {
        let mut line_of = FxHashMap::default();
        for NamedTerminal { line, name, .. } in &list {
            let of_names = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
            let ends = !name.ends_with('_') && !name.contains("__");
            if !(begins && ends && name.len() <= LONGEST_NAME && name.chars().all(of_names)) {
                return Err(PlaceError::Name(name.clone()).at(*line));
            }
            if let Some(first) = line_of.insert(name.to_ascii_lowercase(), *line) {
                return Err(PlaceError::Twice { name: name.clone(), first }.at(*line));
            }
        }
        Ok(Self { list })
    }

    /// The terminals, in the order of the list.
    pub fn list(&self) -> &[NamedTerminal] {
        &self.list
    }

    /// The least concentration ([`crate::topology::concentrated`]) of a network that has room for
    /// these terminals; 1 where the network has several terminals at a switch of its own accord, and
    /// where a label is one of no place.
    pub fn concentration(&self, topology: &dyn Topology) -> u32 {
        let mut needed: FxHashMap<Vec<Terminal>, u32> = FxHashMap::default();
        for NamedTerminal { at, .. } in &self.list {
            *needed.entry(room(topology, at).unwrap_or_default()).or_default() += 1;
        }
        let single =
            |(room, &needed): (&Vec<Terminal>, &u32)| if room.len() == 1 { needed } else { 1 };
        let most = needed.iter().map(single).max().unwrap_or(1);
        most.next_power_of_two().min(MOST)
    }

    /// The terminals of the list on a network: those at one switch are the terminals that it has there,
    /// one after the other.
    ///
    /// # Errors
    /// [`PlacesError`]: no terminals, a label of no place, more terminals than a place has.
    pub fn on(&self, topology: &dyn Topology) -> Result<Places, PlacesError> {
        let mut names = BTreeMap::new();
        let mut line_of: FxHashMap<Terminal, usize> = FxHashMap::default();
        for NamedTerminal { line, name, at } in &self.list {
            let room = room(topology, at).map_err(|error| {
                let labels = topology.all_nodes().map(|node| topology.label(node));
                let labels: Vec<String> = labels.collect();
                let nearest = Nearest::of(at, labels.iter().map(String::as_str));
                PlaceError::Place { name: name.clone(), error, nearest }.at(*line)
            })?;
            let Some(&free) = room.iter().find(|terminal| !line_of.contains_key(*terminal)) else {
                let last = room.last().and_then(|terminal| line_of.get(terminal));
                let (name, at) = (name.clone(), at.clone());
                let (room, last) = (room.len(), last.copied().unwrap_or(*line));
                return Err(PlaceError::Full { name, at, room, last }.at(*line));
            };
            line_of.insert(free, *line);
            names.insert(free, NamedTerminal { line: 0, name: name.clone(), at: at.clone() });
        }
        match names.is_empty() {
            true => {
                let error = PlaceError::None(topology.label(Node(0)));
                Err(PlacesError { line: None, error })
            }
            false => Ok(Places::new(names)),
        }
    }
}

/// Terminals of a network at the place of a label: of a switch those that send or take packets there;
/// else the one of this label.
///
/// # Errors
/// A label of no place.
pub fn room(topology: &dyn Topology, at: &str) -> Result<Vec<Terminal>, TopologyError> {
    let there = topology.node(at).map(|node| {
        let mut all: Vec<Terminal> =
            sources_at(topology, node).chain(sinks_at(topology, node)).collect();
        all.sort_unstable();
        all.dedup();
        all
    });
    match there {
        Ok(there) if !there.is_empty() => Ok(there),
        _ => topology.terminal(at).map(|terminal| vec![terminal]),
    }
}

/// Names of the terminals of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    names: BTreeMap<Terminal, NamedTerminal>,
    terminals: FxHashMap<String, Terminal>,
}

impl Places {
    fn new(names: BTreeMap<Terminal, NamedTerminal>) -> Self {
        let terminals = names.iter().map(|(&terminal, named)| (named.name.clone(), terminal));
        Self { terminals: terminals.collect(), names }
    }

    /// Name of a terminal; `None` where it has none, and is not there.
    pub fn name(&self, terminal: Terminal) -> Option<&str> {
        self.names.get(&terminal).map(|named| named.name.as_str())
    }

    /// The terminal of a name.
    pub fn terminal(&self, name: &str) -> Option<Terminal> {
        self.terminals.get(name).copied()
    }

    /// Names of all terminals, by ascending terminal.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(|named| named.name.as_str())
    }

    /// Number of terminals.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The terminals as a file, in their canonical form, which [`PlaceList::parse`] reads back.
    pub fn text(&self) -> String {
        let mut text = "name,at\n".to_owned();
        for NamedTerminal { name, at, .. } in self.names.values() {
            writeln!(text, "{name},{at}").expect("a string takes any text");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::concentrated::Concentrated;
    use crate::topology::hypercube::Hypercube;

    fn cube(concentration: u32) -> Concentrated {
        Concentrated::new(Box::new(Hypercube::new(2).unwrap()), concentration).unwrap()
    }

    fn refused(text: &str) -> String {
        let on = PlaceList::parse(text).and_then(|list| list.on(&cube(2)));
        on.unwrap_err().to_string()
    }

    #[test]
    fn terminals_at_a_switch_are_those_it_has() {
        let text = "# a system\nname,at\ncpu0, 00\ndma,11\n\ncpu1,00\n";
        let list = PlaceList::parse(text).unwrap();
        assert_eq!(list.concentration(&cube(1)), 2);
        let places = list.on(&cube(2)).unwrap();
        let names: Vec<_> = (0..8).map(|t| places.name(Terminal(t))).collect();
        let (none, [cpu0, cpu1, dma]) = (None, ["cpu0", "cpu1", "dma"].map(Some));
        assert_eq!(names, [cpu0, cpu1, none, none, none, none, dma, none]);
        assert_eq!(places.terminal("dma"), Some(Terminal(6)));
        let text = places.text();
        assert_eq!(text, "name,at\ncpu0,00\ncpu1,00\ndma,11\n");
        assert_eq!(PlaceList::parse(&text).unwrap().on(&cube(2)).unwrap(), places);
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_line() {
        for (text, wanted) in [
            (
                "name,at\na,00\nb,00\nc,00\n",
                "line 4: terminal c: 00 has room for 2, and line 3 took",
            ),
            ("name,at\na,00\n\nA,01\n", "line 4: terminal A stands in line 2 already"),
            ("name,at\n0a,00\n", "line 2: '0a' is no name of a terminal"),
            ("name,at\na__b,00\n", "line 2: 'a__b' is no name of a terminal"),
            ("name,at\ncpu,3\n", "line 2: terminal cpu is at no switch: "),
            ("name,at\n", "no terminals; "),
            ("name,at,width\na,00,3\n", "line 1: unknown column 'width'"),
            ("name\na\n", "line 1: no column 'at'; begin with a line 'name,at'"),
            ("name,at\na\n", "line 2: 1 fields where there are 2 columns"),
            ("", "no terminals; "),
        ] {
            let error = refused(text);
            assert!(error.starts_with(wanted), "{text:?}: {error}");
        }
    }
}
