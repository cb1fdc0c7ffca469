//! Modules of the netlist and how they are built.

use super::expr::{Expr, MemoryId, Net};
use super::{RtlError, check};
use std::sync::Arc;

/// How a net is driven.
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

/// What is known of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetInfo {
    /// A Verilog identifier, unique in the module.
    pub name: String,
    /// Bits, at least 1.
    pub width: u32,
    /// How it is driven.
    pub kind: NetKind,
    /// Whether the width is the module's parameter `WIDTH`. Such a net is used whole only.
    pub parametric: bool,
    /// Whether a register holds 0 from the moment of configuration, without any reset.
    pub starts_at_zero: bool,
}

impl NetInfo {
    /// Whether it gathers bits of ports that nothing needs, for readers and lints: it is not
    /// read.
    pub fn gathers_unused(&self) -> bool {
        self.kind == NetKind::Wire && self.name.starts_with("_unused")
    }
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
    /// What is placed.
    pub module: Arc<Module>,
    /// Per port of `module`, in its order: the expression that drives an input, or the whole
    /// net (as [`Expr::Net`]) that an output drives.
    pub connections: Vec<Expr>,
    /// The net of one bit that resets it; `None`: the reset of the module around it.
    pub reset: Option<Net>,
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
        /// Its value.
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
        /// Its new value.
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
    /// What it is: lines for the head of the file.
    pub about: Vec<String>,
    /// Nets; ports come first, in the order of the port list.
    pub nets: Vec<NetInfo>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// What is in it.
    pub items: Vec<Item>,
    /// The value of the parameter `WIDTH`, where the module has one.
    pub width_parameter: Option<u32>,
    /// Whether synthesis is asked to keep it as a module of its own.
    pub keep_hierarchy: bool,
    /// Whether it has a port `clk`.
    pub clocked: bool,
    /// Whether it has a reset: a port `rst`, or `aresetn`.
    pub has_reset: bool,
    /// Whether its reset is the port `aresetn`, active low. Inside it is `rst` all the same.
    pub reset_low: bool,
    /// Pairs (input, output) of nets with a combinational path between them.
    pub paths: Vec<(Net, Net)>,
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

    /// The ports, in order: net and information. The clock and the reset are not among them.
    pub fn ports(&self) -> impl Iterator<Item = (Net, &NetInfo)> {
        let port = |info: &&NetInfo| matches!(info.kind, NetKind::Input | NetKind::Output);
        let nets = self.nets.iter().take_while(port).enumerate();
        nets.map(|(i, info)| (Net { index: i as u32, width: info.width }, info))
    }

    /// What is known of a net.
    pub fn net(&self, net: Net) -> &NetInfo {
        &self.nets[net.index as usize]
    }

    /// The port of that name.
    pub fn port(&self, name: &str) -> Option<Net> {
        self.ports().find(|(_, info)| info.name == name).map(|(net, _)| net)
    }

    /// The modules placed in this one, directly.
    pub fn instances(&self) -> impl Iterator<Item = &Instance> {
        self.items.iter().filter_map(|item| match item {
            Item::Instance(instance) => Some(instance),
            _ => None,
        })
    }
}

/// Builds a [`Module`]. Declare all ports before anything else.
#[derive(Debug)]
pub struct ModuleBuilder {
    module: Module,
}

