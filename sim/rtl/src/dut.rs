//! The RTL inside rust-hdl: a [`Dut`] is a rust-hdl circuit whose inside is the netlist.

use crate::eval::{Evaluator, NetId, Scope};
use rust_hdl::core::prelude::*;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::core::type_descriptor::{TypeDescriptor, TypeKind};
use turnpike_netlist::{Design, NetInfo, NetKind};

/// A device under test: a module of the netlist as a rust-hdl [`Block`].
///
/// The clock is a rust-hdl signal; the other ports are as the module has them and are set and
/// read by name or handle. Values set take effect with rust-hdl's next update; where that
/// update also has a rising edge, the edge sees them. So a testbench sets inputs with the
/// falling edge, and finds the outputs that follow from them after it.
#[derive(Debug)]
pub struct Dut {
    /// The clock; registers take their next value on its rising edge.
    pub clock: Signal<In, Clock>,
    evaluator: Evaluator,
    changed: bool,
    /// rust-hdl's identity of every net, and of the reset.
    ids: Vec<usize>,
    reset_id: usize,
}

impl Dut {
    /// The circuit of a design, in reset's absence, with every input 0.
    pub fn new(design: &Design) -> Self {
        Self::of(Evaluator::new(design))
    }

    /// The circuit of an evaluator, in its state.
    pub fn of(evaluator: Evaluator) -> Self {
        let ids = (0..evaluator.net_count()).map(|_| get_signal_id()).collect();
        let mut clock = Signal::default();
        clock.connect();
        Self { clock, evaluator, changed: false, ids, reset_id: get_signal_id() }
    }

    /// The netlist inside.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The handle of a port.
    ///
    /// # Panics
    /// If the module has no such port.
    pub fn port(&self, name: &str) -> NetId {
        let module = self.evaluator.module();
        let port = self.evaluator.port(name);
        port.unwrap_or_else(|| panic!("{} has no port {name}", module.name))
    }

    /// The handle of a port, where there is one of this name.
    pub fn find_port(&self, name: &str) -> Option<NetId> {
        self.evaluator.port(name)
    }

    /// Sets the reset from the next update on.
    pub fn set_reset(&mut self, reset: bool) {
        self.evaluator.set_reset(reset);
    }

    /// Sets an input of up to 64 bits from the next update on.
    pub fn set(&mut self, input: NetId, value: u64) {
        self.evaluator.set(input, &[value]);
    }

    /// Sets up to 64 bits of an input from the next update on: `width` bits from `low` up.
    pub fn set_bits(&mut self, input: NetId, low: u32, width: u32, value: u64) {
        self.evaluator.set_bits(input, low, width, value);
    }

    /// Sets `width` bits of an input from `low` up, out of words of 64 bits, the lowest first;
    /// missing words are 0.
    pub fn set_words(&mut self, input: NetId, low: u32, width: u32, words: &[u64]) {
        for (i, done) in (0..width).step_by(64).enumerate() {
            let word = words.get(i).copied().unwrap_or(0);
            self.evaluator.set_bits(input, low + done, (width - done).min(64), word);
        }
    }

    /// The low 64 bits of a net, as of the last update.
    pub fn get(&self, net: NetId) -> u64 {
        self.evaluator.get_low(net)
    }

    /// Up to 64 bits of a net, as of the last update: `width` bits from `low` up.
    pub fn get_bits(&self, net: NetId, low: u32, width: u32) -> u64 {
        self.evaluator.get_bits(net, low, width)
    }

    /// `width` bits of a net from `low` up, in words of 64 bits, the lowest first.
    pub fn get_words(&self, net: NetId, low: u32, width: u32) -> impl Iterator<Item = u64> {
        (0..width)
            .step_by(64)
            .map(move |done| self.evaluator.get_bits(net, low + done, (width - done).min(64)))
    }

    fn show_scope(&self, scope: usize, probe: &mut dyn Probe) {
        for (net, info) in self.evaluator.nets(scope) {
            let kind = kind(scope, info);
            let id = self.ids[net.index()];
            let source = Source::Net(&self.evaluator, net);
            probe.visit_atom(&info.name, &NetAtom { width: info.width, kind, id, source });
        }
        for &child in &self.evaluator.scopes()[scope].children {
            let inner = &self.evaluator.scopes()[child];
            probe.visit_start_scope(&inner.name, inner);
            self.show_scope(child, probe);
            probe.visit_end_scope(&inner.name, inner);
        }
    }
}

fn kind(scope: usize, info: &NetInfo) -> AtomKind {
    match info.kind {
        NetKind::Input if scope == 0 => AtomKind::InputParameter,
        NetKind::Output if scope == 0 => AtomKind::OutputParameter,
        _ => AtomKind::LocalSignal,
    }
}

impl Logic for Dut {
    fn update(&mut self) {
        let mut changed = self.evaluator.settle();
        if self.clock.pos_edge() {
            changed |= self.evaluator.clock();
        }
        self.changed = changed | self.clock.changed;
    }
}

impl Block for Dut {
    fn connect_all(&mut self) {
        self.connect();
    }

    fn update_all(&mut self) {
        self.clock.update_all();
        self.update();
    }

    fn has_changed(&self) -> bool {
        self.changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.clock.accept("clk", probe);
        if self.evaluator.module().has_reset {
            let source = Source::Reset(&self.evaluator);
            let (kind, id) = (AtomKind::InputParameter, self.reset_id);
            probe.visit_atom("rst", &NetAtom { width: 1, kind, id, source });
        }
        self.show_scope(0, probe);
        probe.visit_end_scope(name, self);
    }
}

/// An instance, for rust-hdl's probes: all there is to know comes with its nets.
impl Logic for Scope {
    fn update(&mut self) {}
}

impl Block for Scope {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, _name: &str, _probe: &mut dyn Probe) {}
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Net(&'a Evaluator, NetId),
    Reset(&'a Evaluator),
}

/// A net, as rust-hdl's probes see signals.
struct NetAtom<'a> {
    width: u32,
    kind: AtomKind,
    id: usize,
    source: Source<'a>,
}

impl NetAtom<'_> {
    fn bit(&self, at: u32) -> bool {
        match self.source {
            Source::Net(evaluator, net) => evaluator.get_bits(net, at, 1) == 1,
            Source::Reset(evaluator) => evaluator.reset(),
        }
    }
}

impl Atom for NetAtom<'_> {
    fn bits(&self) -> usize {
        self.width as usize
    }

    /// Every net has a driver: that is checked when the module is built.
    fn connected(&self) -> bool {
        true
    }

    fn changed(&self) -> bool {
        false
    }

    fn kind(&self) -> AtomKind {
        self.kind
    }

    fn descriptor(&self) -> TypeDescriptor {
        let bits = self.bits();
        TypeDescriptor { name: format!("Bits::<{bits}>"), kind: TypeKind::Bits(bits) }
    }

    fn vcd(&self) -> VCDValue {
        let value = |at| vcd::Value::from(self.bit(at));
        match self.width {
            1 => VCDValue::Single(value(0)),
            width => VCDValue::Vector((0..width).rev().map(value).collect()),
        }
    }

    fn id(&self) -> usize {
        self.id
    }

    /// rust-hdl prints this for constants, of which there are none here; so 64 bits will do.
    fn verilog(&self) -> VerilogLiteral {
        let low = (0..self.width.min(64)).rev();
        VerilogLiteral::from(low.fold(0u64, |v, at| v << 1 | u64::from(self.bit(at))))
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        Vec::new()
    }
}
