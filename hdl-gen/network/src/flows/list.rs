//! Lists of flows by the names of terminals, before there is a network.

use super::classes::{self, ClassEntry, MessageClass};
use super::{Bandwidth, Flow, FlowError, Flows, FlowsError, MOST_FLOWS, read};
use crate::topology::{Terminal, Topology};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;
use turnpike_base::nearest::Nearest;

/// A list of flows by the names of terminals, as a file gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowList {
    pub(super) rows: Vec<Row>,
    /// Message classes, by the lines that say them; where none do, those that flows name.
    pub(super) classes: Vec<ClassEntry>,
}

/// A flow as a table gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowEntry {
    /// Number of its line, counted from 1.
    pub line: usize,
    /// Values by the names of columns.
    pub values: Vec<(String, String)>,
}

/// A line of a list. Its ends are names of terminals, or patterns: `*` stands for any letters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    /// Number of the line, counted from 1.
    pub line: usize,
    pub source: String,
    pub destination: String,
    pub bandwidth: Option<Bandwidth>,
    pub packet_flits: Option<u32>,
    pub burst: Option<u32>,
    pub latency: Option<u32>,
    /// Words of a pattern, in proportion to which a source sends; 1 where none are said.
    pub words: u32,
    /// Name of the class, where there are classes.
    pub class: Option<String>,
}

impl Row {
    pub fn new(line: usize, source: String, destination: String) -> Self {
        let (bandwidth, packet_flits, burst, latency) = (None, None, None, None);
        let (words, class) = (1, None);
        Self { line, source, destination, bandwidth, packet_flits, burst, latency, words, class }
    }

    /// Whether an end is a pattern, which stands for several terminals.
    fn is_pattern(&self) -> bool {
        self.source.contains('*') || self.destination.contains('*')
    }
}

impl FlowList {
    /// Reads a list: CSV with the columns `source` and `destination`, and if wanted `bandwidth`,
    /// `packet`, `burst`, `latency` and `words`; or the lines `SOURCE SINK [WORDS]` of a pattern.
    ///
    /// # Errors
    /// [`FlowsError`] with the line, where one line is at fault.
    pub fn parse(text: &str) -> Result<Self, FlowsError> {
        read::read(text)
    }

    /// List of flows that a table gives, with its message classes.
    ///
    /// # Errors
    /// As [`FlowList::parse`].
    pub fn of(
        classes: Vec<ClassEntry>,
        flows: impl IntoIterator<Item = FlowEntry>,
    ) -> Result<Self, FlowsError> {
        for ClassEntry { line, name, .. } in &classes {
            classes::named(name).map_err(|error| FlowsError::at(*line, error))?;
        }
        let rows = flows.into_iter().map(|flow| read::entry(&flow));
        Ok(Self { rows: rows.collect::<Result<_, _>>()?, classes })
    }

    /// From each terminal to each other.
    pub fn all() -> Self {
        let row = Row::new(1, "*".to_owned(), "*".to_owned());
        Self { rows: vec![row], classes: Vec::new() }
    }

    /// Names of terminals in the list, each once, with the line where it stands first. Patterns name none.
    pub fn names(&self) -> Vec<(usize, &str)> {
        let ends = self.rows.iter().flat_map(|row| {
            [(row.line, row.source.as_str()), (row.line, row.destination.as_str())]
        });
        let mut seen = BTreeSet::new();
        ends.filter(|(_, name)| !name.contains('*') && seen.insert(*name)).collect()
    }

    /// Whether there are message classes.
    pub fn has_classes(&self) -> bool {
        self.rows.iter().any(|row| row.class.is_some())
    }

    /// The message classes, and by row the number of its class.
    fn classes(&self) -> Result<(Vec<MessageClass>, Vec<usize>), FlowsError> {
        let Some(with) = self.rows.iter().find(|row| row.class.is_some()) else {
            return match self.classes.first() {
                None => Ok((Vec::new(), vec![0; self.rows.len()])),
                Some(line) => Err(self.without_flow(&line.name)),
            };
        };
        let mut lines = self.classes.clone();
        for Row { line, class, .. } in self.rows.iter().filter(|_| self.classes.is_empty()) {
            let Some(name) = class else { continue };
            if !lines.iter().any(|known| known.name == *name) {
                let (after, priority) = (Vec::new(), None);
                lines.push(ClassEntry { line: *line, name: name.clone(), after, priority });
            }
        }
        let faulty = |(line, error)| FlowsError::at(line, error);
        let classes = classes::classes(&lines).map_err(faulty)?;
        let find = |row: &Row| {
            let at = |error| FlowsError::at(row.line, error);
            let Some(name) = &row.class else { return Err(at(FlowError::NoClassHere(with.line))) };
            classes.iter().position(|class| class.name == *name).ok_or_else(|| {
                let nearest = Nearest::of(name, classes.iter().map(|class| class.name.as_str()));
                at(FlowError::NoClass { name: name.clone(), nearest })
            })
        };
        let of_row = self.rows.iter().map(find).collect::<Result<Vec<usize>, _>>()?;
        Ok((classes, of_row))
    }

