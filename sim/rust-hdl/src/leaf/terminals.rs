//! Sources and sinks around a 2-cube by rust-hdl's own FIFO widgets; two such systems in one `Simulation`, with a cube
//! in rust-hdl's language in one and the netlist's fabric in the other, compared at every terminal in every cycle.

use super::cube::Cube;
use super::netlist_cube::{CubeInputs, FourTerminals, NetlistCube};
use super::side_by_side::{Difference, is_reset};
use crate::run::{HostError, simulate};
use rust_hdl::core::prelude::*;
use rust_hdl::widgets::prelude::*;
use turnpike_netlist::Design;
use turnpike_sim_network::traffic::random::Random;

/// A FIFO of 16 words by rust-hdl's widget.
type Widget<const W: usize> = SynchronousFIFO<Bits<W>, 4, 5, 1>;

/// Fabric with a FIFO of rust-hdl's at each source and each sink. A source's word is a flit below its destination.
#[derive(LogicBlock)]
struct System<F: FourTerminals> {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    sources: [Widget<11>; 4],
    sinks: [Widget<9>; 4],
    fabric: F,
}

impl<F: FourTerminals> System<F> {
    fn new(fabric: F) -> Self {
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            sources: Default::default(),
            sinks: Default::default(),
            fabric,
        }
    }
}

impl<F: FourTerminals> Logic for System<F> {
    fn update(&mut self) {
        let outputs = self.fabric.show();
        let (mut valid, mut last, mut ready) = (0, 0, 0);
        let (mut dest, mut data): (LiteralType, LiteralType) = (0, 0);
        for (t, (source, sink)) in self.sources.iter_mut().zip(&mut self.sinks).enumerate() {
            source.clock.next = self.clock.val();
            source.read.next = !source.empty.val() & outputs.ready.get_bit(t);
            let word: LiteralType = source.data_out.val().into();
            valid |= LiteralType::from(!source.empty.val()) << t;
            data |= (word & 0xff) << (8 * t);
            last |= (word >> 8 & 1) << t;
            dest |= (word >> 9) << (2 * t);
            sink.clock.next = self.clock.val();
            sink.write.next = outputs.valid.get_bit(t) & !sink.full.val();
            let last = LiteralType::from(outputs.last.get_bit(t));
            sink.data_in.next = bit_cast::<9, 8>(outputs.data.get_bits::<8>(8 * t)) | last << 8;
            ready |= LiteralType::from(!sink.full.val()) << t;
        }
        let inputs = CubeInputs {
            valid: valid.into(),
            dest: dest.into(),
            data: data.into(),
            last: last.into(),
            ready: ready.into(),
        };
        self.fabric.drive(self.clock.val(), self.reset.val(), inputs);
    }

    fn connect(&mut self) {
        self.fabric.inputs_are_driven();
        for source in &mut self.sources {
            source.clock.connect();
            source.read.connect();
            // By the testbench.
            source.write.connect();
            source.data_in.connect();
        }
        for sink in &mut self.sinks {
            sink.clock.connect();
            sink.write.connect();
            sink.data_in.connect();
            // By the testbench.
            sink.read.connect();
        }
    }
}

/// Both systems.
#[derive(LogicBlock)]
struct Systems {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    leaves: System<Cube>,
    netlist: System<NetlistCube>,
}

impl Logic for Systems {
    #[hdl_gen]
    fn update(&mut self) {
        self.leaves.clock.next = self.clock.val();
        self.leaves.reset.next = self.reset.val();
        self.netlist.clock.next = self.clock.val();
        self.netlist.reset.next = self.reset.val();
    }
}

/// Deeds of the testbench at a terminal in a cycle.
struct Action {
    /// Word for the source, where there is one.
    word: Option<LiteralType>,
    /// Whether a word is taken from the sink.
    takes: bool,
}

impl<F: FourTerminals> System<F> {
    /// Fills a source and empties a sink, as far as they let it; whether a word is taken.
    fn drive(&mut self, terminal: usize, action: &Action) -> bool {
        let (source, sink) = (&mut self.sources[terminal], &mut self.sinks[terminal]);
        source.write.next = action.word.is_some() & !source.full.val();
        source.data_in.next = action.word.unwrap_or_default().into();
        let takes = action.takes & !sink.empty.val();
        sink.read.next = takes;
        takes
    }

