//! Multistage networks: stages of switches between a side of sources and a side of sinks.
//!
//! **Butterfly** (R-ary, R^N rows): N stages. The switches of a stage join the rows that differ in
//! one digit of their number: in the first stage the most significant, in the last the least.
//! (The nodes (i, x) of the butterfly as a graph are the rows x between the stages: the row before
//! the first stage is level 0, the one behind stage i level i + 1. A switch is the straight and the
//! cross edges of R rows.)
//!
//! **Benes** (Mathematical Theory of Connecting Networks and Telephone Traffic, 1965): a butterfly
//! and its mirror image, which share the stage in the middle: 2N - 1 stages.
//!
//! **Double butterfly** (Valiant and Brebner, Universal schemes for parallel communication, STOC
//! 1981): one behind the other: 2N stages.
//!
//! **Clos** (A study of non-blocking switching networks, Bell System Technical Journal 32(2), 1953):
//! R first switches of N inputs, M middle switches, R last switches of N outputs; each first and each
//! last switch has a channel to or from each middle switch.
//!
//! **k-ary n-fly** ([`super::fly`]): a butterfly whose sources stand in another order.
//!
//! Terminal t sends into the first stage and takes packets from the last: its ends are apart. Switch
//! i of stage s has label `s_i`; stage by stage they are numbered. Port `line<d>` of a switch between
//! rows is that of the row whose digit is d; of a first or last switch of a Clos network that of
//! middle switch d, and of a middle switch that of first or last switch d.

mod look;

pub use look::Look;

use super::error::check_terminals;
use super::parameter::{DIM, RADIX};
use super::positions::Position;
use super::{
    Clos, Limit, Local, Node, Port, Range, Size, Sizes, Structure, Terminal, Topology,
    TopologyError, TopologyKind, fly, labels, parameter,
};

/// One route at a time.
const MOST_TERMINALS: u32 = 1 << 16;
/// All routes are walked up to here, which takes minutes.
const MOST_ANALYSED: u32 = 1 << 12;
/// Stages of a butterfly, and halves of what two of them make.
const LENGTHS: (u32, u32) = (1, 16);
/// Networks of 2x2 switches.
const BINARY: Sizes = sizes((2, 2));
/// The sizes of networks of rows, by the radix of their switches: as many ports as a topology file
/// takes at most.
const fn sizes(radix: (u32, u32)) -> Sizes {
    let limit = Limit::Analysed { terminals: MOST_TERMINALS, analysed: MOST_ANALYSED };
    Sizes::of([Range::of(&DIM, "N", LENGTHS), Range::of(&RADIX, "R", radix)], limit)
        .with_examples(&["1 2", "2 2", "2 3", "3 2"], &["12 2", "6 4", "3 16"])
}

/// The entry of the butterfly in the list of topologies.
pub const BUTTERFLY: TopologyKind = TopologyKind {
    name: "butterfly",
    aliases: &[],
    summary: "R^N rows and N stages of switches, the first for the highest digit of the row",
    sizes: sizes((2, 32)),
    default_routing: "greedy",
    of_size: |size| Ok(Box::new(Multistage::of(&BUTTERFLY, size)?)),
};
/// The entry of the Benes network.
pub const BENES: TopologyKind = TopologyKind {
    name: "benes",
    aliases: &[],
    summary: "a butterfly and its mirror image, 2N - 1 stages of 2x2 switches",
    sizes: BINARY,
    default_routing: "shortest",
    of_size: |size| Ok(Box::new(Multistage::of(&BENES, size)?)),
};
/// The entry of the double butterfly.
pub const DOUBLE_BUTTERFLY: TopologyKind = TopologyKind {
    name: "double-butterfly",
    aliases: &[],
    summary: "two butterflies, one behind the other: 2N stages of 2x2 switches",
    sizes: BINARY,
    default_routing: "shortest",
    of_size: |size| Ok(Box::new(Multistage::of(&DOUBLE_BUTTERFLY, size)?)),
};
/// The entry of the Clos network.
pub const CLOS: TopologyKind = TopologyKind {
    name: "clos",
    aliases: &[],
    summary: "M middle switches between R first and R last switches of N terminals each",
    sizes: Sizes::of([Range::whole(&parameter::CLOS, "M,N,R")], Limit::Clos)
        .with_examples(&["2,2,2", "3,2,3", "2,3,2", "1,1,2"], &["63,32,32", "1,32,32"]),
    default_routing: "shortest",
    of_size: |size| Ok(Box::new(Multistage::of(&CLOS, size)?)),
};

