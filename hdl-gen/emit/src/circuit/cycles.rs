//! Cycles of a circuit fabric that its testbench replays: partial traffic, pauses, resets, sources
//! that send alone, and accesses to the bus, with what the reference model says comes of them.

use crate::recording::{Recording, resets};
use turnpike_base::hash::mix;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_sim_network::circuit::{Inputs, Model, Outputs, Stimulus};

/// Seed of the stimulus.
const SEED: u64 = 1;
/// Cycles between two resets at most. A schedule has to be written before it runs.
const LONGEST_GAP: u32 = 50;
const LONGEST_GAP_WRITTEN: u32 = 130;

/// Records the cycles of a fabric.
pub(super) fn record(plan: &CircuitPlan) -> Recording {
    let mut model = Model::new(plan);
    let mut stimulus = Stimulus::new(plan, SEED);
    let is_written = matches!(plan.control, Control::Memory(_));
    let resets = resets(if is_written { LONGEST_GAP_WRITTEN } else { LONGEST_GAP });
    Recording::new(|rows, cycle| {
        let inputs = stimulus.next(&model, resets.contains(&cycle));
        let outputs = model.outputs(&inputs);
        put_words(rows, plan, &stimulus, &inputs, &outputs);
        if is_written {
            put_bus(rows, plan, &inputs, &outputs, cycle);
        }
        model.clock(&inputs);
    })
}

fn put_words(
    rows: &mut Recording,
    plan: &CircuitPlan,
    stimulus: &Stimulus,
    inputs: &Inputs,
    outputs: &Outputs,
) {
    let address = plan.address_bits();
    rows.put("reset", 1, [inputs.reset]);
    rows.put("enable", 1, [inputs.enable]);
    rows.put("s_valid", 1, inputs.words.iter().map(Option::is_some));
    if matches!(plan.control, Control::SelfRouting) {
        rows.put("s_dest", address, inputs.destinations.iter().copied());
        rows.put("conflict", 1, [outputs.conflict]);
    }
    rows.put("known", 1, [outputs.known]);
    rows.put("m_valid", 1, outputs.words.iter().map(Option::is_some));
    let source = |word: &Option<u64>| word.map_or(0, |word| stimulus.source(word));
    rows.put("m_source", address, outputs.words.iter().map(source));
    if plan.slot_bits() > 0 {
        rows.put("s_slot", plan.slot_bits(), [outputs.offered_slot]);
        rows.put("m_slot", plan.slot_bits(), [outputs.coming_slot]);
    }
}

/// Records the signals of a cycle. Ports on which nothing is offered hold noise.
fn put_bus(
    rows: &mut Recording,
    plan: &CircuitPlan,
    inputs: &Inputs,
    outputs: &Outputs,
    cycle: u32,
) {
    let address = plan.map().address_bits();
    let noise = |salt: u64| mix(u64::from(cycle) << 8 | salt) as u32;
    let bus = &inputs.bus;
    rows.put("awvalid", 1, [bus.write_address.is_some()]);
    rows.put("awaddr", address, [bus.write_address.unwrap_or(noise(1))]);
    rows.put("wvalid", 1, [bus.write.is_some()]);
    rows.put("wdata", 32, [bus.write.map_or(noise(2), |write| write.data)]);
    rows.put("wstrb", 4, [bus.write.map_or(15, |write| u32::from(write.strobe))]);
    rows.put("bready", 1, [bus.takes_response]);
    rows.put("arvalid", 1, [bus.read_address.is_some()]);
    rows.put("araddr", address, [bus.read_address.unwrap_or(noise(3))]);
    rows.put("rready", 1, [bus.takes_read]);
    let shown = &outputs.bus;
    let response = |okay: bool| if okay { 0b00u32 } else { 0b10 };
    rows.put("running", 1, [outputs.running]);
    rows.put("s_bank", 1, [outputs.banks[0]]);
    rows.put("m_bank", 1, [outputs.banks[1]]);
    rows.put("awready", 1, [shown.takes_address]);
    rows.put("wready", 1, [shown.takes_write]);
    rows.put("bvalid", 1, [shown.response.is_some()]);
    rows.put("bresp", 2, [shown.response.map_or(0, response)]);
    rows.put("arready", 1, [shown.takes_read_address]);
    rows.put("rvalid", 1, [shown.answer.is_some()]);
    rows.put("rresp", 2, [shown.answer.map_or(0, |answer| response(answer.okay))]);
    rows.put("rknown", 1, [shown.answer.is_some_and(|answer| answer.known)]);
    rows.put("rdata", 32, [shown.answer.map_or(0, |answer| answer.data)]);
}