    /// All that can be seen at a terminal and in the FIFOs there: name and value, 0 where it does not count.
    fn seen(&self, terminal: usize) -> [(&'static str, LiteralType); 9] {
        let outputs = self.fabric.show();
        let (source, sink) = (&self.sources[terminal], &self.sinks[terminal]);
        let valid = outputs.valid.get_bit(terminal);
        let data: LiteralType = outputs.data.get_bits::<8>(8 * terminal).into();
        let head: LiteralType = sink.data_out.val().into();
        let only = |counts: bool, value| if counts { value } else { 0 };
        [
            ("s_axis_tready", outputs.ready.get_bit(terminal).into()),
            ("m_axis_tvalid", valid.into()),
            ("m_axis_tdata", only(valid, data)),
            ("m_axis_tlast", only(valid, outputs.last.get_bit(terminal).into())),
            ("full of the source's FIFO", source.full.val().into()),
            ("empty of the source's FIFO", source.empty.val().into()),
            ("full of the sink's FIFO", sink.full.val().into()),
            ("empty of the sink's FIFO", sink.empty.val().into()),
            ("data of the sink's FIFO", only(!sink.empty.val(), head)),
        ]
    }

    /// Whether a FIFO was written when full, or read when empty.
    fn is_misused(&self) -> bool {
        self.sources.iter().any(|fifo| fifo.overflow.val() | fifo.underflow.val())
            || self.sinks.iter().any(|fifo| fifo.overflow.val() | fifo.underflow.val())
    }
}

/// Outcome of two systems without a difference.
#[derive(Clone, Debug, Default)]
pub struct Delivered {
    /// Cycles compared.
    pub cycles: u64,
    /// Flits taken from the sinks' FIFOs, by terminal.
    pub flits: [u64; 4],
    /// Cycles in which a source waited for the fabric.
    pub waits: u64,
    /// Cycles in which a sink's FIFO was full.
    pub full: u64,
    /// Whether a FIFO was written when full, or read when empty.
    pub misused: bool,
}

/// Runs both systems on the same random packets, one cycle after another, with resets of the fabrics in between, and
/// compares what can be seen at each terminal in each cycle. Packets have four flits in the mean.
///
/// # Errors
/// The first [`Difference`], inside, with the terminal in its port; [`HostError`] where rust-hdl refuses the circuit.
pub fn hold_with_terminals(
    cube: Cube,
    design: &Design,
    cycles: u64,
    seed: u64,
) -> Result<Result<Delivered, Difference>, HostError> {
    let systems = Systems {
        clock: Signal::default(),
        reset: Signal::default(),
        leaves: System::new(cube),
        netlist: System::new(NetlistCube::new(design)),
    };
    simulate(systems, None, move |simulated| {
        let (mut delivered, mut random) = (Delivered::default(), Random::new(seed));
        for cycle in 0..=cycles {
            let systems = simulated.block()?;
            // Fast sources and slow sinks for a while, then the reverse.
            let (offers, takes) = [(90, 20), (40, 90)][(cycle / 256 % 2) as usize];
            for terminal in 0..4 {
                let word = u64::from(random.below(1 << 8)) | u64::from(random.below(1 << 2)) << 9;
                let last = u64::from(random.below(4) == 0) << 8;
                let offered = random.below(100) < offers;
                let word = offered.then_some(word | last);
                let action = Action { word, takes: random.below(100) < takes };
                let taken = systems.leaves.drive(terminal, &action);
                systems.netlist.drive(terminal, &action);
                delivered.flits[terminal] += u64::from(taken);
            }
            systems.reset.next = is_reset(cycle);
            systems.clock.next = false.into();
            let systems = simulated.half_cycle()?;
            // Before the first reset registers may hold anything.
            if cycle > 0 {
                for terminal in 0..4 {
                    let both = [systems.leaves.seen(terminal), systems.netlist.seen(terminal)];
                    for ((name, leaf), (_, netlist)) in both[0].into_iter().zip(both[1]) {
                        if leaf != netlist {
                            let port = format!("{name} of terminal {terminal}");
                            return Ok(Err(Difference { cycle, port, leaf, netlist }));
                        }
                    }
                    let source_waits = !systems.leaves.sources[terminal].empty.val()
                        & !systems.leaves.fabric.show().ready.get_bit(terminal);
                    delivered.waits += u64::from(source_waits);
                    delivered.full += u64::from(systems.leaves.sinks[terminal].full.val());
                }
                delivered.cycles += 1;
            }
            systems.clock.next = true.into();
            simulated.half_cycle()?;
        }
        let systems = simulated.block()?;
        delivered.misused = systems.leaves.is_misused() || systems.netlist.is_misused();
        Ok(Ok(delivered))
    })
}
