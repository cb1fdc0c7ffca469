//! Whether each crosspoint is used: the packet of its turn's witness, alone in the RTL of the
//! whole fabric, must be granted it and leave through it.

use super::Outcome;
use crate::testbench::Circuit;
use crate::testbench::terminals::{FabricDut, Terminals};
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_analysis::turns::{Turn, Witness};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::fabric::switch_instances;
use turnpike_fabric::rtl::switch::{goes_by, grant_of};
use turnpike_netlist::Module;
use turnpike_network::topology::Node;
use turnpike_sim_network::stimulus::{InputBeat, Stimulus};

/// Place in the RTL at which a turn is taken: a bit of the grant of an (output, VC).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crosspoint {
    /// Switch, by its node.
    pub node: Node,
    /// Index into the `output_vcs` of its plan.
    pub output_vc: usize,
    /// Index into the `sources` of that: the bit.
    pub source: usize,
}

impl Crosspoint {
    /// Crosspoint of a turn at a node; `None` where it is not built.
    pub fn of(plan: &FabricPlan, turn: &Turn, node: Node) -> Option<Self> {
        let class = plan.switch_of(node);
        let output_vc = class.output_vcs.iter().position(|ov| {
            (class.outputs[ov.output].output, ov.vc) == (turn.output, turn.output_vc)
        })?;
        let source = class.output_vcs[output_vc].sources.iter().position(|source| {
            let queue = &class.queues[source.queue];
            (class.inputs[queue.input].input, queue.vc) == (turn.input, turn.input_vc)
        })?;
        Some(Self { node, output_vc, source })
    }
}

/// Sends one packet at a time through the RTL.
#[derive(Debug)]
pub struct WitnessBench<'a> {
    plan: &'a FabricPlan,
    circuit: FabricDut,
    stimulus: Stimulus,
    /// The instance of each node's switch, and its module.
    switches: BTreeMap<Node, (String, Arc<Module>)>,
}

impl<'a> WitnessBench<'a> {
    /// A bench for a circuit of the plan's fabric, which is reset.
    pub fn new(plan: &'a FabricPlan, circuit: FabricDut) -> Self {
        let placed = switch_instances(plan, circuit.dut.evaluator().module());
        let switches = placed
            .into_iter()
            .map(|(node, placed)| (node, (placed.name.clone(), Arc::clone(&placed.module))));
        let switches = switches.collect();
        let mut bench = Self { plan, circuit, stimulus: Stimulus::new(plan, 1), switches };
        for terminal in 0..plan.topology().terminals() {
            bench.circuit.set_sink(terminal, true);
        }
        bench.circuit.set_reset(true);
        bench.circuit.dut_mut().clock();
        bench.circuit.set_reset(false);
        bench
    }

    /// The path of a net of the crosspoint's switch, which checks look at.
    fn path(&self, at: &Crosspoint, what: &str) -> Result<String, String> {
        let switch = self.switches.get(&at.node);
        let net = switch.and_then(|(name, module)| Some((name, module.probe(what)?)));
        match net {
            Some((instance, net)) => Ok(format!("{instance}.{}", net.name)),
            None => {
                let node = self.plan.topology().label(at.node);
                Err(format!("the switch of node {node} has no {what}"))
            }
        }
    }

    /// A bit of an inner net.
    fn bit(&self, path: &str, bit: u32) -> Result<bool, String> {
        let evaluator = self.circuit.dut.evaluator();
        let net = evaluator.find(path).ok_or_else(|| format!("there is no net {path}"))?;
        match bit < evaluator.width(net) {
            true => Ok(evaluator.get_bits(net, bit, 1) == 1),
            false => Err(format!("{path} has no bit {bit}")),
        }
    }