impl ModuleBuilder {
    /// An empty module.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            module: Module {
                name: name.into(),
                about: Vec::new(),
                nets: Vec::new(),
                memories: Vec::new(),
                items: Vec::new(),
                width_parameter: None,
                keep_hierarchy: false,
                clocked: false,
                has_reset: false,
                reset_low: false,
                paths: Vec::new(),
            },
        }
    }

    /// A line for the head of the file.
    pub fn about(&mut self, line: impl Into<String>) {
        self.module.about.push(line.into());
    }

    /// Gives the module its parameter `WIDTH`; nets of [`ModuleBuilder::parametric`] have it.
    pub fn width_parameter(&mut self, width: u32) {
        self.module.width_parameter = Some(width);
    }

    /// Gives the module the reset `aresetn`, active low, in place of `rst`.
    pub fn reset_low(&mut self) {
        self.module.reset_low = true;
    }

    /// Asks synthesis to keep the module as it is: its logic is not merged with what is around.
    pub fn keep_hierarchy(&mut self) {
        self.module.keep_hierarchy = true;
    }

    fn net(&mut self, name: impl Into<String>, width: u32, kind: NetKind) -> Net {
        let index = self.module.nets.len() as u32;
        let name = name.into();
        let info = NetInfo { name, width, kind, parametric: false, starts_at_zero: false };
        self.module.nets.push(info);
        Net { index, width }
    }

    /// An input port.
    pub fn input(&mut self, name: impl Into<String>, width: u32) -> Net {
        self.net(name, width, NetKind::Input)
    }

    /// An output port.
    pub fn output(&mut self, name: impl Into<String>, width: u32) -> Net {
        self.net(name, width, NetKind::Output)
    }

    /// A wire, to be driven by an item.
    pub fn wire(&mut self, name: impl Into<String>, width: u32) -> Net {
        self.net(name, width, NetKind::Wire)
    }

    /// A net to be driven by a register.
    pub fn reg(&mut self, name: impl Into<String>, width: u32) -> Net {
        self.net(name, width, NetKind::Register)
    }

    /// Makes the width of a net the parameter `WIDTH`.
    pub fn parametric(&mut self, net: Net) -> Net {
        self.module.nets[net.index as usize].parametric = true;
        net
    }

    /// A net to be driven by a register that holds 0 from the moment of configuration: what
    /// counts before there is any reset.
    pub fn reg_from_zero(&mut self, name: impl Into<String>, width: u32) -> Net {
        let net = self.reg(name, width);
        self.module.nets[net.index as usize].starts_at_zero = true;
        net
    }

    /// A memory of words of the parameter's width, or of `width` bits.
    pub fn memory(&mut self, name: impl Into<String>, width: u32, depth: u32) -> MemoryId {
        let parametric = self.module.width_parameter == Some(width);
        self.module.memories.push(Memory { name: name.into(), width, depth, parametric });
        MemoryId(self.module.memories.len() as u32 - 1)
    }

    /// A heading.
    pub fn section(&mut self, text: impl Into<String>) {
        self.module.items.push(Item::Section(text.into()));
    }

    /// A remark.
    pub fn comment(&mut self, text: impl Into<String>) {
        self.module.items.push(Item::Comment(text.into()));
    }

    /// Drives a wire or output.
    pub fn assign(&mut self, net: Net, value: impl Into<Expr>) {
        self.module.items.push(Item::Assign { net, value: value.into() });
    }

    /// A wire and its driver in one.
    pub fn define(&mut self, name: impl Into<String>, width: u32, value: impl Into<Expr>) -> Net {
        let net = self.wire(name, width);
        self.assign(net, value);
        net
    }

    /// Drives a wire by a table.
    pub fn table(&mut self, net: Net, index: Net, rows: Vec<u64>) {
        self.module.items.push(Item::Table { net, index, rows });
    }

    /// Drives nets by registers that belong together.
    pub fn registers(&mut self, registers: Vec<Register>) {
        self.module.items.push(Item::Registers(registers));
    }

    /// The write port of a memory.
    pub fn write(&mut self, memory: MemoryId, enable: Expr, address: Expr, data: Expr) {
        self.module.items.push(Item::Write { memory, enable, address, data });
    }

    /// Places a module; `connections` by port name, in any order.
    ///
    /// # Panics
    /// If a port is named that is not there, or one is left out.
    pub fn instance<'a>(
        &mut self,
        name: impl Into<String>,
        module: &Arc<Module>,
        connections: impl IntoIterator<Item = (&'a str, Expr)>,
    ) {
        self.place(name, module, None, connections);
    }

    /// Places a module under a reset of its own: `reset`, one bit, in place of this module's.
    ///
    /// # Panics
    /// As [`ModuleBuilder::instance`].
    pub fn instance_under<'a>(
        &mut self,
        reset: Net,
        name: impl Into<String>,
        module: &Arc<Module>,
        connections: impl IntoIterator<Item = (&'a str, Expr)>,
    ) {
        self.place(name, module, Some(reset), connections);
    }

    fn place<'a>(
        &mut self,
        name: impl Into<String>,
        module: &Arc<Module>,
        reset: Option<Net>,
        connections: impl IntoIterator<Item = (&'a str, Expr)>,
    ) {
        let name = name.into();
        let mut by_port: std::collections::HashMap<&str, Expr> = connections.into_iter().collect();
        let ordered: Vec<Expr> = module
            .ports()
            .map(|(_, info)| {
                by_port
                    .remove(info.name.as_str())
                    .unwrap_or_else(|| panic!("{name}: port {} is not connected", info.name))
            })
            .collect();
        assert!(by_port.is_empty(), "{name}: no such port: {:?}", by_port.keys());
        let module = Arc::clone(module);
        let instance = Instance { name, module, connections: ordered, reset };
        self.module.items.push(Item::Instance(instance));
    }

    /// Checks the module; see [`super::check`] for the rules.
    ///
    /// # Errors
    /// [`RtlError`] with the net at fault.
    pub fn finish(self) -> Result<Arc<Module>, RtlError> {
        let mut module = self.module;
        let needs = |test: fn(&Instance) -> bool| module.instances().any(test);
        let own_clock =
            module.items.iter().any(|i| matches!(i, Item::Registers(_) | Item::Write { .. }));
        let own_reset = module.items.iter().any(uses_reset);
        let clocked = own_clock || needs(|i| i.module.clocked);
        let has_reset = own_reset || needs(|i| i.module.has_reset && i.reset.is_none());
        (module.clocked, module.has_reset) = (clocked, has_reset);
        check::check(&module)?;
        module.paths = check::paths(&module)?;
        Ok(Arc::new(module))
    }
}

fn uses_reset(item: &Item) -> bool {
    let reads = |e: &Expr| e.contains(&|e| matches!(e, Expr::Reset));
    match item {
        Item::Assign { value, .. } => reads(value),
        Item::Registers(list) => list
            .iter()
            .any(|r| r.reset.is_some() || reads(&r.next) || r.enable.as_ref().is_some_and(reads)),
        Item::Write { enable, address, data, .. } => [enable, address, data].into_iter().any(reads),
        Item::Instance(instance) => instance.connections.iter().any(reads),
        Item::Section(_) | Item::Comment(_) | Item::Table { .. } => false,
    }
}
