//! Evaluates a netlist: the RTL itself, cycle by cycle.
//!
//! The hierarchy is flattened, every net gets slots of 64 bits, and all combinational logic
//! becomes one list of instructions with operands first. Nets that are one and the same
//! through ports share their slots. Instructions that are the same in many instances of a module
//! then become one step for all of them. The semantics are Verilog's on the subset that the netlist
//! has, with two values: registers without a reset and memories hold 0 at the start, where
//! Verilog has `x` (Icarus covers that).

mod compile;
mod expression;
mod flatten;
mod group;
mod lanes;
mod program;
mod state;
mod values;

pub use flatten::Scope;

use compile::Compiled;
use flatten::{Driver, Flat, Names};
use lanes::{Lanes, Place};
use state::State;
use std::sync::Arc;
use turnpike_netlist::{Design, Module, Net, NetInfo, NetKind};
use values::mask;

/// A net of an evaluator, at any depth of the hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NetId(u32);

impl NetId {
    /// Index of the net: nets of all scopes are numbered from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A netlist and its state.
///
/// Inputs are [set](Evaluator::set); outputs and inner nets follow with
/// [`Evaluator::settle`]; [`Evaluator::clock`] is the clock's rising edge.
#[derive(Clone, Debug)]
pub struct Evaluator {
    program: Arc<Lanes>,
    instructions: usize,
    layout: Arc<Layout>,
    state: State,
    unsettled: bool,
}

#[derive(Debug)]
struct Layout {
    scopes: Vec<Scope>,
    names: Names,
    widths: Vec<u32>,
    /// By net: where its slots are; none where it is not kept.
    starts: Vec<u32>,
    places: Vec<Place>,
    input: Vec<bool>,
}

impl Evaluator {
    /// Compiles a design: the modules that are printed. All inputs are 0, and so is the reset.
    pub fn new(design: &Design) -> Self {
        Self::compile(design, false)
    }

    /// Evaluator of which only the nets of the top can be read: what they do not need is left out,
    /// so that it is faster.
    pub fn of_ports(design: &Design) -> Self {
        Self::compile(design, true)
    }

    /// Evaluators of [`Evaluator::new`] and of [`Evaluator::of_ports`], compiled together.
    pub fn with_ports(design: &Design) -> (Self, Self) {
        let flat = Flat::new(design);
        let mut compiled = compile::compile(&flat);
        compiled.keep(|_| true);
        let all = Self::of(&flat, &compiled);
        compiled.keep(|net| net < flat.nets_of_top());
        (all, Self::of(&flat, &compiled))
    }

    fn compile(design: &Design, top_only: bool) -> Self {
        let flat = Flat::new(design);
        let mut compiled = compile::compile(&flat);
        compiled.keep(|net| !top_only || net < flat.nets_of_top());
        Self::of(&flat, &compiled)
    }

    fn of(flat: &Flat, compiled: &Compiled) -> Self {
        let (program, starts, places) = group::group(flat, compiled);
        let mut state = State::new(&program);
        state.run(&program, &program.all);
        let input = flat.drivers.iter().map(|d| matches!(d, Driver::Input)).collect();
        let names = Names::new(&flat.scopes);
        let (scopes, widths) = (flat.scopes.clone(), flat.widths.clone());
        let layout = Layout { scopes, names, widths, starts, places, input };
        Self {
            program: Arc::new(program),
            instructions: compiled.program.all.len(),
            layout: Arc::new(layout),
            state,
            unsettled: false,
        }
    }

    /// The module evaluated.
    pub fn module(&self) -> &Arc<Module> {
        &self.layout.scopes[0].module
    }

    /// Every instance, the top first, parents before what is in them.
    pub fn scopes(&self) -> &[Scope] {
        &self.layout.scopes
    }

    /// The nets of a scope that can be read.
    pub fn nets(&self, scope: usize) -> impl Iterator<Item = (NetId, &NetInfo)> {
        let Layout { scopes, starts, .. } = &*self.layout;
        let nets = scopes[scope].module.nets.iter().zip(scopes[scope].nets..);
        let kept = |&(_, i): &(_, u32)| starts[i as usize] < starts[i as usize + 1];
        nets.filter(kept).map(|(info, i)| (NetId(i), info))
    }

    /// Number of nets in all scopes.
    pub fn net_count(&self) -> usize {
        self.layout.widths.len()
    }

    /// Number of instructions that evaluate everything once.
    pub fn instructions(&self) -> usize {
        self.instructions
    }

    /// A net by its hierarchical name, instances before it joined by `.`; the top's own name is
    /// left out.
    pub fn find(&self, path: &str) -> Option<NetId> {
        self.layout.names.find(&self.layout.scopes, path).map(NetId)
    }

    /// A net of the top module.
    pub fn top_net(&self, net: Net) -> NetId {
        NetId(net.index)
    }

    /// A port of the top module by name.
    pub fn port(&self, name: &str) -> Option<NetId> {
        self.module().port(name).map(|net| self.top_net(net))
    }

