//! Cycles of a switched fabric that its testbench replays: when the reference router takes beats, and
//! when and where they come. So every choice, every draw and every turn is held.

use crate::recording::{Recording, resets};
use std::collections::HashMap;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::stimulus::{
    Driver, FabricModel, InputBeat, Inputs, ReferenceModel, bursts,
};

/// Seed of the stimulus.
const SEED: u64 = 1;
/// Cycles between two resets at most.
const LONGEST_GAP: u32 = 50;
/// Bits that tell apart the beats of one source.
pub(crate) const NUMBER_BITS: u32 = 8;

/// Outputs of a terminal in a cycle.
struct Shown {
    ready: bool,
    error: bool,
    beat: Option<InputBeat>,
}

/// The reference router, and what it showed in the last cycle.
struct Watched<'a> {
    model: ReferenceModel<'a>,
    terminals: u32,
    shown: Vec<Shown>,
}

impl FabricModel for Watched<'_> {
    fn apply(&mut self, inputs: &Inputs) {
        self.model.apply(inputs);
    }
    fn s_error(&mut self, terminal: u32) -> bool {
        self.model.s_error(terminal)
    }
    fn s_tready(&mut self, terminal: u32) -> bool {
        self.model.s_tready(terminal)
    }
    fn m_flit(&mut self, terminal: u32, flit: &mut Vec<u64>) -> bool {
        self.model.m_flit(terminal, flit)
    }
    fn clock(&mut self) {
        let model = &mut self.model;
        let shown = (0..self.terminals).map(|terminal| Shown {
            ready: model.s_tready(terminal),
            error: model.s_error(terminal),
            beat: model.m_beat(terminal),
        });
        self.shown = shown.collect();
        self.model.clock();
    }
}

/// Records the cycles of a fabric; `None` where the reference router does not take it.
pub(crate) fn record(plan: &FabricPlan) -> Option<Recording> {
    let mut stimulus = bursts(plan, SEED, Recording::MOST as u64);
    stimulus.resets = resets(LONGEST_GAP).into_iter().map(u64::from).collect();
    let terminals = stimulus.terminals();
    let model = ReferenceModel::new(plan, &stimulus).ok()?;
    let mut model = Watched { model, terminals, shown: Vec::new() };
    let mut driver = Driver::new(&stimulus);
    let topology = plan.topology();
    let (address, number) = (topology.address_bits(), plan.number_bits());
    // By source, the beats that were taken; and the number of each among those of its source.
    let mut taken = vec![0u32; terminals as usize];
    let mut numbers = HashMap::new();
    Some(Recording::new(|rows, _| {
        driver.step(&mut model);
        let inputs = driver.inputs();
        let beats = &inputs.beats;
        rows.put("reset", 1, [inputs.reset]);
        rows.put("s_valid", 1, beats.iter().map(Option::is_some));
        rows.put("s_last", 1, beats.iter().map(|beat| beat.is_some_and(|beat| beat.last)));
        let destination = |beat: &Option<InputBeat>| {
            beat.map_or(0, |beat| topology.address(Terminal(beat.destination)).0)
        };
        rows.put("s_dest", address, beats.iter().map(destination));
        rows.put("m_ready", 1, (0..terminals).map(|sink| inputs.m_tready.contains(sink)));
        let shown = &model.shown;
        rows.put("s_ready", 1, shown.iter().map(|shown| shown.ready));
        rows.put("s_error", 1, shown.iter().map(|shown| shown.error));
        rows.put("m_valid", 1, shown.iter().map(|shown| shown.beat.is_some()));
        rows.put("m_last", 1, shown.iter().map(|shown| shown.beat.is_some_and(|beat| beat.last)));
        let source = |shown: &Shown| shown.beat.map_or(0, |beat| beat.source);
        rows.put("m_source", number, shown.iter().map(source));
        let number = |shown: &Shown| {
            let beat = shown.beat.map(|beat| numbers[&(beat.source, beat.index, beat.beat)]);
            beat.unwrap_or(0u32) % (1 << NUMBER_BITS)
        };
        rows.put("m_number", NUMBER_BITS, shown.iter().map(number));
        for (source, (beat, shown)) in beats.iter().zip(shown).enumerate() {
            if let Some(beat) = beat.filter(|_| shown.ready) {
                numbers.insert((beat.source, beat.index, beat.beat), taken[source]);
                taken[source] += 1;
            }
        }
    }))
}