    /// Sends the witness's packet of one flit and looks whether it leaves through the
    /// crosspoint and arrives.
    ///
    /// # Errors
    /// What it did not do.
    pub fn passes(&mut self, witness: &Witness, at: &Crosspoint) -> Result<(), String> {
        let topology = self.plan.topology();
        let grant = self.path(at, &grant_of(at.output_vc))?;
        let goes = self.path(at, &goes_by(at.output_vc))?;
        let (source, destination) = (witness.source.0, witness.destination.0);
        let beat = InputBeat { source, index: 0, beat: 0, destination, last: true };
        let mut flit = Vec::new();
        self.stimulus.flit(&beat, &mut flit);
        let (mut sent, mut passed, mut arrived) = (false, false, false);
        // No route is longer than the number of nodes.
        let most = self.plan.most_latency(topology.nodes()) + 4;
        for _ in 0..most {
            self.circuit.set_source(source, (!sent).then_some((destination, &flit[..])));
            self.circuit.dut_mut().settle();
            passed |= self.bit(&grant, at.source as u32)? && self.bit(&goes, 0)?;
            sent |= self.circuit.source_ready(source);
            if self.circuit.sink_valid(destination) {
                let mut found = Vec::new();
                self.circuit.sink_flit(destination, &mut found);
                arrived = found == flit;
            }
            self.circuit.dut_mut().clock();
            if arrived {
                break;
            }
        }
        self.circuit.set_source(source, None);
        match (arrived, passed) {
            (false, _) => Err(format!(
                "the packet from {} to {} does not arrive",
                { topology.terminal_label(witness.source) },
                topology.terminal_label(witness.destination)
            )),
            (true, false) => Err(format!("the packet never leaves through {grant}[{}]", at.source)),
            (true, true) => Ok(()),
        }
    }
}

/// Every turn of every class: its witness, run on the RTL, goes through its crosspoint.
pub fn check(plan: &FabricPlan) -> Outcome {
    let circuit = FabricDut::new(plan).map_err(|error| error.to_string())?;
    let mut bench = WitnessBench::new(plan, circuit);
    let mut count = 0;
    for class in &plan.network().turns().classes {
        for (turn, witness) in &class.turns {
            let Some(at) = Crosspoint::of(plan, turn, witness.at) else {
                return Err(format!("{turn:?} is not built"));
            };
            bench.passes(witness, &at)?;
            count += 1;
        }
    }
    Ok(format!("{count} witnesses run on the RTL, each leaves through the crosspoint of its turn"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::plan;
    use super::*;

    /// Every bit of every grant, with every witness: it passes through its own and no other of
    /// the same switch.
    #[test]
    fn a_witness_passes_its_own_crosspoint_and_no_other() {
        for (routing, k) in [("ecube", 3), ("rotation", 3), ("rotation", 4), ("thacker", 4)] {
            let plan = plan(routing, k, None);
            let mut bench = WitnessBench::new(&plan, FabricDut::new(&plan).unwrap());
            let mut refuted = 0;
            for (turn, witness) in &plan.network().turns().classes[0].turns {
                let own = Crosspoint::of(&plan, turn, witness.at).unwrap();
                bench.passes(witness, &own).unwrap();
                let outputs = &plan.switch_of(witness.at).output_vcs;
                for (output_vc, output) in outputs.iter().enumerate() {
                    for source in 0..output.sources.len() {
                        let other = Crosspoint { output_vc, source, ..own };
                        if other != own {
                            let error = bench.passes(witness, &other).unwrap_err();
                            assert!(error.contains("never leaves through"), "{error}");
                            refuted += 1;
                        }
                    }
                }
            }
            assert!(refuted > 50, "{routing} {k}: {refuted}");
        }
    }

    #[test]
    fn a_bit_that_is_not_there_is_no_pass() {
        let plan = plan("ecube", 2, None);
        let mut bench = WitnessBench::new(&plan, FabricDut::new(&plan).unwrap());
        let (turn, witness) = plan.network().turns().classes[0].turns.iter().next().unwrap();
        let own = Crosspoint::of(&plan, turn, witness.at).unwrap();
        let error = bench.passes(witness, &Crosspoint { source: 9, ..own }).unwrap_err();
        assert!(error.contains("has no bit 9"), "{error}");
        // Another node of the same class: the packet does not come by.
        let far = Node(3 ^ witness.source.0);
        let short = Witness { destination: witness.source, at: far, ..*witness };
        assert!(bench.passes(&short, &Crosspoint { node: far, ..own }).is_err());
    }
}
