//! Entry of the manifest on a switch.

use serde::Serialize;
use std::collections::BTreeSet;
use turnpike_fabric::plan::{FabricPlan, SwitchPlan};
use turnpike_network::routing::{Input, Output, Vc};

/// A switch class.
#[derive(Serialize)]
pub struct Switch {
    module: String,
    instances: u32,
    /// Network port to network port, virtual channels merged.
    crosspoints: usize,
    terminal_crosspoints: usize,
    inputs: Vec<PortEntry>,
    outputs: Vec<PortEntry>,
    queues: Vec<Queue>,
    /// Per (output port, VC): the queues that feed it.
    arbiters: Vec<Arbiter>,
}

#[derive(Serialize)]
struct PortEntry {
    name: String,
    virtual_channels: Vec<u8>,
    /// Header bits on the wires, by number, ascending.
    header_bits: Vec<u32>,
}

#[derive(Serialize)]
struct Queue {
    name: String,
    /// Flits that it holds.
    depth: u32,
    /// Bits of a word: flit and stored header.
    word_bits: u32,
    stored_header_bits: Vec<u32>,
}

#[derive(Serialize)]
struct Arbiter {
    output: String,
    sources: Vec<String>,
}

impl Switch {
    /// Entry of a class of switches.
    pub fn of(plan: &FabricPlan, class: &SwitchPlan) -> Self {
        let pairs: BTreeSet<(Input, Output)> =
            class.turns.iter().map(|t| (t.input, t.output)).collect();
        let network = |&&(i, o): &&(Input, Output)| !i.is_inject() && !o.is_eject();
        let crosspoints = pairs.iter().filter(network).count();
        let nodes = plan.topology().all_nodes();
        let vcs = |list: &[Vc]| list.iter().map(|v| v.0).collect();
        Self {
            module: class.name.clone(),
            instances: nodes.filter(|&n| plan.switch_of(n).name == class.name).count() as u32,
            crosspoints,
            terminal_crosspoints: pairs.len() - crosspoints,
            inputs: class
                .inputs
                .iter()
                .map(|i| PortEntry {
                    name: i.name.clone(),
                    virtual_channels: vcs(&i.vcs),
                    header_bits: i.header.clone(),
                })
                .collect(),
            outputs: class
                .outputs
                .iter()
                .map(|o| PortEntry {
                    name: o.name.clone(),
                    virtual_channels: vcs(&o.vcs),
                    header_bits: o.header.clone(),
                })
                .collect(),
            queues: class
                .queues
                .iter()
                .map(|q| Queue {
                    name: q.name.clone(),
                    depth: plan.queue_size(class, q).depth,
                    word_bits: plan.flit_width() + q.header.len() as u32,
                    stored_header_bits: q.header.clone(),
                })
                .collect(),
            arbiters: class
                .output_vcs
                .iter()
                .map(|ov| Arbiter {
                    output: ov.name.clone(),
                    sources: ov
                        .sources
                        .iter()
                        .map(|s| class.queues[s.queue].name.clone())
                        .collect(),
                })
                .collect(),
        }
    }
}