    /// Fault of a class that no flow of the network is of: a pattern may stand for none.
    fn without_flow(&self, name: &str) -> FlowsError {
        let by_line = self.classes.iter().filter(|line| line.name == name).map(|line| line.line);
        let of_class = |row: &&Row| row.class.as_deref() == Some(name);
        let by_row = self.rows.iter().filter(of_class).map(|row| row.line);
        let error = FlowError::ClassWithoutFlow(name.to_owned());
        FlowsError { line: by_line.chain(by_row).next(), error }
    }

    /// The flows of the list on a network. A pattern (`cpu*`, or `*` for all) stands for each
    /// terminal that fits; it makes no flow from a terminal to itself.
    ///
    /// # Errors
    /// [`FlowsError`]: a name of no terminal that sends or takes packets, a flow that stands there
    /// twice, no flow at all, more than the link of a terminal carries.
    pub fn on(&self, topology: &dyn Topology) -> Result<Flows, FlowsError> {
        let (sources, sinks) = (ends(topology, SENDS), ends(topology, TAKES));
        let with = self.rows.iter().find(|row| row.bandwidth.is_some());
        let without = self.rows.iter().find(|row| row.bandwidth.is_none());
        if let (Some(with), Some(without)) = (with, without) {
            return Err(FlowsError::at(without.line, FlowError::Unsaid(with.line)));
        }
        let (classes, class_of) = self.classes()?;
        let bits = topology.address_bits();
        let mut line_of: FxHashMap<(Terminal, Terminal), usize> = FxHashMap::default();
        let mut flows = Vec::new();
        for (row, class) in self.rows.iter().zip(class_of) {
            let stream = |terminal: Terminal| Terminal((class as u32) << bits | terminal.0);
            let at = |error| FlowsError::at(row.line, error);
            let from = fitting(topology, &sources, &row.source, SENDS).map_err(at)?;
            let to = fitting(topology, &sinks, &row.destination, TAKES).map_err(at)?;
            for (&source, &destination) in
                from.iter().flat_map(|source| to.iter().map(move |to| (source, to)))
            {
                if row.is_pattern() && source == destination {
                    continue;
                }
                let ends = [source, destination];
                let [source, destination] = ends.map(stream);
                if let Some(first) = line_of.insert((source, destination), row.line) {
                    let [source_label, destination] = ends.map(|end| topology.terminal_label(end));
                    return Err(at(FlowError::Twice { source_label, destination, first }));
                }
                let Row { bandwidth, packet_flits, burst, latency, words, .. } = *row;
                flows.push(Flow {
                    source,
                    destination,
                    bandwidth,
                    packet_flits,
                    burst,
                    latency,
                    words,
                });
                if flows.len() > MOST_FLOWS {
                    return Err(FlowError::Many.into());
                }
            }
        }
        if let ([only], [other], true) = (&sources[..], &sinks[..], flows.is_empty())
            && only == other
            && !self.rows.is_empty()
        {
            return Err(FlowError::Alone(only.0.clone()).into());
        }
        if flows.is_empty() {
            let name =
                |ends: &[(String, Terminal)]| ends.first().map_or("a", |(name, _)| name).to_owned();
            return Err(FlowError::None(name(&sources), name(&sinks)).into());
        }
        let flows = Flows::new(flows, classes, bits);
        let silent = (0..flows.classes().len()).find(|&class| {
            let mut list = flows.list().iter();
            list.all(|flow| flows.class_of(flow.source) != class)
        });
        if let Some(class) = silent {
            return Err(self.without_flow(&flows.classes()[class].name));
        }
        let ends = flows.list().iter().flat_map(|flow| [flow.source, flow.destination]);
        let streams: BTreeSet<Terminal> = ends.filter(|_| !flows.classes().is_empty()).collect();
        let class = |stream| flows.classes()[flows.class_of(stream)].name.clone();
        let name = |stream| topology.terminal_label(flows.address(stream));
        labels_differ("terminal", streams.iter().map(|&stream| (name(stream), class(stream))))?;
        links_carry(topology, &flows)?;
        Ok(flows)
    }
}

/// Role of an end of a flow.
#[derive(Clone, Copy)]
struct Role {
    /// Words for it: the terminal that ...
    does: &'static str,
    sends: bool,
}

const SENDS: Role = Role { does: "sends", sends: true };
const TAKES: Role = Role { does: "takes packets", sends: false };

/// Terminals of one role, each with its name.
fn ends(topology: &dyn Topology, role: Role) -> Vec<(String, Terminal)> {
    let all = if role.sends { topology.sources() } else { topology.sinks() };
    all.map(|terminal| (topology.terminal_label(terminal), terminal)).collect()
}

