//! A circuit of the netlist as rust-hdl sees circuits: a [`Block`] with a clock, whose nets are
//! shown to rust-hdl's probes.

use crate::drivers::driven;
use rust_hdl::core::prelude::*;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::core::type_descriptor::{TypeDescriptor, TypeKind};
use turnpike_netlist::{NetInfo, NetKind};
use turnpike_sim_bench::testbench::Circuit;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::{Evaluator, NetId};

/// A circuit inside rust-hdl.
///
/// The clock is a rust-hdl signal. Inputs that a testbench sets take effect with rust-hdl's next
/// update; where that update has a rising edge, the edge sees them.
#[derive(Debug)]
pub struct Hosted<C> {
    /// The clock; registers take their next value on its rising edge.
    pub clock: Signal<In, Clock>,
    pub circuit: C,
    changed: bool,
    /// rust-hdl's identity of every net, and of the reset.
    ids: Vec<usize>,
    reset_id: usize,
    /// Whether something drives the net, by net.
    driven: Vec<bool>,
}

impl<C: Circuit> Hosted<C> {
    /// The circuit, in its state.
    pub fn new(circuit: C) -> Self {
        let evaluator = circuit.dut().evaluator();
        let ids = (0..evaluator.net_count()).map(|_| get_signal_id()).collect();
        let driven = driven(evaluator);
        let mut clock = Signal::default();
        clock.connect();
        Self { clock, circuit, changed: false, ids, reset_id: get_signal_id(), driven }
    }

    fn dut(&self) -> &Dut {
        self.circuit.dut()
    }

    fn show_scope(&self, scope: usize, probe: &mut dyn Probe) {
        let evaluator = self.dut().evaluator();
        for (net, info) in evaluator.nets(scope) {
            let atom = NetAtom {
                width: info.width,
                kind: kind(scope, info),
                id: self.ids[net.index()],
                connected: self.driven[net.index()],
                source: Source::Net(evaluator, net),
            };
            probe.visit_atom(&info.name, &atom);
        }
        for &child in &evaluator.scopes()[scope].children {
            let name = &evaluator.scopes()[child].name;
            probe.visit_start_scope(name, &Instance);
            self.show_scope(child, probe);
            probe.visit_end_scope(name, &Instance);
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

impl<C: Circuit> Logic for Hosted<C> {
    fn update(&mut self) {
        let mut changed = self.circuit.dut_mut().settle();
        if self.clock.pos_edge() {
            changed |= self.circuit.dut_mut().clock();
        }
        self.changed = changed | self.clock.changed;
    }
}

impl<C: Circuit> Block for Hosted<C> {
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
        let evaluator = self.dut().evaluator();
        if evaluator.module().has_reset {
            let atom = NetAtom {
                width: 1,
                kind: AtomKind::InputParameter,
                id: self.reset_id,
                connected: true,
                source: Source::Reset(evaluator),
            };
            probe.visit_atom("rst", &atom);
        }
        self.show_scope(0, probe);
        probe.visit_end_scope(name, self);
    }
}

/// An instance, for rust-hdl's probes: all there is to know comes with its nets.
struct Instance;

impl Logic for Instance {
    fn update(&mut self) {}
}

impl Block for Instance {
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
    connected: bool,
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

    fn connected(&self) -> bool {
        self.connected
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
