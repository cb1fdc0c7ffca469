//! A module in rust-hdl's language beside the netlist's, in one `Simulation`: the same clock, the same inputs, and every
//! output compared in every cycle.

use crate::hosted::Hosted;
use crate::run::{HostError, simulate};
use rust_hdl::core::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use turnpike_netlist::{Design, NetKind};
use turnpike_sim_network::traffic::random::Random;
use turnpike_sim_rtl::dut::Dut;

/// Input of a module, as a testbench drives it.
pub trait Drive {
    /// Sets the value, for rust-hdl's next update.
    fn drive(&mut self, value: u64);
    /// Width in bits.
    fn width(&self) -> u32;
    /// Tells rust-hdl's checks that the testbench drives it.
    fn is_driven(&mut self);
}

/// Output of a module, as a testbench sees it.
pub trait Show {
    /// Value of up to 64 bits.
    fn show(&self) -> u64;
}

impl<const N: usize> Drive for Signal<In, Bits<N>> {
    fn drive(&mut self, value: u64) {
        self.next = value.into();
    }
    fn width(&self) -> u32 {
        N as u32
    }
    fn is_driven(&mut self) {
        self.connect();
    }
}

impl Drive for Signal<In, Bit> {
    fn drive(&mut self, value: u64) {
        self.next = value == 1;
    }
    fn width(&self) -> u32 {
        1
    }
    fn is_driven(&mut self) {
        self.connect();
    }
}

impl<const N: usize> Show for Signal<Out, Bits<N>> {
    fn show(&self) -> u64 {
        self.val().into()
    }
}

impl Show for Signal<Out, Bit> {
    fn show(&self) -> u64 {
        self.val().into()
    }
}

/// Clock and reset of a module.
pub type ClockAndReset<'a> = (&'a mut Signal<In, Clock>, &'a mut Signal<In, Bit>);

/// Module in rust-hdl's language whose ports have the names of the netlist's.
pub trait Leaf: Block {
    /// Clock and reset, where it has registers.
    fn clock(&mut self) -> Option<ClockAndReset<'_>>;
    /// Inputs by name, without clock and reset.
    fn inputs(&mut self) -> Vec<(String, &mut dyn Drive)>;
    /// Outputs by name.
    fn outputs(&self) -> Vec<(String, &dyn Show)>;
    /// Bits of an output of which the contract says what they are in this cycle: data beside a low `valid` may be
    /// anything.
    fn counts(&self, output: &str) -> u64;
}

/// Mask of all bits, or of none.
pub(super) fn all_if(counts: bool) -> u64 {
    if counts { u64::MAX } else { 0 }
}

/// Both modules.
#[derive(LogicBlock)]
struct SideBySide<L: Leaf> {
    clock: Signal<In, Clock>,
    leaf: L,
    netlist: Hosted<Dut>,
}

impl<L: Leaf> Logic for SideBySide<L> {
    fn update(&mut self) {
        let level = self.clock.val();
        if let Some((clock, _)) = self.leaf.clock() {
            clock.next = level;
        }
        self.netlist.clock.next = level;
    }

    fn connect(&mut self) {
        if let Some((clock, reset)) = self.leaf.clock() {
            clock.connect();
            reset.connect();
        }
        self.leaf.inputs().into_iter().for_each(|(_, input)| input.is_driven());
    }
}

impl<L: Leaf> SideBySide<L> {
    /// Sets the reset and random inputs on both.
    fn drive(&mut self, reset: bool, values: &BTreeMap<String, u64>) {
        if let Some((_, of_leaf)) = self.leaf.clock() {
            of_leaf.next = reset;
        }
        let dut = &mut self.netlist.circuit;
        dut.set_reset(reset);
        for (name, input) in self.leaf.inputs() {
            input.drive(values[&name]);
            dut.set(dut.port(&name), values[&name]);
        }
    }

    /// Compares the outputs that count, and notes what was seen.
    fn compare(&self, cycle: u64, held: &mut Held) -> Result<(), Difference> {
        for (port, output) in self.leaf.outputs() {
            let mask = self.leaf.counts(&port);
            let dut = &self.netlist.circuit;
            let [leaf, netlist] = [output.show(), dut.get(dut.port(&port))].map(|all| all & mask);
            if leaf != netlist {
                return Err(Difference { cycle, port, leaf, netlist });
            }
            if mask != 0 {
                let seen = held.outputs.entry(port).or_default();
                seen.compared += 1;
                seen.changes += u64::from(seen.before.replace(leaf) != Some(leaf));
            }
        }
        Ok(())
    }
}

/// Outcome of a comparison without a difference.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Cycles compared.
    pub cycles: u64,
    /// Resets in the middle of them.
    pub resets: u64,
    /// Outputs by name.
    pub outputs: BTreeMap<String, Seen>,
}