/// The terminals that a name or pattern stands for, in their order.
fn fitting(
    topology: &dyn Topology,
    ends: &[(String, Terminal)],
    name: &str,
    role: Role,
) -> Result<Vec<Terminal>, FlowError> {
    let found: Vec<Terminal> = match name.contains('*') {
        true => ends.iter().filter(|(label, _)| fits(name, label)).map(|end| end.1).collect(),
        // As the network reads labels, which may have several forms.
        false => match if role.sends { topology.sender(name) } else { topology.receiver(name) } {
            Ok(terminal) => vec![terminal],
            Err(error) if topology.terminal(name).is_ok() => return Err(error.into()),
            Err(_) => Vec::new(),
        },
    };
    if !found.is_empty() {
        return Ok(found);
    }
    let nearest = Nearest::of(name, ends.iter().map(|(label, _)| label.as_str()));
    let remedy = match ends.first() {
        Some((label, _)) => format!("name one such as {label}, or a pattern such as *"),
        None => "this network has none".to_owned(),
    };
    Err(FlowError::Terminal { name: name.to_owned(), role: role.does, nearest, remedy })
}

/// Whether a name fits a pattern, in which each `*` stands for any letters.
pub fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        // The first place leaves most for what follows.
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// An end of a flow.
type End = fn(&Flow) -> Terminal;
/// Value of a column, for a flow that has one.
type Column = fn(&Flow) -> Option<String>;

/// Whether labels that are put together from a name and that of a class, as those of streams, differ: files
/// and options name things by them.
fn labels_differ(
    what: &'static str,
    of_classes: impl Iterator<Item = (String, String)>,
) -> Result<(), FlowError> {
    let mut first = FxHashMap::default();
    for (name, class) in of_classes {
        let here = format!("{what} {name} on class {class}");
        let label = format!("{name}_{class}");
        if let Some(there) = first.insert(label.clone(), here.clone()) {
            let both = format!("{there} and for {here}");
            return Err(FlowError::SameLabel { label, both, what });
        }
    }
    Ok(())
}

/// Whether the link of each terminal carries the flows that are said to use it.
fn links_carry(topology: &dyn Topology, flows: &Flows) -> Result<(), FlowError> {
    let ends: [(&'static str, End); 2] =
        [("from", |flow| flow.source), ("to", |flow| flow.destination)];
    for (direction, end) in ends {
        let mut sums: FxHashMap<Terminal, u64> = FxHashMap::default();
        for flow in flows.list() {
            *sums.entry(end(flow)).or_default() += flow.bandwidth.unwrap_or_default().0;
        }
        let over = sums.into_iter().filter(|&(_, sum)| sum > Bandwidth::WHOLE.0).min();
        if let Some((terminal, sum)) = over {
            let terminal = topology.terminal_label(flows.address(terminal));
            let sum = Bandwidth(sum);
            return Err(FlowError::Link { terminal, direction, sum });
        }
    }
    Ok(())
}

impl Flows {
    /// The flows, where each message class has a network of its own, like `topology`.
    ///
    /// # Errors
    /// Two nodes of these networks that would have one label.
    pub fn separated(self, topology: &dyn Topology) -> Result<Self, FlowsError> {
        let classes = self.classes.iter();
        let nodes = classes.flat_map(|class| {
            topology.all_nodes().map(|node| (topology.label(node), class.name.clone()))
        });
        labels_differ("node", nodes)?;
        Ok(Self { are_separate: true, ..self })
    }

    /// The flows as a file, in their canonical form, which [`FlowList::parse`] reads back: the columns
    /// that some flow needs.
    pub fn text(&self, topology: &dyn Topology) -> String {
        let label = |terminal| topology.place_label(terminal);
        let columns: [(&str, Column); 5] = [
            ("bandwidth", |flow| flow.bandwidth.map(|bandwidth| bandwidth.to_string())),
            ("packet", |flow| flow.packet_flits.map(|flits| flits.to_string())),
            ("burst", |flow| flow.burst.map(|flits| flits.to_string())),
            ("latency", |flow| flow.latency.map(|cycles| cycles.to_string())),
            ("words", |flow| (flow.words > 1).then(|| flow.words.to_string())),
        ];
        let needed =
            |(_, value): &&(&str, Column)| self.list.iter().any(|flow| value(flow).is_some());
        let columns: Vec<_> = columns.iter().filter(needed).collect();
        let names = columns.iter().map(|(name, _)| format!(",{name}")).collect::<String>();
        let mut text = String::new();
        for MessageClass { name, after, priority, .. } in &self.classes {
            let after: String =
                after.iter().map(|&other| format!(" {}", self.classes[other].name)).collect();
            let after = if after.is_empty() { after } else { format!(" after{after}") };
            let priority = match priority {
                0 => String::new(),
                priority => format!(" priority {priority}"),
            };
            writeln!(text, "class {name}{after}{priority}").expect("a string takes any text");
        }
        let class = if self.classes.is_empty() { "" } else { ",class" };
        writeln!(text, "source,destination{class}{names}").expect("a string takes any text");
        for flow in &self.list {
            let values =
                columns.iter().map(|(_, value)| format!(",{}", value(flow).unwrap_or_default()));
            let (from, to) = (label(flow.source), label(flow.destination));
            let class = self.classes.get(self.class_of(flow.source));
            let class = class.map(|class| format!(",{}", class.name)).unwrap_or_default();
            writeln!(text, "{from},{to}{class}{}", values.collect::<String>())
                .expect("a string takes any text");
        }
        text
    }
}
