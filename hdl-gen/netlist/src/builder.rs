//! Construction of modules.

use super::expr::{Expr, MemoryId, Net};
use super::module::{
    Crossing, Domain, Instance, Item, Kind, Memory, Module, NetInfo, NetKind, Register,
};
use super::stream::StreamPort;
use super::{CLOCK, RESET, RESET_LOW, RtlError, check};
use std::sync::Arc;
use turnpike_base::names::Names;

/// The parameter of [`ModuleBuilder::width_parameter`].
const WIDTH: &str = "WIDTH";

/// Builds a [`Module`]. Declare all ports before anything else.
///
/// The names of ports, nets, memories and instances are wishes: what is free is granted, and what
/// clashes gets a number ([`Names`]). Ports come first, so that theirs are the plain ones.
#[derive(Debug)]
pub struct ModuleBuilder {
    module: Module,
    /// The names of the module.
    names: Names,
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
        Self::with_names(name, Names::new([CLOCK, RESET, RESET_LOW]))
    }

    /// An empty module without a clock and a reset of its own: it has no registers, and what it places
    /// is in a [`Domain`]. Its nets may be called `clk` and `rst`.
    pub fn of_domains(name: impl Into<String>) -> Self {
        Self::with_names(name, Names::new([]))
    }

    fn with_names(name: impl Into<String>, names: Names) -> Self {
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
                attribute: None,
                clocked: false,
                has_reset: false,
                reset_low: false,
                paths: Vec::new(),
                probes: Vec::new(),
            },
            names,
        }
    }

    /// A line for the head of the file.
    pub fn about(&mut self, line: impl Into<String>) {
        self.module.about.push(line.into());
    }

    /// Gives the module its parameter `WIDTH`; nets of [`ModuleBuilder::parametric`] have it.
    pub fn width_parameter(&mut self, width: u32) {
        self.module.width_parameter = Some(width);
        self.names.take(WIDTH);
    }

    /// Gives the module the reset `aresetn`, active low, in place of `rst`.
    pub fn reset_low(&mut self) {
        self.module.reset_low = true;
    }

    /// Asks synthesis to keep the module as it is: its logic is not merged with what is around.
    pub fn keep_hierarchy(&mut self) {
        self.module.attribute = Some("keep_hierarchy");
    }

    /// Asks synthesis to keep the registers of the module apart: registers one behind the other
    /// that are to stand along a wire would else become a shift register in one place.
    pub fn keep_registers(&mut self) {
        self.module.attribute = Some("shreg_extract = \"no\"");
    }

    /// The names of nets that go together: `names` makes them of a stem. Returns the stem.
    pub(super) fn stem(&mut self, wish: &str, names: impl Fn(&str) -> Vec<String>) -> String {
        self.names.stem(wish, names)
    }

    fn net(&mut self, name: impl Into<String>, width: u32, kind: NetKind) -> Net {
        let name = self.names.identifier(&name.into());
        self.named_net(name, width, kind)
    }

    /// A net whose name is in the table already.
    pub(super) fn named_net(&mut self, name: String, width: u32, kind: NetKind) -> Net {
        let index = self.module.nets.len() as u32;
        let info = NetInfo {
            name,
            width,
            kind,
            parametric: false,
            starts_at_zero: false,
            gathers_unused: false,
            crossing: None,
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

    /// Gives a net another width: where that is known only once there is more of the module.
    /// Returns the net to be used from then on.
    pub fn resize(&mut self, net: Net, width: u32) -> Net {
        self.module.nets[net.index as usize].width = width;
        Net { width, ..net }
    }

    /// Ports that were declared are a stream.
    pub(super) fn declare(&mut self, stream: StreamPort) {
        self.module.streams.push(stream);
    }

    /// The name that a net was given.
    pub fn name_of(&self, net: Net) -> &str {
        &self.module.net(net).name
    }

    /// Lets checks find a net from outside, whatever its name: `what` says what it is.
    pub fn probe(&mut self, what: impl Into<String>, net: Net) {
        self.module.probes.push((what.into(), net));
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

    /// `from`, which is of another clock, after `stages` registers of this one, 2 or more. They hold 0
    /// from the moment of configuration. Only one bit of `from` may change at a time, and it has to
    /// come from a register without logic behind it.
    pub fn synchronised(&mut self, name: &str, from: Net, stages: u32) -> Net {
        let stage = |stage: u32| format!("{name}_sync{stage}");
        let mut last = from;
        let mut registers = Vec::new();
        for number in 1..=stages {
            let net = self.reg_from_zero(stage(number), from.width);
            self.module.nets[net.index as usize].crossing = Some(Crossing::Synchroniser);
            registers.push(Register { net, reset: None, enable: None, next: last.into() });
            last = net;
        }
        self.registers(registers);
        last
    }

    /// Lets a register take on words of another clock that are still by the time ([`Crossing::Still`]).
    pub fn takes_still(&mut self, net: Net) {
        self.module.nets[net.index as usize].crossing = Some(Crossing::Still);
    }

    /// A memory of words of the parameter's width, or of `width` bits.
    pub fn memory(&mut self, name: impl Into<String>, width: u32, depth: u32) -> MemoryId {
        let parametric = self.module.width_parameter == Some(width);
        let name = self.names.identifier(&name.into());
        self.module.memories.push(Memory { name, width, depth, parametric });
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
        let net = self.define(format!("unused_{name}"), 1, bits.into().any());
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
        self.instance_in(Domain::default(), name, module, connections);
    }

    /// Places a module with a clock or a reset of its own, in place of this module's.
    ///
    /// # Panics
    /// As [`ModuleBuilder::instance`].
    pub fn instance_in<'a>(
        &mut self,
        domain: Domain,
        name: impl Into<String>,
        module: &Arc<Module>,
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
        let name = self.names.identifier(&name);
        let instance = Instance { name, module, connections: ordered, domain };
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
        let clocked = own_clock || needs(|i| i.module.clocked && i.domain.clock.is_none());
        let has_reset = own_reset || needs(|i| i.module.has_reset && i.domain.reset.is_none());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StreamType;
    use crate::check::check;

    /// Names that clash, in one module: nets, streams, a memory and an instance.
    fn hostile() -> Arc<Module> {
        let mut pass = ModuleBuilder::new("pass");
        let (a, y) = (pass.input("a", 1), pass.output("y", 1));
        pass.assign(y, a);
        let pass = pass.finish().unwrap();
        let mut m = ModuleBuilder::new("m");
        let stream = m.stream_in("p", StreamType::plain([("in_valid", 1)]));
        let other = m.stream_in("p_in", StreamType::plain([("data", 1)]));
        let out = m.output("P_valid", 1);
        for ready in [&stream, &other].map(|s| s.lanes[0].ready) {
            m.assign(ready, stream.lanes[0].valid);
        }
        let fields = [stream.field("in_valid").unwrap(), other.field("data").unwrap()];
        let all = [fields[0], fields[1], other.lanes[0].valid].map(Expr::from);
        let wire = m.define("wire", 1, Expr::any_of(all));
        let rst = m.wire("rst", 1);
        m.instance("P", &pass, [("a", wire.into()), ("y", rst.into())]);
        let p = m.memory("p", 1, 2);
        m.write(p, Expr::constant(1, 1), rst.into(), rst.into());
        m.assign(out, Expr::Read { memory: p, address: Box::new(rst.into()) });
        m.finish().unwrap()
    }

    #[test]
    fn names_that_clash_get_a_number() {
        let module = hostile();
        let nets: Vec<&str> = module.nets.iter().map(|net| &*net.name).collect();
        let ports = ["p_valid", "p_ready", "p_in_valid", "p_in_2_valid", "p_in_2_ready"];
        assert_eq!(nets[..5], ports);
        assert_eq!(nets[5..], ["p_in_2_data", "P_valid_2", "wire_2", "rst_2"]);
        let instances: Vec<&str> = module.instances().map(|i| &*i.name).collect();
        assert_eq!((instances, &*module.memories[0].name), (vec!["P"], "p_2"));
        assert_eq!(module.stream("p_in").map(|s| s.lanes.len()), Some(1));
    }

    /// A module with names that the name table would not give is refused.
    #[test]
    fn a_module_with_names_that_clash_is_refused() {
        for (name, wanted) in
            [("P_READY", "declared twice"), ("p__x", "no identifier"), ("module", "no identifier")]
        {
            let mut module = (*hostile()).clone();
            module.nets[0].name = name.to_owned();
            let error = check(&module).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn the_parameter_has_its_name_alone() {
        let mut m = ModuleBuilder::new("m");
        m.width_parameter(4);
        let width = m.input("width", 1);
        assert_eq!(m.name_of(width), "width_2");
    }
}
