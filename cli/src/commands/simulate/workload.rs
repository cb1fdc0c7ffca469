//! `simulate --workload`: a fixed number of messages, to the last delivery.

use super::{Engine, SimulateOptions, setup, workload_report};
use crate::options::values;
use crate::progress::Progress;
use crate::{Report, memory};
use anyhow::bail;
use clap::{ArgAction, Args};
use std::sync::Arc;
use turnpike_fabric::plan::FabricPlan;
use turnpike_sim_bench::verilated::Verilator;
use turnpike_sim_network::bus;
use turnpike_sim_network::traffic::MOST_CYCLES;
use turnpike_sim_network::workload::kinds::{self, WORKLOADS};
use turnpike_sim_network::workload::{self, Pipelined, Schedule, WorkloadConfig, WorkloadOutcome};

/// Messages of a pipelined workload where `--rounds` is left out, at most (but for the least
/// number of rounds).
const MESSAGES: u32 = 1 << 22;
/// Messages of a pipelined workload on the RTL where `--rounds` is left out, at most.
const RTL_MESSAGES: u32 = 1 << 13;
/// Bytes of a message in a run, and in the record of one for another engine.
const MESSAGE_BYTES: u64 = 32;

/// Options of a workload, in place of traffic.
#[derive(Args, Clone, Debug)]
pub struct WorkloadOptions {
    /// One message from each terminal in place of --traffic, to the last delivery
    #[arg(long, value_name = "NAME", value_parser = values::workload, help = workload_help())]
    pub workload: Option<String>,
    /// Busses: words of each node, of --workload h-relation. Default: 1
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = values::whole)]
    pub h: Option<u32>,
    /// Busses (ocpc, mob): each word goes first to a node that is drawn for it, then to its
    /// destination
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub two_phase: bool,
    /// Start the workload again every so many cycles
    #[arg(long, value_name = "CYCLES", allow_hyphen_values = true, value_parser = values::long)]
    pub interval: Option<u64>,
    /// Number of rounds with --interval. Default: 100, fewer on large networks and with --engine
    /// rtl
    #[arg(long, value_name = "R", allow_hyphen_values = true, value_parser = values::positive)]
    pub rounds: Option<u32>,
    /// Each message of a workload is answered by one of one flit
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub acknowledge: bool,
    /// Messages that a terminal may hold unacknowledged; at this number it takes nothing in,
    /// which can deadlock. Default: no limit
    #[arg(long, value_name = "MESSAGES", allow_hyphen_values = true,
          value_parser = values::positive)]
    pub acknowledgement_room: Option<u32>,
}

fn workload_help() -> String {
    let names: Vec<&str> = WORKLOADS.iter().map(|kind| kind.name).collect();
    let names = names.join(", ");
    let busses: Vec<&str> = bus::workload::WORKLOADS.iter().map(|(name, _)| *name).collect();
    let busses = busses.join(", ");
    format!(
        "One message from each terminal in place of --traffic, to the last delivery: {names}; on \
         busses: {busses}"
    )
}

/// Checks what needs no network.
///
/// # Errors
/// Options that do not go together, numbers out of range.
pub fn check(options: &SimulateOptions) -> anyhow::Result<()> {
    let given = &options.workload;
    let Some(name) = &given.workload else { return Ok(()) };
    kinds::find(name)?;
    if given.acknowledgement_room.is_some() && options.engine != Engine::Reference {
        bail!("--acknowledgement-room needs the reference router; leave --engine out");
    }
    if let Some(lengths) = options.details.packet_length.several() {
        bail!(
            "--packet-length {lengths}: the messages of a workload have one length; give one, or use \
             --traffic"
        );
    }
    config(options, name, 1).check(1)?;
    Ok(())
}

/// The workload; its rounds, where they were left out, for so many terminals.
fn config(options: &SimulateOptions, name: &str, terminals: u32) -> WorkloadConfig {
    let given = &options.workload;
    let pipelined = given.interval.map(|interval| {
        let (messages, least, most) = match options.engine {
            Engine::Rtl => (RTL_MESSAGES, 8, 50),
            Engine::Reference | Engine::Verilator => (MESSAGES, 10, 100),
        };
        let in_time = MOST_CYCLES / interval.max(1) + 1;
        let rounds = (messages / terminals.max(1)).clamp(least, most);
        let rounds = rounds.min(in_time.try_into().unwrap_or(u32::MAX));
        Pipelined { interval, rounds: given.rounds.unwrap_or(rounds) }
    });
    WorkloadConfig {
        workload: name.to_owned(),
        pipelined,
        message_flits: options.details.packet_length.only().unwrap_or_default(),
        acknowledge: given.acknowledge,
        room: given.acknowledgement_room,
        seed: options.run.seed,
        self_addressed: options.details.draws_self_addressed(),
    }
}

/// Runs it.
///
/// # Errors
/// Numbers out of range, files that cannot be written, a fabric beyond memory.
pub fn run(
    options: &SimulateOptions,
    name: &str,
    verilator: Option<Verilator>,
) -> anyhow::Result<Report> {
    let plan = setup::plan(options)?;
    let config = config(options, name, terminals(&plan));
    let schedule = schedule(&plan, &config)?;
    let waveform = setup::waveform(options)?;
    let record = options.engine != Engine::Reference;
    let mut run = reference(&plan, &config, &schedule, record)?;

    let stimulus = run.stimulus(&plan, options.run.seed).map(Arc::new);
    let cycles = run.report.cycles;
    let comparison = super::compare(&plan, stimulus, cycles, verilator, waveform)?;

    let equal = comparison.as_ref().is_none_or(|c| c.equal);
    let holds = equal && run.report.outcome != WorkloadOutcome::Deadlocked;
    workload_report::write(options, &plan, &run.report, comparison.as_ref(), holds)
}

/// Number of terminals that send and take packets.
fn terminals(plan: &FabricPlan) -> u32 {
    let topology = plan.topology();
    topology.sources().filter(|&terminal| topology.sink(terminal).is_some()).count() as u32
}

/// Schedule of the messages, where memory allows.
fn schedule(plan: &FabricPlan, config: &WorkloadConfig) -> anyhow::Result<Schedule> {
    let terminals = terminals(plan);
    config.check(terminals)?;
    let messages = u64::from(terminals) * u64::from(config.rounds());
    let what = format!("a run of {messages} messages");
    memory::check(&what, messages * MESSAGE_BYTES, "use fewer --rounds or a lower --dim")?;
    let _progress = Progress::spinner("drawing destinations");
    Ok(Schedule::draw(plan.network(), config)?)
}

/// Runs the workload on the reference router.
fn reference(
    plan: &FabricPlan,
    config: &WorkloadConfig,
    schedule: &Schedule,
    record: bool,
) -> anyhow::Result<workload::WorkloadRun> {
    let progress = Progress::steps(1, "reference router: delivering");
    let mut tell = |p: workload::Progress| progress.at(p.delivered, Some(p.of));
    Ok(workload::run(plan, config, schedule, record, &mut tell)?)
}
