//! How modules are built.

use super::expr::{Expr, MemoryId, Net};
use super::module::{Instance, Item, Kind, Memory, Module, NetInfo, NetKind, Register};
use super::stream::StreamPort;
use super::{RtlError, check};
use std::sync::Arc;

/// Builds a [`Module`]. Declare all ports before anything else.
#[derive(Debug)]
pub struct ModuleBuilder {
    module: Module,
}

impl ModuleBuilder {
    /// A module of a kind and a size, `<prefix>_<kind>_<size>`.
    pub fn of_kind(prefix: &str, name: &'static str, size: u32) -> Self {
        let mut builder = Self::new(format!("{prefix}_{name}_{size}"));
        builder.module.kind = Some(Kind { name, size });
        builder
    }

    /// An empty module.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            module: Module {
                name: name.into(),
                kind: None,
                about: Vec::new(),
                nets: Vec::new(),
                streams: Vec::new(),
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
        let info = NetInfo {
            name,
            width,
            kind,
            parametric: false,
            starts_at_zero: false,
            gathers_unused: false,
        };
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

    /// Ports that were declared are a stream.
    pub(super) fn declare(&mut self, stream: StreamPort) {
        self.module.streams.push(stream);
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

    /// Gathers bits of ports that nothing needs in a wire of one bit, which no one reads.
    pub fn gather_unused(&mut self, name: &str, bits: impl Into<Expr>) {
        let net = self.define(format!("_unused_{name}"), 1, bits.into().any());
        self.module.nets[net.index as usize].gathers_unused = true;
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
