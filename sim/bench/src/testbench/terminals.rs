//! Circuits with AXI4-Stream terminals.

use super::Clocked;
use rust_hdl::core::prelude::*;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_netlist::RtlError;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::stimulus::{FabricModel, InputBeat, Inputs, Stimulus};
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::NetId;

/// A circuit with AXI4-Stream terminals, as `rtl::fabric` builds them. Flits are the values of
/// the fields of [`FabricPlan::flit_fields`], each in (width + 63) / 64 words, the lowest first.
/// A terminal that only takes packets has no `s_axis`, one that only sends no `m_axis`: what is
/// set there is lost, and what is read is low.
pub trait Terminals {
    /// Sets `rst`.
    fn set_reset(&mut self, reset: bool);
    /// Drives a terminal's `s_axis`: `tdest` and the flit, or `tvalid` low.
    fn set_source(&mut self, terminal: u32, beat: Option<(u32, &[u64])>);
    /// Drives a terminal's `m_axis_tready`.
    fn set_sink(&mut self, terminal: u32, ready: bool);
    /// A terminal's `s_axis_tready`.
    fn source_ready(&self, terminal: u32) -> bool;
    /// A terminal's `s_axis_error`.
    fn source_error(&self, terminal: u32) -> bool;
    /// A terminal's `m_axis_tvalid`.
    fn sink_valid(&self, terminal: u32) -> bool;
    /// Adds the flit at a terminal's `m_axis`, valid or not.
    fn sink_flit(&self, terminal: u32, into: &mut Vec<u64>);
}

#[derive(Clone, Copy, Debug)]
struct Field {
    width: u32,
    /// The port at the source; the source's address has none.
    source: Option<NetId>,
    sink: NetId,
}

/// The fabric of a plan as a rust-hdl circuit with terminals.
#[derive(Debug)]
pub struct FabricDut {
    /// The circuit.
    pub dut: Dut,
    s_valid: NetId,
    s_ready: NetId,
    s_dest: NetId,
    s_error: NetId,
    m_valid: NetId,
    m_ready: NetId,
    address: u32,
    fields: Vec<Field>,
    /// By terminal: its slices of the `s_axis` and of the `m_axis` ports.
    slices: Vec<[Option<u32>; 2]>,
}

impl FabricDut {
    /// Builds the RTL of a plan and a circuit of it.
    ///
    /// # Errors
    /// [`RtlError`] never, unless a builder is wrong.
    pub fn new(plan: &FabricPlan) -> Result<Self, RtlError> {
        Ok(Self::of(Dut::new(&fabric(plan)?), plan))
    }

    /// A circuit that has the ports of the plan's fabric.
    ///
    /// # Panics
    /// If it does not have them.
    pub fn of(dut: Dut, plan: &FabricPlan) -> Self {
        let field = |f: turnpike_fabric::plan::FlitField| Field {
            width: f.width,
            source: (f.name != "id").then(|| dut.port(&format!("s_axis_t{}", f.name))),
            sink: dut.port(&format!("m_axis_t{}", f.name)),
        };
        let terminals = (0..plan.topology().terminals()).map(Terminal);
        Self {
            slices: terminals.map(|t| [plan.source_slice(t), plan.sink_slice(t)]).collect(),
            fields: plan.flit_fields().into_iter().map(field).collect(),
            s_valid: dut.port("s_axis_tvalid"),
            s_ready: dut.port("s_axis_tready"),
            s_dest: dut.port("s_axis_tdest"),
            s_error: dut.port("s_axis_error"),
            m_valid: dut.port("m_axis_tvalid"),
            m_ready: dut.port("m_axis_tready"),
            address: plan.topology().address_bits(),
            dut,
        }
    }
}

impl FabricDut {
    fn source_slice(&self, terminal: u32) -> Option<u32> {
        self.slices[terminal as usize][0]
    }

    fn sink_slice(&self, terminal: u32) -> Option<u32> {
        self.slices[terminal as usize][1]
    }

    /// A bit of a port; low where there is no such slice.
    fn bit(&self, port: NetId, slice: Option<u32>) -> bool {
        slice.is_some_and(|slice| self.dut.get_bits(port, slice, 1) == 1)
    }
}

impl Terminals for FabricDut {
    fn set_reset(&mut self, reset: bool) {
        self.dut.set_reset(reset);
    }

