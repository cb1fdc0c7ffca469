//! What a run needs, out of the options.

use super::{AllocatorName, Engine, SimulateOptions, machine, workload};
use crate::destination::Destination;
use crate::messages::Messages;
use crate::{input, memory};
use anyhow::{Context, bail};
use std::collections::HashSet;
use std::io::BufReader;
use turnpike_analysis::pattern_load::Message;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::Topology;
use turnpike_sim_network::measure::{RunConfig, WarmUp};
use turnpike_sim_network::reference::Reference;
use turnpike_sim_network::traffic::{Bernoulli, Ends, Listed, Trace, Traffic, TrafficConfig};

/// Node-cycles that the reference router measures where `--cycles` is left out, at most.
const NODE_CYCLES: u64 = 1 << 24;
/// The same for the RTL in rust-hdl.
const RTL_NODE_CYCLES: u64 = 1 << 16;
/// Packets on their way that a run of the RTL remembers.
const RTL_PACKETS: u32 = 1 << 22;

/// Checks what needs no network.
///
/// # Errors
/// Options that do not go together.
pub fn check(options: &SimulateOptions) -> anyhow::Result<()> {
    if options.vcd.is_some() && options.engine != Engine::Rtl {
        bail!("--vcd needs the RTL inside rust-hdl; add --engine rtl, or leave --vcd out");
    }
    if !options.hotspot.is_empty() && options.trace.is_none() && options.traffic != "hotspot" {
        bail!("--hotspot is for hotspot traffic; add --traffic hotspot, or leave it out");
    }
    if options.allocator == AllocatorName::Maximum && options.engine != Engine::Reference {
        bail!("--allocator maximum is for study, and no RTL has it; leave --engine out");
    }
    if options.allocator == AllocatorName::Maximum && options.workload.workload.is_some() {
        bail!("--allocator maximum goes with --traffic and --trace; leave --workload out");
    }
    if options.cycles == Some(0) {
        bail!("--cycles 0 measures nothing; use a whole number from 1, such as 1000");
    }
    machine::check(&options.machine)?;
    workload::check(options)
}

/// The fabric, where memory allows.
///
/// # Errors
/// Unknown names, numbers out of range, a fabric beyond the engine or beyond memory.
pub fn plan(options: &SimulateOptions) -> anyhow::Result<FabricPlan> {
    let plan = match options.engine {
        Engine::Reference => options.fabric.plan(None)?,
        Engine::Rtl | Engine::Verilator => options.fabric.rtl_plan(None)?,
    };
    let relation = plan.relation();
    if options.allocator == AllocatorName::Maximum && relation.choices().is_none() {
        let name = relation.name();
        bail!("--allocator maximum is for packets that choose, which those of '{name}' do not");
    }
    let what = format!("the reference router of {}", plan.name);
    memory::check(&what, Reference::bytes(&plan), "use a lower --dim or --depth")?;
    Ok(plan)
}

/// The traffic.
///
/// # Errors
/// Numbers out of range, labels of no node, a trace that cannot be used.
pub fn traffic(options: &SimulateOptions, plan: &FabricPlan) -> anyhow::Result<Box<dyn Traffic>> {
    let topology = plan.topology();
    if let Some(path) = &options.trace {
        let shown = path.display();
        let file = input::open(path, "trace", input::MOST_TRACE)?;
        let trace = Trace::read_labelled(topology, BufReader::new(file));
        let trace = trace.with_context(|| shown.to_string())?;
        return Ok(Box::new(trace));
    }
    let config = traffic_config(options, topology)?;
    Ok(Box::new(Bernoulli::new(Ends::of(topology), &config)?))
}

/// What the traffic is made of.
///
/// # Errors
/// Labels of no node, or of one twice; a pattern that the terminals do not have, or a file of one that
/// cannot be used.
pub fn traffic_config(
    options: &SimulateOptions,
    topology: &dyn Topology,
) -> anyhow::Result<TrafficConfig> {
    let mut config = TrafficConfig {
        pattern: options.traffic.clone(),
        load: options.load,
        packet_flits: options.packet_length,
        seed: options.seed,
        self_addressed: options.draws_self_addressed(),
        hotspot_share: options.hotspot_share,
        ..TrafficConfig::default()
    };
    if let Some(pattern) = &options.machine.pattern {
        let Messages { name, list, .. } = pattern.messages(topology)?;
        let listed =
            |m: &Message| Listed { source: m.source.0, sink: m.destination.0, words: m.words };
        config.messages = list.iter().map(listed).collect();
        config.pattern = name;
    }
    if !options.hotspot.is_empty() {
        let hotspots = options.hotspot.iter().map(|label| topology.receiver(label).map(|t| t.0));
        config.hotspots = hotspots.collect::<Result<_, _>>()?;
        let mut seen = HashSet::new();
        if let Some(label) = options.hotspot.iter().find(|label| !seen.insert(*label)) {
            bail!("--hotspot names node {label} twice; name each node once");
        }
    }
    Ok(config)
}

/// The file of the waveform, its place made sure of.
///
/// # Errors
/// As [`Destination::new`].
pub fn waveform(options: &SimulateOptions) -> anyhow::Result<Option<Destination>> {
    let of = |path| Destination::new(path, "fabric.vcd", options.force);
    options.vcd.as_deref().map(of).transpose()
}

/// How long to run.
pub fn run_config(options: &SimulateOptions, plan: &FabricPlan) -> RunConfig {
    let nodes = u64::from(plan.topology().nodes());
    let rtl = options.engine == Engine::Rtl;
    let cycles = match rtl {
        false => (NODE_CYCLES / nodes).clamp(500, 40_000),
        true => (RTL_NODE_CYCLES / nodes).clamp(200, 2_000),
    };
    let trace = options.trace.is_some();
    let measure = options.cycles.or((!trace).then_some(cycles));
    let warm_up = match options.warmup {
        Some(cycles) => WarmUp::Cycles(cycles),
        None if trace => WarmUp::Cycles(0),
        None => WarmUp::Detect,
    };
    let base = RunConfig::default();
    RunConfig {
        warm_up,
        measure,
        drain: if rtl { 5 * measure.unwrap_or(cycles) } else { base.drain },
        most_packets: if rtl { RTL_PACKETS } else { base.most_packets },
        allocator: options.allocator.into(),
    }
}
