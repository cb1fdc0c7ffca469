//! Slot tables of the switches: which input each output takes in each slot.

use crate::flow::SlottedFlow;
use crate::plan::{SlottedError, Starts};
use std::collections::{BTreeMap, BTreeSet};
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::walk::walk;
use turnpike_network::routing::{Draw, Input, Output};
use turnpike_network::topology::Node;

/// A switch: only inputs and outputs that some word takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlottedSwitch {
    /// Place of the switch.
    pub node: Node,
    /// Inputs, ascending.
    pub inputs: Vec<Input>,
    /// Outputs, ascending.
    pub outputs: Vec<SlottedOutput>,
}

/// An output of a switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlottedOutput {
    /// Port of the output.
    pub output: Output,
    /// By slot, the input that the output takes, as a place in the switch's list; `None` in a slot in which
    /// it takes none.
    pub slots: Vec<Option<usize>>,
}

impl SlottedOutput {
    /// The inputs that the output takes in some slot, ascending: its fan-in.
    pub fn inputs(&self) -> Vec<usize> {
        let all: BTreeSet<usize> = self.slots.iter().copied().flatten().collect();
        all.into_iter().collect()
    }
}

impl SlottedSwitch {
    /// Crosspoints: pairs of an input and an output that takes it in some slot.
    pub fn crosspoints(&self) -> usize {
        self.outputs.iter().map(|output| output.inputs().len()).sum()
    }
}

/// By node and output, the input of each slot.
type Taken = BTreeMap<Node, BTreeMap<Output, Vec<Option<Input>>>>;

/// The flows on their routes, and the switches that they pass. A word that starts in slot s is at the i-th
/// switch of its route in slot s + i.
pub(crate) fn switches(
    over: &FabricPlan,
    frame: u32,
    starts: &Starts,
) -> Result<(Vec<SlottedFlow>, Vec<SlottedSwitch>), SlottedError> {
    let (topology, relation) = (over.topology(), over.relation());
    let mut taken = Taken::new();
    let mut flows = Vec::with_capacity(starts.len());
    for (&(source, destination), starts) in starts {
        let mut steps = Vec::new();
        walk(topology, relation, source, destination, Draw::NONE, |step| {
            steps.push((step.node, step.input, step.hop.output));
        })?;
        for (place, &(node, input, output)) in (0..).zip(&steps) {
            let slots = taken.entry(node).or_default().entry(output);
            let slots = slots.or_insert_with(|| vec![None; frame as usize]);
            for start in starts {
                let slot = (start + place) % frame;
                if slots[slot as usize].replace(input).is_some() {
                    let switch = topology.label(node);
                    return Err(SlottedError::Meeting { switch, slot });
                }
            }
        }
        let cycles = steps.len() as u32;
        flows.push(SlottedFlow { source, destination, starts: starts.clone(), cycles });
    }
    Ok((flows, taken.into_iter().map(|(node, outputs)| switch(node, outputs)).collect()))
}

fn switch(node: Node, outputs: BTreeMap<Output, Vec<Option<Input>>>) -> SlottedSwitch {
    let inputs: BTreeSet<Input> = outputs.values().flatten().copied().flatten().collect();
    let inputs: Vec<Input> = inputs.into_iter().collect();
    let place = |input: Input| inputs.binary_search(&input).expect("it is one of them");
    let output = |(output, slots): (Output, Vec<Option<Input>>)| SlottedOutput {
        output,
        slots: slots.into_iter().map(|input| input.map(place)).collect(),
    };
    let outputs = outputs.into_iter().map(output).collect();
    SlottedSwitch { node, inputs, outputs }
}
