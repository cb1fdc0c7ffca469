//! Setup of a run, out of the options.

use super::{Engine, SimulateOptions, workload};
use crate::destination::Destination;
use crate::input;
use crate::messages::Messages;
use crate::options::AllocatorName;
use crate::options::traffic::{MOST_TIMES, check_cycles};
use anyhow::{Context, bail};
use std::io::BufReader;
use turnpike_analysis::pattern_load::Message;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::flows::Flows;
use turnpike_network::topology::Topology;
use turnpike_sim_network::measure::{RunConfig, WarmUp, WhenSaturated};
use turnpike_sim_network::traffic::{Ends, Listed, Trace, Traffic, TrafficConfig, synthetic};

/// Flits offered per terminal and cycle where nothing is said.
const DEFAULT_LOAD: f64 = 0.1;
/// Node-cycles that a run of the RTL measures where `--cycles` is left out, at most.
const RTL_NODE_CYCLES: u64 = 1 << 16;
/// Packets on their way that a run of the RTL remembers.
const RTL_PACKETS: u32 = 1 << 22;

/// Checks what needs no network.
///
/// # Errors
/// Options that do not go together.
pub fn check(options: &SimulateOptions) -> anyhow::Result<()> {
    options.details.check()?;
    if options.details.allocator == AllocatorName::Maximum && options.engine != Engine::Reference {
        bail!("--allocator maximum is for study, and no RTL has it; leave --engine out");
    }
    if options.details.reply_room.is_some() && options.engine != Engine::Reference {
        bail!("--reply-room needs the reference router; leave --engine out");
    }
    check_cycles(options.run.cycles())?;
    if options.details.precision.is_some() {
        if options.engine != Engine::Reference {
            bail!("--precision needs the reference router; leave --engine out");
        }
        if options.run.is_auto() {
            bail!("--precision goes on until it can tell, too; leave --cycles auto out");
        }
    }
    if options.run.is_auto() {
        if options.engine != Engine::Reference {
            bail!("--cycles auto needs the reference router; leave --engine out, or give a number");
        }
        if options.trace.is_some() {
            bail!("a trace is measured to its last delivery; leave --cycles auto out");
        }
    }
    workload::check(options)
}

/// The fabric, where memory allows.
///
/// # Errors
/// Unknown names, numbers out of range, a fabric beyond the engine or beyond memory.
pub fn plan(options: &SimulateOptions) -> anyhow::Result<FabricPlan> {
    let plan = match options.engine {
        Engine::Reference => options.fabric.plan_to_run()?,
        Engine::Rtl | Engine::Verilator => options.fabric.rtl_plan(None)?,
    };
    options.details.check_plan(&plan, 1)?;
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
    // Messages of a file name their terminals; those that cannot be answered go one way.
    let ends = match options.details.replies() {
        Some(_) if config.messages.is_empty() => Ends::answering(topology),
        _ => Ends::of(topology),
    };
    Ok(synthetic(ends, &config)?)
}

/// Configuration of the traffic.
///
/// # Errors
/// Labels of no node, or of one twice; a pattern that the terminals do not have, or a file of one that
/// cannot be used.
pub fn traffic_config(
    options: &SimulateOptions,
    topology: &dyn Topology,
) -> anyhow::Result<TrafficConfig> {
    let SimulateOptions { traffic, load, run, .. } = options;
    let asked = topology.flows().is_some_and(Flows::have_bandwidths);
    let load = load.unwrap_or(if asked { 1.0 } else { DEFAULT_LOAD });
    options.details.check_load(load)?;
    let mut config = options.details.config(topology, traffic, load, run.seed)?;
    if let Some(pattern) = &options.machine.pattern {
        let Messages { name, list, .. } = pattern.messages(topology)?;
        let listed =
            |m: &Message| Listed { source: m.source.0, sink: m.destination.0, words: m.words };
        config.messages = list.iter().map(listed).collect();
        config.pattern = name;
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

/// Configuration of the run: its length and warm-up.
pub fn run_config(options: &SimulateOptions, plan: &FabricPlan) -> RunConfig {
    let base = options.details.run_config(plan, options.run.cycles());
    let (rtl, trace) = (options.engine == Engine::Rtl, options.trace.is_some());
    let nodes = u64::from(plan.topology().nodes());
    let rtl_cycles = options.run.cycles().unwrap_or((RTL_NODE_CYCLES / nodes).clamp(200, 2_000));
    RunConfig {
        all_cores: true,
        until_told: match options.details.precision {
            Some(_) => options.details.lengths(plan, options.run.cycles()).last().copied(),
            None => base.measure.filter(|_| options.run.is_auto()).map(|n| n * MOST_TIMES),
        },
        precision: options.details.precision,
        warm_up: match options.details.warmup {
            None if trace => WarmUp::Cycles(0),
            _ => base.warm_up,
        },
        measure: match (trace, rtl) {
            (true, _) => options.run.cycles(),
            (false, true) => Some(rtl_cycles),
            (false, false) => base.measure,
        },
        // A trace ends, however much of it waits.
        when_saturated: match trace {
            true => WhenSaturated::Drains,
            false => base.when_saturated,
        },
        drain: if rtl { 5 * rtl_cycles } else { base.drain },
        most_packets: if rtl { RTL_PACKETS } else { base.most_packets },
        ..base
    }
}
