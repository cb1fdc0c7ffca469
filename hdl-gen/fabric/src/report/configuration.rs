//! Configuration of a fabric, as every report says it.

use crate::plan::{FabricPlan, Parameters};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_network::topology::Scale;
use turnpike_network::topology::parameter::{ARITY, DIM, LEVELS, NODES, RADIX};

/// The size of a network: what its topology takes, and nothing for the rest.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, JsonSchema)]
pub struct SizeFields {
    /// Dimension of a cube, letters of a word, or digits of a row.
    pub dimension: Option<u32>,
    /// Sides of a mesh or torus, X first, such as `4x4`; of a Clos network M,N,R; of a dragonfly A,H,P; of a slim
    /// fly Q,P; of a random regular network D,P and its seed.
    pub shape: Option<String>,
    /// Nodes of a ring, a star, a full network, a random regular one, or of one from a file.
    pub size: Option<u32>,
    /// Channels down from a switch of a tree, or kinds of letters.
    pub arity: Option<u32>,
    /// Levels of switches of a tree.
    pub levels: Option<u32>,
    /// Inputs and outputs of a switch of a butterfly.
    pub radix: Option<u32>,
    /// Terminals where the topology has one; 1 without `--concentration`.
    pub concentration: u32,
}

impl From<Scale> for SizeFields {
    fn from(Scale { size, concentration }: Scale) -> Self {
        let named = [&DIM, &NODES, &ARITY, &LEVELS, &RADIX];
        let others = size.values().filter(|(parameter, _)| !named.contains(parameter));
        let others: Vec<String> = others.map(|(_, value)| value.to_string()).collect();
        let [dimension, nodes, arity, levels, radix] = named.map(|own| size.number(own));
        let shape = Some(others.join(",")).filter(|text| !text.is_empty());
        Self { dimension, shape, size: nodes, arity, levels, radix, concentration }
    }
}

/// A fabric: whatever makes two of them differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Configuration {
    /// Name of the fabric.
    pub fabric: String,
    /// The arguments of `turnpike generate` that make the fabric.
    pub configuration: String,
    /// Name of the topology.
    pub topology: String,
    /// Size of the topology.
    #[serde(flatten)]
    pub size: SizeFields,
    /// Switches, failed ones included.
    pub nodes: u32,
    /// Terminals that send or take packets.
    pub terminals: u32,
    /// Labels of the nodes that failed.
    pub failed: Vec<String>,
    /// Name of the routing relation.
    pub routing: String,
    /// The seed that the relation's routes were drawn from, where they were.
    pub route_seed: Option<u64>,
    /// The relations of the routing relation's two phases, where it has two, with a comma between
    /// them.
    pub phases: Option<String>,
    /// The terminals that packets of two phases go to first, where not all of them.
    pub intermediate: Option<String>,
    /// The seed of the packets' draws, where packets draw.
    pub draw_seed: Option<u64>,
    /// Virtual channels in use.
    pub virtual_channels: u8,
    /// Virtual channels of a resource class that packets take, where classes have several: `any` or `kept`.
    pub vc_allocation: Option<String>,
    /// Bits of `tdata`.
    pub width: u32,
    /// Flits that a queue holds, beside those that may be on a link with registers.
    pub depth: u32,
    /// Whether `tid` carries the source's address.
    pub source_id: bool,
    /// Bits of `tuser`; 0 for none.
    pub user_width: u32,
    /// Whether there is a `tkeep`.
    pub keep: bool,
    /// Registers on the way through a switch: 0, 1 (the grant) or 2 (the output, too).
    pub pipeline: u32,
    /// Whether a packet asks for its output while the one before it in its queue leaves
    /// (`--pipeline 1-ahead` and `2-ahead`).
    pub asks_ahead: bool,
    /// Registers on each channel between switches, forward and back.
    pub link_registers: u32,
    /// Storage of the queues: `ram`, `registers` or `shift`.
    pub queue: String,
    /// Structure of the multiplexers: `one-hot` or `lut4`.
    pub mux: String,
    /// Ports of the top module: `flat` or `named`.
    pub ports: String,
    /// Reset of the top module: `high` or `low`.
    pub reset: String,
}

impl Configuration {
    /// Configuration of a planned fabric.
    pub fn of(plan: &FabricPlan) -> Self {
        let (topology, relation) = (plan.topology(), plan.relation());
        // All of them: a new one stops compiling here.
        let Parameters {
            width,
            depth,
            source_id,
            user_width,
            keep,
            pipeline,
            link_registers,
            queue,
            mux,
            ports,
            reset,
            draw_seed,
        } = plan.parameters;
        Self {
            fabric: plan.name.clone(),
            configuration: plan.canonical(),
            topology: topology.title(),
            size: topology.scale().into(),
            nodes: topology.nodes(),
            terminals: topology.all_terminals().count() as u32,
            failed: topology.failed_nodes().iter().map(|&node| topology.label(node)).collect(),
            routing: relation.name().to_owned(),
            route_seed: relation.route_seed(),
            phases: relation.phases().map(|names| names.join(",")),
            intermediate: relation.intermediate().map(ToString::to_string),
            draw_seed: relation.is_randomised().then_some(draw_seed),
            virtual_channels: relation.vcs(),
            vc_allocation: relation.vc_allocation().map(|allocation| allocation.to_string()),
            width,
            depth,
            source_id,
            user_width,
            keep,
            pipeline: pipeline.registers(),
            asks_ahead: pipeline.asks_ahead(),
            link_registers,
            queue: queue.to_string(),
            mux: mux.to_string(),
            ports: ports.to_string(),
            reset: reset.to_string(),
        }
    }
}