    /// Bits of a net.
    pub fn width(&self, net: NetId) -> u32 {
        self.layout.widths[net.index()]
    }

    #[inline]
    fn places(&self, net: NetId) -> &[Place] {
        let starts = &self.layout.starts;
        let range = starts[net.index()] as usize..starts[net.index() + 1] as usize;
        assert!(!range.is_empty(), "of this evaluator only nets of the top are read");
        &self.layout.places[range]
    }

    pub fn set_reset(&mut self, reset: bool) {
        self.write(self.program.reset, u64::from(reset));
    }

    /// Whether the reset is set.
    pub fn reset(&self) -> bool {
        self.state.values[self.program.reset as usize] != 0
    }

    #[inline]
    fn write(&mut self, word: u32, value: u64) {
        let place = &mut self.state.values[word as usize];
        self.unsettled |= *place != value;
        *place = value;
    }

    /// Sets an input of the top: its bits in words of 64, the lowest first. Missing words are
    /// 0; bits above its width are dropped.
    ///
    /// # Panics
    /// If the net is no input of the top.
    pub fn set(&mut self, input: NetId, words: &[u64]) {
        let width = self.width(input);
        for (i, low) in (0..width).step_by(64).enumerate() {
            let bits = (width - low).min(64);
            self.set_bits(input, low, bits, words.get(i).copied().unwrap_or(0));
        }
    }

    /// Sets bits `low` to `low + width - 1` (at most 64) of an input of the top; bits of the
    /// value above `width` are dropped.
    ///
    /// # Panics
    /// If the net is no input of the top or has no such bits.
    pub fn set_bits(&mut self, input: NetId, low: u32, width: u32, value: u64) {
        assert!(self.layout.input[input.index()], "only inputs of the top are set");
        assert!(low + width <= self.width(input) && (1..=64).contains(&width), "no such bits");
        let value = value & mask(width);
        let (first, shift) = ((low / 64) as usize, low % 64);
        let word = self.places(input)[first].word;
        let kept = self.state.values[word as usize] & !(mask(width) << shift);
        self.write(word, kept | value << shift);
        if shift + width > 64 {
            let word = self.places(input)[first + 1].word;
            let kept = self.state.values[word as usize] & !(mask(width) >> (64 - shift));
            self.write(word, kept | value >> (64 - shift));
        }
    }

    /// The bits of a net in words of 64, the lowest first, as last settled.
    pub fn get(&self, net: NetId) -> impl ExactSizeIterator<Item = u64> {
        self.places(net).iter().map(|place| place.read(&self.state.values))
    }

    /// The low 64 bits of a net.
    pub fn get_low(&self, net: NetId) -> u64 {
        self.places(net)[0].read(&self.state.values)
    }

    /// Bits `low` to `low + width - 1` (at most 64) of a net, as last settled.
    ///
    /// # Panics
    /// If the net has no such bits.
    pub fn get_bits(&self, net: NetId, low: u32, width: u32) -> u64 {
        assert!(low + width <= self.width(net) && (1..=64).contains(&width), "no such bits");
        let places = self.places(net);
        let (first, shift) = ((low / 64) as usize, low % 64);
        let mut value = places[first].read(&self.state.values) >> shift;
        if shift + width > 64 {
            value |= places[first + 1].read(&self.state.values) << (64 - shift);
        }
        value & mask(width)
    }

    /// Words that registers and memories hold, for [`Evaluator::restore`].
    pub fn held(&self) -> Box<[u64]> {
        self.state.held(&self.program).collect()
    }

    /// Lets registers and memories hold what they held before ([`Evaluator::held`]), and the combinational logic
    /// follow. Inputs stay as they are.
    ///
    /// # Panics
    /// If it is of another netlist.
    pub fn restore(&mut self, held: &[u64]) {
        self.state.restore(&self.program, held);
        self.state.run(&self.program, &self.program.all);
        self.unsettled = false;
    }

    /// Whether an input was changed since the last settling.
    pub fn is_unsettled(&self) -> bool {
        self.unsettled
    }

    /// Lets the combinational logic follow the inputs. Whether there was anything to follow.
    pub fn settle(&mut self) -> bool {
        if self.unsettled {
            self.state.run(&self.program, &self.program.after_inputs);
        }
        std::mem::take(&mut self.unsettled)
    }

    /// The clock's rising edge, with the inputs as they are, and the combinational logic after
    /// it. Whether any register or memory changed.
    pub fn clock(&mut self) -> bool {
        self.settle();
        let changed = self.state.edge(&self.program);
        if changed {
            self.state.run(&self.program, &self.program.after_clock);
        }
        changed
    }

    /// Ports of the top: inputs or outputs.
    pub fn ports(&self, kind: NetKind) -> impl Iterator<Item = (NetId, &NetInfo)> {
        let ports = self.module().ports().filter(move |(_, info)| info.kind == kind);
        ports.map(|(net, info)| (self.top_net(net), info))
    }
}

#[cfg(test)]
mod instructions;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod tests;