/// A multistage network.
#[derive(Debug, Clone)]
pub struct Multistage {
    name: &'static str,
    size: Size,
    stages: Stages,
    /// Whether a terminal sends into the row whose lowest digit comes first of its own: t mod R is the
    /// most significant digit, and the others follow.
    rotated: bool,
}

#[derive(Debug, Clone)]
enum Stages {
    /// Stages of rows: the digit in which the rows of a switch differ, stage by stage.
    Rows { radix: u32, length: u32, digits: Vec<u32> },
    /// Three, of a Clos network.
    Clos(Clos),
}

impl Multistage {
    pub(super) fn of(kind: &TopologyKind, size: Size) -> Result<Self, TopologyError> {
        let name = kind.name;
        if let Some(clos) = size.clos() {
            return Ok(Self { name, size, stages: Stages::Clos(clos), rotated: false });
        }
        let [radix, length] = [&RADIX, &DIM].map(|parameter| size.expect(parameter));
        check_terminals(name, u64::from(radix).saturating_pow(length), MOST_TERMINALS)?;
        let down = (0..length).rev();
        let digits = match name {
            _ if [BUTTERFLY.name, fly::KIND.name].contains(&name) => down.collect(),
            _ if name == BENES.name => down.chain(1..length).collect(),
            _ => down.clone().chain(down).collect(),
        };
        let rotated = name == fly::KIND.name;
        Ok(Self { name, size, stages: Stages::Rows { radix, length, digits }, rotated })
    }

    /// The network that a topology is; `None` for another.
    pub fn of_topology(topology: &dyn Topology) -> Option<Self> {
        match topology.structure() {
            Structure::Multistage(found) => Some(found),
            _ => None,
        }
    }

    /// Whether the network is a butterfly, in either order of its sources: one path for each pair.
    pub fn is_butterfly(&self) -> bool {
        [BUTTERFLY.name, fly::KIND.name].contains(&self.name)
    }

    /// Number of stages.
    pub fn stages(&self) -> u32 {
        match &self.stages {
            Stages::Rows { digits, .. } => digits.len() as u32,
            Stages::Clos(_) => 3,
        }
    }

    /// Number of switches of a stage.
    pub fn switches(&self, stage: u32) -> u32 {
        match self.stages {
            Stages::Rows { radix, length, .. } => radix.pow(length - 1),
            Stages::Clos(Clos { middle, outer, .. }) => {
                if stage == 1 {
                    middle
                } else {
                    outer
                }
            }
        }
    }

    /// Inputs of a switch of a stage, terminals' included.
    pub fn inputs(&self, stage: u32) -> u32 {
        match self.stages {
            Stages::Rows { radix, .. } => radix,
            Stages::Clos(Clos { middle, inputs, outer }) => [inputs, outer, middle][stage as usize],
        }
    }

    /// Outputs of a switch of a stage, terminals' included.
    pub fn outputs(&self, stage: u32) -> u32 {
        self.inputs(self.stages() - 1 - stage)
    }

    /// The stage of a switch, and its index there.
    pub fn place(&self, node: Node) -> (u32, u32) {
        if let Stages::Rows { .. } = self.stages {
            let switches = self.switches(0);
            return (node.0 / switches, node.0 % switches);
        }
        let (mut stage, mut index) = (0, node.0);
        while stage + 1 < self.stages() && index >= self.switches(stage) {
            index -= self.switches(stage);
            stage += 1;
        }
        (stage, index)
    }

