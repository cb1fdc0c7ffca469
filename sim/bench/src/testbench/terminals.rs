//! Circuits with AXI4-Stream terminals.

use super::Circuit;
use std::collections::BTreeMap;
use turnpike_fabric::plan::{FabricPlan, FlitField, PortBits, Side, Signal};
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_netlist::RtlError;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::stimulus::{FabricModel, InputBeat, Inputs, Stimulus};
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::{Evaluator, NetId};

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

/// Some bits of a port.
#[derive(Clone, Copy, Debug)]
struct Bits {
    port: NetId,
    low: u32,
    width: u32,
}

/// A terminal's `s_axis`.
#[derive(Debug)]
struct Source {
    valid: Bits,
    ready: Bits,
    dest: Bits,
    error: Bits,
    /// The fields of a flit; the source's address has none.
    fields: Vec<(FlitField, Option<Bits>)>,
}

/// A terminal's `m_axis`.
#[derive(Debug)]
struct Sink {
    valid: Bits,
    ready: Bits,
    fields: Vec<Bits>,
}

/// The fabric of a plan as a circuit with terminals.
#[derive(Debug)]
pub struct FabricDut {
    /// The circuit.
    pub dut: Dut,
    /// By terminal.
    sources: Vec<Option<Source>>,
    sinks: Vec<Option<Sink>>,
}

impl FabricDut {
    /// Builds the RTL of a plan and a circuit of it.
    ///
    /// # Errors
    /// [`RtlError`] never, unless a builder is wrong.
    pub fn new(plan: &FabricPlan) -> Result<Self, RtlError> {
        Ok(Self::of(Dut::new(&fabric(plan)?), plan))
    }

    /// Fabric of which only the ports can be read, which is faster. it is faster.
    ///
    /// # Errors
    /// As [`FabricDut::new`].
    pub fn of_ports(plan: &FabricPlan) -> Result<Self, RtlError> {
        Ok(Self::of(Dut::of(Evaluator::of_ports(&fabric(plan)?)), plan))
    }

    /// A circuit that has the ports of the plan's fabric.
    ///
    /// # Panics
    /// If it does not have them.
    pub fn of(dut: Dut, plan: &FabricPlan) -> Self {
        // By signal, where the terminal has ports on that side.
        let signals = |side, terminal| {
            let of_signal = |signal: Signal| {
                let bits = plan.port_bits(side, terminal, signal.name)?;
                let PortBits { port, low, width } = bits;
                Some((signal.name, Bits { port: dut.port(&port), low, width }))
            };
            plan.signals(side).into_iter().map(of_signal).collect::<Option<BTreeMap<_, _>>>()
        };
        let fields = plan.flit_fields();
        let source = |terminal| {
            let signals = signals(Side::Source, terminal)?;
            let field = |f: &FlitField| (*f, signals.get(f.name).copied());
            Some(Source {
                valid: signals["valid"],
                ready: signals["ready"],
                dest: signals["dest"],
                error: signals["error"],
                fields: fields.iter().map(field).collect(),
            })
        };
        let sink = |terminal| {
            let signals = signals(Side::Sink, terminal)?;
            Some(Sink {
                valid: signals["valid"],
                ready: signals["ready"],
                fields: fields.iter().map(|f| signals[f.name]).collect(),
            })
        };
        let terminals = || (0..plan.topology().terminals()).map(Terminal);
        let (sources, sinks) = (terminals().map(source).collect(), terminals().map(sink).collect());
        Self { sources, sinks, dut }
    }

    fn source(&self, terminal: u32) -> Option<&Source> {
        self.sources[terminal as usize].as_ref()
    }

    fn sink(&self, terminal: u32) -> Option<&Sink> {
        self.sinks[terminal as usize].as_ref()
    }

    /// One bit; low where there is no such port.
    fn bit(&self, bits: Option<Bits>) -> bool {
        bits.is_some_and(|Bits { port, low, .. }| self.dut.get_bits(port, low, 1) == 1)
    }
}

impl Terminals for FabricDut {
    fn set_reset(&mut self, reset: bool) {
        self.dut.set_reset(reset);
    }

    fn set_source(&mut self, terminal: u32, beat: Option<(u32, &[u64])>) {
        let Some(source) = &self.sources[terminal as usize] else { return };
        let dut = &mut self.dut;
        let mut set = |Bits { port, low, width }: Bits, words: &[u64]| {
            dut.set_words(port, low, width, words);
        };
        set(source.valid, &[beat.is_some().into()]);
        let Some((destination, flit)) = beat else { return };
        set(source.dest, &[destination.into()]);
        let mut words = flit;
        for (field, bits) in &source.fields {
            let (value, rest) = words.split_at(field.width.div_ceil(64) as usize);
            words = rest;
            if let Some(bits) = bits {
                set(*bits, value);
            }
        }
    }

    fn set_sink(&mut self, terminal: u32, ready: bool) {
        if let Some(Bits { port, low, .. }) = self.sink(terminal).map(|sink| sink.ready) {
            self.dut.set_bits(port, low, 1, ready.into());
        }
    }

    fn source_ready(&self, terminal: u32) -> bool {
        self.bit(self.source(terminal).map(|source| source.ready))
    }

    fn source_error(&self, terminal: u32) -> bool {
        self.bit(self.source(terminal).map(|source| source.error))
    }

    fn sink_valid(&self, terminal: u32) -> bool {
        self.bit(self.sink(terminal).map(|sink| sink.valid))
    }

    fn sink_flit(&self, terminal: u32, into: &mut Vec<u64>) {
        for &Bits { port, low, width } in self.sink(terminal).iter().flat_map(|sink| &sink.fields) {
            into.extend(self.dut.get_words(port, low, width));
        }
    }
}

impl Circuit for FabricDut {
    fn dut(&self) -> &Dut {
        &self.dut
    }

    fn dut_mut(&mut self) -> &mut Dut {
        &mut self.dut
    }
}

/// A circuit with terminals as a [`FabricModel`]: for digests.
#[derive(Debug)]
pub struct CircuitModel<'a, C> {
    circuit: C,
    stimulus: &'a Stimulus,
    flit: Vec<u64>,
}

impl<'a, C: Terminals + Circuit> CircuitModel<'a, C> {
    /// The circuit, which is reset first.
    pub fn new(circuit: C, stimulus: &'a Stimulus) -> Self {
        let mut model = Self { circuit, stimulus, flit: Vec::new() };
        model.circuit.set_reset(true);
        model.circuit.dut_mut().clock();
        model.circuit.set_reset(false);
        model.circuit.dut_mut().settle();
        model
    }
}

impl<C: Terminals + Circuit> FabricModel for CircuitModel<'_, C> {
    fn apply(&mut self, inputs: &Inputs) {
        apply(&mut self.circuit, self.stimulus, inputs, &mut self.flit);
        self.circuit.dut_mut().settle();
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
        self.circuit.dut_mut().clock();
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
