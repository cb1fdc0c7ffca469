//! Modules of the netlist: what is in them.

use super::expr::{Expr, MemoryId, Net};
use super::stream::StreamPort;
use std::sync::Arc;

/// Driver of a net.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetKind {
    /// By the instantiating module.
    Input,
    /// By an item, and visible to the instantiating module.
    Output,
    /// By an item.
    Wire,
    /// By a register.
    Register,
}

/// Name, width and driver of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetInfo {
    /// A Verilog identifier, unique in the module.
    pub name: String,
    /// Bits, at least 1.
    pub width: u32,
    /// Driver of the net.
    pub kind: NetKind,
    /// Whether the width is the module's parameter `WIDTH`. Such a net is used whole only.
    pub parametric: bool,
    /// Whether a register holds 0 from the moment of configuration, without any reset.
    pub starts_at_zero: bool,
    /// Whether it gathers bits of ports that nothing needs, for readers and lints: it is not read.
    pub gathers_unused: bool,
    /// Way in which a register takes on what comes out of another clock, if it may.
    pub crossing: Option<Crossing>,
}

/// Way in which a register takes on what comes out of another clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crossing {
    /// A stage of a synchroniser, which may take a cycle more or less: each bit changes alone.
    Synchroniser,
    /// A wait until it has been still for longer than a synchroniser takes: the word of a queue whose
    /// pointers went through one.
    Still,
}

/// Kind and size of a module, where there are several of a kind that differ in size: the name ends
/// in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The kind, part of an identifier: `fifo`.
    pub name: &'static str,
    /// Words of a queue, requests of an arbiter, inputs of a multiplexer.
    pub size: u32,
}

/// Words of equal width, one write port, combinational read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// A Verilog identifier, unique in the module.
    pub name: String,
    /// Bits of a word.
    pub width: u32,
    /// Words.
    pub depth: u32,
    /// Whether the width is the module's parameter `WIDTH`.
    pub parametric: bool,
}

/// A register on the clock's rising edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// The net it drives.
    pub net: Net,
    /// Value under reset; `None`: not reset.
    pub reset: Option<u64>,
    /// One bit; `None`: always.
    pub enable: Option<Expr>,
    /// The value taken on.
    pub next: Expr,
}

/// A module placed in another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// A Verilog identifier, unique in the module.
    pub name: String,
    /// Module that is placed.
    pub module: Arc<Module>,
    /// Per port of `module`, in its order: the expression that drives an input, or the whole
    /// net (as [`Expr::Net`]) that an output drives.
    pub connections: Vec<Expr>,
    /// Clock and reset of its own.
    pub domain: Domain,
}

/// Clock and reset of an instance, where they are not those of the module around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Domain {
    /// The net of one bit that clocks it; `None`: the clock of the module around it. A simulation
    /// takes a net of 1 at the moment of a clock edge as an edge of that clock.
    pub clock: Option<Net>,
    /// The net of one bit that resets it; `None`: the reset of the module around it.
    pub reset: Option<Net>,
}

impl Domain {
    /// The nets of both, where there are any.
    pub fn nets(self) -> impl Iterator<Item = Net> {
        self.clock.into_iter().chain(self.reset)
    }
}

/// One thing in a module, in the order in which it is printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A heading.
    Section(String),
    /// A remark.
    Comment(String),
    /// A continuous assignment.
    Assign {
        /// The net driven.
        net: Net,
        /// Value of the net.
        value: Expr,
    },
    /// A constant table.
    Table {
        /// The net driven.
        net: Net,
        /// The row.
        index: Net,
        /// 2^(width of `index`) values.
        rows: Vec<u64>,
    },
    /// Registers that belong together.
    Registers(Vec<Register>),
    /// The write port of a memory.
    Write {
        /// The memory.
        memory: MemoryId,
        /// One bit.
        enable: Expr,
        /// The word.
        address: Expr,
        /// Word that is written.
        data: Expr,
    },
    /// An instance.
    Instance(Instance),
}

/// A finished, checked module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// A Verilog identifier.
    pub name: String,
    /// Kind and size, where they tell more than the name.
    pub kind: Option<Kind>,
    /// Description of the module: lines for the head of the file.
    pub about: Vec<String>,
    /// Nets; ports come first, in the order of the port list.
    pub nets: Vec<NetInfo>,
    /// The streams among its ports.
    pub streams: Vec<StreamPort>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Items of the module: assignments, registers, memories, instances.
    pub items: Vec<Item>,
    /// The value of the parameter `WIDTH`, where the module has one.
    pub width_parameter: Option<u32>,
    /// Verilog attribute for synthesis, without its marks.
    pub attribute: Option<&'static str>,
    /// Whether it has a port `clk`.
    pub clocked: bool,
    /// Whether it has a reset: a port `rst`, or `aresetn`.
    pub has_reset: bool,
    /// Whether its reset is the port `aresetn`, active low. Inside it is `rst` all the same.
    pub reset_low: bool,
    /// Pairs (input, output) of nets with a combinational path between them.
    pub paths: Vec<(Net, Net)>,
    /// Nets that checks look at from outside, by what they are.
    pub probes: Vec<(String, Net)>,
}

impl Module {
    /// The port of its reset, where it has one, and what drives it out of a reset `high` that is
    /// active high.
    pub fn reset_port(&self, high: &str) -> Option<(&'static str, String)> {
        self.has_reset.then(|| match self.reset_low {
            true => (crate::RESET_LOW, format!("~{high}")),
            false => (crate::RESET, high.to_owned()),
        })
    }

    /// Name of the port of its reset: where clocks and resets are nets, an input that has it.
    pub fn reset_name(&self) -> Option<&'static str> {
        let implicit = self.reset_port(crate::RESET).map(|(port, _)| port);
        let named =
            || [crate::RESET, crate::RESET_LOW].into_iter().find(|n| self.port(n).is_some());
        implicit.or_else(named)
    }

    /// The ports, in order: net and information. The clock and the reset are not among them.
    pub fn ports(&self) -> impl Iterator<Item = (Net, &NetInfo)> {
        let port = |info: &&NetInfo| matches!(info.kind, NetKind::Input | NetKind::Output);
        let nets = self.nets.iter().take_while(port).enumerate();
        nets.map(|(i, info)| (Net { index: i as u32, width: info.width }, info))
    }

    /// Name, width and driver of a net.
    pub fn net(&self, net: Net) -> &NetInfo {
        &self.nets[net.index as usize]
    }

    /// The port of that name.
    pub fn port(&self, name: &str) -> Option<Net> {
        self.ports().find(|(_, info)| info.name == name).map(|(net, _)| net)
    }

    /// The net that checks look at under this heading.
    pub fn probe(&self, what: &str) -> Option<&NetInfo> {
        self.probes.iter().find(|(known, _)| known == what).map(|(_, net)| self.net(*net))
    }

    /// The modules placed in this one, directly.
    pub fn instances(&self) -> impl Iterator<Item = &Instance> {
        self.items.iter().filter_map(|item| match item {
            Item::Instance(instance) => Some(instance),
            _ => None,
        })
    }
}