    /// The switch at a place.
    pub fn at(&self, stage: u32, index: u32) -> Node {
        match self.stages {
            Stages::Rows { .. } => Node(stage * self.switches(0) + index),
            Stages::Clos(_) => {
                Node((0..stage).map(|before| self.switches(before)).sum::<u32>() + index)
            }
        }
    }

    /// Edges of the graph whose nodes are the rows between stages: the crosspoints of full switches.
    /// `None` for a network that is not made of rows.
    pub fn edges(&self) -> Option<u64> {
        match self.stages {
            Stages::Rows { radix, .. } => {
                let edges = u64::from(self.terminals()) * u64::from(radix);
                Some(edges * u64::from(self.stages()))
            }
            Stages::Clos(_) => None,
        }
    }

    /// The row of a digit at a switch between rows; the digit itself in a network that has none.
    pub fn row(&self, node: Node, digit: u32) -> u32 {
        let Stages::Rows { radix, ref digits, .. } = self.stages else { return digit };
        let (stage, index) = self.place(node);
        let stride = radix.pow(digits[stage as usize]);
        index / stride * stride * radix + digit * stride + index % stride
    }

    /// The first stages, so many, at which a packet may take any output and still gets to every
    /// destination: those before the last that join rows by each digit, or before the middle switches.
    pub fn free_stages(&self) -> u32 {
        match &self.stages {
            Stages::Rows { length, digits, .. } => digits.len() as u32 - length,
            Stages::Clos(_) => 1,
        }
    }

    /// The digit of a destination by which the switches of a stage route: between rows that in which
    /// those of a switch differ; in a Clos network d mod M, the last switch, and the terminal's number
    /// there, which does for d mod M where M divides N. The output is the digit, modulo their number.
    pub fn look(&self, stage: u32) -> Look {
        match self.stages {
            Stages::Rows { radix, ref digits, .. } => {
                Look { stride: radix.pow(digits[stage as usize]), base: radix }
            }
            Stages::Clos(Clos { middle, inputs, outer }) => match stage {
                0 if inputs % middle != 0 => Look { stride: 1, base: middle },
                0 => Look { stride: 1, base: inputs },
                1 => Look { stride: inputs, base: outer },
                _ => Look { stride: 1, base: inputs },
            },
        }
    }
}