/// Counts of an output: how often it was compared, and changed.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Cycles in which it counted.
    pub compared: u64,
    /// Cycles in which it was not as when it counted before.
    pub changes: u64,
    before: Option<u64>,
}

/// First output that is not the netlist's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cycle {cycle}: {port} is {leaf:#x} in rust-hdl, {netlist:#x} in the netlist")]
pub struct Difference {
    /// Cycle, from 0.
    pub cycle: u64,
    /// Name of the output.
    pub port: String,
    /// Value in rust-hdl's description.
    pub leaf: u64,
    /// Value in the netlist.
    pub netlist: u64,
}

/// Cycles between two resets: a prime, so that they meet every phase of the inputs.
const RESET_EVERY: u64 = 331;

/// Whether a cycle is under reset: for one cycle or three, in the middle of whatever is under way.
pub(super) fn is_reset(cycle: u64) -> bool {
    cycle % RESET_EVERY < [1, 3][(cycle / RESET_EVERY % 2) as usize]
}

/// Shares of cycles, in percent, in which an input of one bit is high: one of them is drawn every 64 cycles.
const SHARES: [u32; 4] = [100, 50, 10, 90];

/// Values that a stimulus sets in place of random ones, by the name of the input. It is handed the cycle and the random
/// values, and those of all inputs and outputs of the cycle before.
pub type Shape = fn(u64, &mut BTreeMap<String, u64>, &BTreeMap<String, u64>);

/// Runs both modules on random inputs, one cycle after another, with resets in between, and compares each output in
/// each cycle in which it counts. Inputs of one bit are high in a share of cycles that changes; `shape` changes the
/// random values where the module does not take any.
///
/// # Errors
/// The first [`Difference`], inside; [`HostError`] where rust-hdl refuses the circuit.
///
/// # Panics
/// If the modules have not the same ports.
pub fn hold<L: Leaf + Send + 'static>(
    leaf: L,
    design: &Design,
    shape: Shape,
    cycles: u64,
    seed: u64,
) -> Result<Result<Held, Difference>, HostError> {
    let netlist = Hosted::new(Dut::new(design));
    let mut top = SideBySide { clock: Signal::default(), leaf, netlist };
    same_ports(&mut top, design);
    simulate(top, None, move |simulated| {
        let (mut held, mut random) = (Held::default(), Random::new(seed));
        let (mut before, mut shares) = (BTreeMap::new(), Vec::new());
        for cycle in 0..=cycles {
            let reset = is_reset(cycle);
            let top = simulated.block()?;
            let mut values = BTreeMap::new();
            // Phases in which one side is fast, slow, or held up, whatever the others are.
            if cycle.is_multiple_of(64) {
                let draw = |_| SHARES[random.below(SHARES.len() as u32) as usize];
                shares = top.leaf.inputs().iter().map(draw).collect();
            }
            for ((name, input), share) in top.leaf.inputs().into_iter().zip(&shares) {
                let value = match input.width() {
                    1 => u64::from(random.below(100) < *share),
                    width => {
                        let word = u64::from(random.below(u32::MAX)) << 32;
                        (word | u64::from(random.below(u32::MAX))) & u64::MAX >> (64 - width)
                    }
                };
                values.insert(name, value);
            }
            shape(cycle, &mut values, &before);
            top.drive(reset, &values);
            top.clock.next = false.into();
            let top = simulated.half_cycle()?;
            // Before the first reset registers may hold anything.
            if cycle > 0 {
                held.resets += u64::from(cycle.is_multiple_of(RESET_EVERY));
                if let Err(difference) = top.compare(cycle, &mut held) {
                    return Ok(Err(difference));
                }
                held.cycles += 1;
            }
            let outputs = top.leaf.outputs().into_iter();
            let outputs = outputs.map(|(name, output)| (name, output.show()));
            before = values.into_iter().chain(outputs).collect();
            top.clock.next = true.into();
            simulated.half_cycle()?;
        }
        Ok(Ok(held))
    })
}

/// Asserts that both have the same inputs, as wide, and the same outputs.
fn same_ports<L: Leaf>(top: &mut SideBySide<L>, design: &Design) {
    let ports = |kind: NetKind| {
        let ports = design.top().ports().filter(move |(_, port)| port.kind == kind);
        ports.map(|(_, port)| (port.name.clone(), port.width)).collect::<BTreeMap<_, _>>()
    };
    let inputs = top.leaf.inputs().into_iter().map(|(name, input)| (name, input.width()));
    assert_eq!(inputs.collect::<BTreeMap<_, _>>(), ports(NetKind::Input));
    let outputs = top.leaf.outputs().into_iter().map(|(name, _)| name);
    let wanted = ports(NetKind::Output).into_keys();
    assert_eq!(outputs.collect::<BTreeSet<_>>(), wanted.collect::<BTreeSet<_>>());
}