    fn set_source(&mut self, terminal: u32, beat: Option<(u32, &[u64])>) {
        let Some(slice) = self.source_slice(terminal) else { return };
        let dut = &mut self.dut;
        dut.set_bits(self.s_valid, slice, 1, beat.is_some().into());
        let Some((destination, flit)) = beat else { return };
        let address = self.address;
        dut.set_bits(self.s_dest, slice * address, address, destination.into());
        let mut words = flit;
        for field in &self.fields {
            let (value, rest) = words.split_at(field.width.div_ceil(64) as usize);
            words = rest;
            if let Some(port) = field.source {
                dut.set_words(port, slice * field.width, field.width, value);
            }
        }
    }

    fn set_sink(&mut self, terminal: u32, ready: bool) {
        if let Some(slice) = self.sink_slice(terminal) {
            self.dut.set_bits(self.m_ready, slice, 1, ready.into());
        }
    }

    fn source_ready(&self, terminal: u32) -> bool {
        self.bit(self.s_ready, self.source_slice(terminal))
    }

    fn source_error(&self, terminal: u32) -> bool {
        self.bit(self.s_error, self.source_slice(terminal))
    }

    fn sink_valid(&self, terminal: u32) -> bool {
        self.bit(self.m_valid, self.sink_slice(terminal))
    }

    fn sink_flit(&self, terminal: u32, into: &mut Vec<u64>) {
        let Some(slice) = self.sink_slice(terminal) else { return };
        for field in &self.fields {
            into.extend(self.dut.get_words(field.sink, slice * field.width, field.width));
        }
    }
}

impl Logic for FabricDut {
    fn update(&mut self) {
        self.dut.update();
    }
}

impl Block for FabricDut {
    fn connect_all(&mut self) {
        self.dut.connect_all();
    }
    fn update_all(&mut self) {
        self.dut.update_all();
    }
    fn has_changed(&self) -> bool {
        self.dut.has_changed()
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.dut.accept(name, probe);
    }
}

impl Clocked for FabricDut {
    fn set_clock(&mut self, high: bool) {
        self.dut.set_clock(high);
    }
}

/// A circuit with terminals as a [`FabricModel`], without rust-hdl's threads: for digests.
#[derive(Debug)]
pub struct CircuitModel<'a, C> {
    circuit: C,
    stimulus: &'a Stimulus,
    flit: Vec<u64>,
}

impl<'a, C: Terminals + Clocked> CircuitModel<'a, C> {
    /// The circuit, which is reset first.
    pub fn new(circuit: C, stimulus: &'a Stimulus) -> Self {
        let mut model = Self { circuit, stimulus, flit: Vec::new() };
        model.circuit.set_reset(true);
        model.edge();
        model.circuit.set_reset(false);
        model.edge_to(false);
        model
    }

    fn edge(&mut self) {
        self.edge_to(false);
        self.edge_to(true);
    }

    fn edge_to(&mut self, high: bool) {
        self.circuit.set_clock(high);
        while {
            self.circuit.update_all();
            self.circuit.has_changed()
        } {}
    }
}

impl<C: Terminals + Clocked> FabricModel for CircuitModel<'_, C> {
    fn apply(&mut self, inputs: &Inputs) {
        apply(&mut self.circuit, self.stimulus, inputs, &mut self.flit);
        self.edge_to(false);
    }

    fn s_error(&mut self, terminal: u32) -> bool {
        self.circuit.source_error(terminal)
    }

    fn s_tready(&mut self, terminal: u32) -> bool {
        self.circuit.source_ready(terminal)
    }

    fn m_flit(&mut self, terminal: u32, flit: &mut Vec<u64>) -> bool {
        let valid = self.circuit.sink_valid(terminal);
        if valid {
            self.circuit.sink_flit(terminal, flit);
        }
        valid
    }

    fn clock(&mut self) {
        self.edge_to(true);
    }
}

/// Sets every input of a cycle. `tdest` counts on a packet's first beat only: on the others it
/// is something else.
pub(super) fn apply<C: Terminals>(
    circuit: &mut C,
    stimulus: &Stimulus,
    inputs: &Inputs,
    flit: &mut Vec<u64>,
) {
    circuit.set_reset(inputs.reset);
    for (terminal, beat) in (0..).zip(&inputs.beats) {
        circuit.set_sink(terminal, inputs.m_tready.contains(terminal));
        let destination = |b: &InputBeat| if b.beat == 0 { b.destination } else { !b.destination };
        flit.clear();
        beat.iter().for_each(|beat| stimulus.flit(beat, flit));
        circuit.set_source(terminal, beat.as_ref().map(|b| (destination(b), &flit[..])));
    }
}