impl Topology for Multistage {
    fn name(&self) -> &'static str {
        self.name
    }
    fn size(&self) -> Size {
        self.size
    }
    fn structure(&self) -> Structure {
        Structure::Multistage(self.clone())
    }
    fn nodes(&self) -> u32 {
        (0..self.stages()).map(|stage| self.switches(stage)).sum()
    }
    fn terminals(&self) -> u32 {
        self.switches(0) * self.inputs(0)
    }
    fn label(&self, node: Node) -> String {
        let (stage, index) = self.place(node);
        format!("{stage}_{index}")
    }
    fn position(&self, node: Node) -> Option<Position> {
        let (stage, index) = self.place(node);
        let tallest = (0..self.stages()).map(|stage| self.switches(stage)).max().unwrap_or(1);
        let height = f64::from(tallest) / f64::from(self.switches(stage));
        // Links of a tall network would stand upright.
        let width = (f64::from(tallest) / 4.0).max(1.5);
        Some((f64::from(stage) * width, -(f64::from(index) + 0.5) * height))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let place = label.split_once('_').and_then(|(stage, index)| {
            let stage = labels::parse_number(stage).filter(|&stage| stage < self.stages())?;
            let index =
                labels::parse_number(index).filter(|&index| index < self.switches(stage))?;
            Some(self.at(stage, index))
        });
        place.ok_or_else(|| TopologyError::Label {
            topology: self.name,
            label: label.to_owned(),
            expected: format!(
                "a stage below {} and a switch of that stage, such as {}",
                self.stages(),
                self.label(Node(self.nodes() - 1))
            ),
        })
    }
    fn ports(&self) -> u8 {
        let lines = |stage| match stage + 1 == self.stages() {
            true => 0,
            false => self.outputs(stage).max(self.inputs(stage + 1)),
        };
        (0..self.stages()).map(lines).max().unwrap_or(0) as u8
    }
    fn port_name(&self, port: Port) -> String {
        format!("line{}", port.0)
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let ((stage, index), output) = (self.place(from), u32::from(output.0));
        if stage + 1 == self.stages() || output >= self.outputs(stage) {
            return None;
        }
        let (to, input) = match &self.stages {
            Stages::Rows { radix, digits, .. } => {
                let [digit, next] = [stage, stage + 1].map(|at| radix.pow(digits[at as usize]));
                let row = index / digit * digit * radix + output * digit + index % digit;
                (row / (next * radix) * next + row % next, row / next % radix)
            }
            Stages::Clos(_) => (output, index),
        };
        Some((self.at(stage + 1, to), Port(input as u8)))
    }
    fn source(&self, terminal: Terminal) -> Option<(Node, Local)> {
        (terminal.0 < self.terminals()).then(|| self.end(0, self.sends_into(terminal)))
    }
    fn sink(&self, terminal: Terminal) -> Option<(Node, Local)> {
        (terminal.0 < self.terminals()).then(|| self.end(self.stages() - 1, terminal))
    }
    fn source_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.terminal_at(0, node, local).map(|row| self.sender_of(row))
    }
    fn sink_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.terminal_at(self.stages() - 1, node, local)
    }
    fn terminal_label(&self, terminal: Terminal) -> String {
        terminal.0.to_string()
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        let number = labels::parse_number(label).filter(|&number| number < self.terminals());
        number.map(Terminal).ok_or_else(|| TopologyError::Label {
            topology: self.name,
            label: label.to_owned(),
            expected: format!("the number of a terminal, from 0 to {}", self.terminals() - 1),
        })
    }
}

impl Multistage {
    /// The row that a terminal sends into, by the terminal whose sink is there.
    fn sends_into(&self, terminal: Terminal) -> Terminal {
        match self.stages {
            Stages::Rows { radix, .. } if self.rotated => {
                let highest = self.terminals() / radix;
                Terminal(terminal.0 % radix * highest + terminal.0 / radix)
            }
            _ => terminal,
        }
    }

    /// The terminal that sends into a row: the inverse of [`Self::sends_into`].
    fn sender_of(&self, row: Terminal) -> Terminal {
        match self.stages {
            Stages::Rows { radix, .. } if self.rotated => {
                let highest = self.terminals() / radix;
                Terminal(row.0 % highest * radix + row.0 / highest)
            }
            _ => row,
        }
    }

    /// Switch and port of a terminal at the first stage or the last.
    fn end(&self, stage: u32, terminal: Terminal) -> (Node, Local) {
        let (index, local) = match &self.stages {
            Stages::Rows { radix, digits, .. } => {
                let digit = radix.pow(digits[stage as usize]);
                let index = terminal.0 / (digit * radix) * digit + terminal.0 % digit;
                (index, terminal.0 / digit % radix)
            }
            Stages::Clos(Clos { inputs, .. }) => (terminal.0 / inputs, terminal.0 % inputs),
        };
        (self.at(stage, index), Local(local as u8))
    }

    /// The terminal at a local port of a switch of the first stage or the last.
    fn terminal_at(&self, stage: u32, node: Node, Local(local): Local) -> Option<Terminal> {
        let ((at, index), local) = (self.place(node), u32::from(local));
        let terminal = match &self.stages {
            Stages::Rows { radix, digits, .. } => {
                let digit = radix.pow(digits[stage as usize]);
                index / digit * digit * radix + local * digit + index % digit
            }
            Stages::Clos(Clos { inputs, .. }) => index * inputs + local,
        };
        (at == stage && local < self.inputs(0)).then_some(Terminal(terminal))
    }
}

#[cfg(test)]
mod tests;
